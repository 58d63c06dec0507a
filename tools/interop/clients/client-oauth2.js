import ClientOAuth2 from 'client-oauth2'

const { TOKEN_ASSAY_URL, TOKEN_ASSAY_USER_NAME, TOKEN_ASSAY_PASSWORD, TOKEN_ASSAY_RESOURCE_URL } = process.env
const client = new ClientOAuth2({
  clientId: 'client',
  clientSecret: 'secret',
  accessTokenUri: `${TOKEN_ASSAY_URL}/Token`,
})
const token = await client.owner.getToken(TOKEN_ASSAY_USER_NAME, TOKEN_ASSAY_PASSWORD)
const { url, headers } = token.sign({ method: 'get', url: TOKEN_ASSAY_RESOURCE_URL })
const { ok } = await fetch(url, { headers })
if (!ok) throw new Error('the token is refused')
console.log(JSON.stringify({ userName: token.data.userName, expiresAt: token.data['.expires'] }))
