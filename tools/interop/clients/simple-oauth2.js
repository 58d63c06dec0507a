import { ResourceOwnerPassword } from 'simple-oauth2'

const { TOKEN_ASSAY_URL, TOKEN_ASSAY_USER_NAME, TOKEN_ASSAY_PASSWORD, TOKEN_ASSAY_RESOURCE_URL } = process.env
const { origin } = new URL(TOKEN_ASSAY_URL)
const client = new ResourceOwnerPassword({
  client: { id: 'client', secret: 'secret' },
  // The path of a host is lost.
  auth: { tokenHost: origin, tokenPath: `${TOKEN_ASSAY_URL.slice(origin.length)}/Token` },
})
const { token } = await client.getToken({
  username: TOKEN_ASSAY_USER_NAME,
  password: TOKEN_ASSAY_PASSWORD,
})
const { ok } = await fetch(TOKEN_ASSAY_RESOURCE_URL, {
  headers: { Authorization: `Bearer ${token.access_token}` },
})
if (!ok) throw new Error('the token is refused')
console.log(JSON.stringify({ userName: token.userName, expiresAt: token['.expires'] }))
