import * as oauth from 'oauth4webapi'

const { TOKEN_ASSAY_URL, TOKEN_ASSAY_USER_NAME, TOKEN_ASSAY_PASSWORD, TOKEN_ASSAY_RESOURCE_URL } = process.env
const server = { issuer: TOKEN_ASSAY_URL, token_endpoint: `${TOKEN_ASSAY_URL}/Token` }
const client = { client_id: 'client' }
const insecure = { [oauth.allowInsecureRequests]: true }
const form = { username: TOKEN_ASSAY_USER_NAME, password: TOKEN_ASSAY_PASSWORD }
const response = await oauth.genericTokenEndpointRequest(
  server,
  client,
  oauth.None(),
  'password',
  form,
  insecure,
)
const token = await oauth.processGenericTokenEndpointResponse(server, client, response)
const resource = new URL(TOKEN_ASSAY_RESOURCE_URL)
const { ok } = await oauth.protectedResourceRequest(
  token.access_token,
  'GET',
  resource,
  new Headers(),
  null,
  insecure,
)
if (!ok) throw new Error('the token is refused')
console.log(JSON.stringify({ userName: token.userName, expiresAt: token['.expires'] }))
