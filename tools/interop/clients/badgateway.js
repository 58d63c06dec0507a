import { OAuth2Client } from '@badgateway/oauth2-client'

const { TOKEN_ASSAY_URL, TOKEN_ASSAY_USER_NAME, TOKEN_ASSAY_PASSWORD, TOKEN_ASSAY_RESOURCE_URL } = process.env
const client = new OAuth2Client({ clientId: 'client', tokenEndpoint: `${TOKEN_ASSAY_URL}/Token` })
const { accessToken, extraParams } = await client.password({
  username: TOKEN_ASSAY_USER_NAME,
  password: TOKEN_ASSAY_PASSWORD,
})
const { ok } = await fetch(TOKEN_ASSAY_RESOURCE_URL, { headers: { Authorization: `Bearer ${accessToken}` } })
if (!ok) throw new Error('the token is refused')
console.log(JSON.stringify({ userName: extraParams.userName, expiresAt: extraParams['.expires'] }))
