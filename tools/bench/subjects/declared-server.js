// The reference server with all that a target can declare. Writes that target to the file that its argument is.
import { writeFileSync } from 'node:fs'
import { startReferenceServer } from '../../../dist/index.js'
import { startEmbeddedProvider } from '../../../dist/reference/embedded/embedded-servers.js'

const provider = await startEmbeddedProvider()
const { tokenEndpoint, userInfoEndpoint } = provider
const client = { tokenEndpoint, userInfoEndpoint, clientSecret: 'embedded' }
const accounts = ['alice', 'bob', 'carol'].map((userName) => ({ userName, password: 'Correct-horse-1' }))
const server = await startReferenceServer({
  accounts: [
    { ...accounts[0], externalLogins: [{ provider: 'acme', subject: 'alice-at-acme' }] },
    ...accounts.slice(1),
  ],
  providers: [
    { ...client, name: 'acme', clientId: 'with-callback', redirectUri: 'http://127.0.0.1/callback' },
    { ...client, name: 'no-callback', clientId: 'without-callback' },
  ],
  includesUserId: true,
  hashing: 'fast',
})
const target = {
  baseUrl: server.url,
  includesUserId: true,
  accounts,
  registration: {
    request: { path: '/accounts', json: { userName: '$userName', email: '$email', password: '$password' } },
  },
  externalLogin: {
    prepare: {
      request: { url: `${provider.url}/code`, json: { user: 'alice-at-acme', clientId: 'with-callback' } },
      capture: { code: '/code' },
    },
    request: { path: '/external-login', json: { provider: 'acme', code: '$code' } },
    account: 'alice',
    withoutCallback: { path: '/external-login', json: { provider: 'no-callback' } },
  },
}
writeFileSync(process.argv[2], JSON.stringify(target))
process.send({ url: server.url })
