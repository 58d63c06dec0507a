import { assess } from '../../conformance/assess.js'
import type { TargetSettings } from '../../conformance/target/target-input.js'
import { startProvider } from '../../reference/provider/provider.js'
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  startReferenceServer,
} from '../../reference/server.js'
import type { Report } from '../../spec/types.js'
import { CONFIGURATIONS, type Configuration, type Fault } from './fault.js'

const REDIRECT_URI = 'http://127.0.0.1/callback'
const CLIENT = { clientSecret: 'secret', redirectUri: REDIRECT_URI }

/** The main account is spelled alike by every form; what must be escaped is in the others. */
const ACCOUNTS = [
  { userName: 'alice', password: 'Alice-7-horses-staple', userId: 'id-of-alice' },
  { userName: 'Zoë Straße', password: 'Zoë & 100 of =Ümläut+plus', userId: 'id-of-zoe' },
  { userName: 'bob', password: '%41lready-%2B-escaped', userId: 'id-of-bob' },
] as const

const registration = {
  request: { path: '/accounts', json: { userName: '$userName', email: '$email', password: '$password' } },
} satisfies TargetSettings['registration']

/**
 * Assesses a reference server with the fault, with an outside provider of its own; and where it adds `userId`, one beside it
 * that does not.
 * @param seed whichever it is, the same rules are red
 */
export async function assessFault(fault: Fault, seed = 1): Promise<Report> {
  const { behaviour, under = 'listed', runs = 3, hashing = 'fast' } = fault
  const configuration: Configuration = CONFIGURATIONS[under]
  await using provider = await startProvider({
    clients: [
      { clientId: 'registered', clientSecret: CLIENT.clientSecret, redirectUris: [REDIRECT_URI] },
      { clientId: 'unregistered', clientSecret: CLIENT.clientSecret, redirectUris: [] },
    ],
  })
  const { tokenEndpoint, userInfoEndpoint } = provider
  const start = (own: ReferenceServerOptions): Promise<ReferenceServer> =>
    startReferenceServer({
      hashing,
      accounts: ACCOUNTS.map((account) => ({
        ...account,
        externalLogins: [{ provider: 'acme', subject: `${account.userName} at acme` }],
      })),
      providers: [
        { ...CLIENT, name: 'acme', clientId: 'registered', tokenEndpoint, userInfoEndpoint },
        { ...CLIENT, name: 'no-callback', clientId: 'unregistered', tokenEndpoint, userInfoEndpoint },
      ],
      behaviour,
      ...own,
    })
  await using server = await start(configuration)
  await using beside = await start({})
  const { includesUserId = false, policy = {} } = configuration
  return await assess(
    {
      accounts: ACCOUNTS,
      maxFailedLogins: 200,
      registration,
      externalLogin: {
        prepare: {
          request: { url: `${provider.url}/code`, json: { user: 'alice at acme' } },
          capture: { code: '/code' },
        },
        request: { path: '/external-login', json: { provider: 'acme', code: '$code' } },
        account: 'alice',
        withoutCallback: { path: '/external-login', json: { provider: 'no-callback' } },
      },
      deployments: {
        faulty: { baseUrl: server.url, includesUserId, registration: { policy } },
        ...(includesUserId ? { beside: { baseUrl: beside.url } } : {}),
      },
    },
    { deployments: ['faulty'], runs, seed },
  )
}
