// `oidc-provider` with the password grant registered, which it leaves to its users; its store in memory keeps the last
// thousand tokens.
import { listen } from './listen.js'

// It warns that keys and store are for development alone.
console.warn = () => {}
console.info = () => {}
const { default: Provider } = await import('oidc-provider')

let callback
listen(
  (request, response) => callback(request, response),
  (url) => {
    const provider = new Provider(url, {
      clients: [
        {
          client_id: 'bench',
          client_secret: 'bench',
          grant_types: ['password'],
          response_types: [],
          redirect_uris: [],
        },
      ],
      routes: { token: '/Token' },
      ttl: { AccessToken: 14 * 86_400 },
    })
    provider.registerGrantType(
      'password',
      async (context) => {
        const { client, params } = context.oidc
        if (params.username !== 'alice' || params.password !== 'Correct-horse-1')
          throw new Error('wrong credentials')
        const token = new provider.AccessToken({ accountId: params.username, client, scope: '' })
        context.body = {
          access_token: await token.save(),
          token_type: 'bearer',
          expires_in: token.expiration,
        }
      },
      ['username', 'password'],
    )
    callback = provider.callback()
  },
)
