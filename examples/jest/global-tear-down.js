export default async function tearDown() {
  const { tokenService } = /** @type {{ tokenService?: import('token-assay').ReferenceServer }} */ (
    globalThis
  )
  await tokenService?.close()
}
