import { readAccount } from '../../reference/control/read-account.js'
import { isOrigin } from '../../reference/http/cors.js'
import type { Finding, Located } from '../../spec/position.js'
import type { ServerConfig } from './server-config.js'

/** What the schema cannot say of a configuration, with its place. */
export function* contradictions(config: ServerConfig, located: Located): Generator<Finding> {
  const { accounts = [], providers = [], cors = [] } = config
  const at = (place: string, message: string): Finding => ({ position: located.at(place), message })

  const repeated = function* (names: readonly Named[], what: string): Generator<Finding> {
    const seen = new Set<string>()
    for (const { name, place } of names) {
      if (seen.has(name)) yield at(place, `expected each ${what} once, found one a second time`)
      seen.add(name)
    }
  }
  const logins = accounts.flatMap(({ externalLogins = [] }, index) =>
    externalLogins.map((login, of) => ({ ...login, place: `/accounts/${index}/externalLogins/${of}` })),
  )
  yield* repeated(
    accounts.map(({ userName }, index) => ({ name: userName, place: `/accounts/${index}/userName` })),
    'user name',
  )
  yield* repeated(
    logins.map(({ provider, subject, place }) => ({ name: JSON.stringify([provider, subject]), place })),
    'sign-in',
  )
  yield* repeated(
    providers.map(({ name }, index) => ({ name, place: `/providers/${index}/name` })),
    'provider',
  )

  for (const { provider, place } of logins)
    if (!providers.some(({ name }) => name === provider))
      yield at(`${place}/provider`, 'expected the name of one of the providers, found another')
  for (const [index, account] of accounts.entries()) {
    const message = whyNot(() => readAccount(account))
    if (message !== undefined) yield at(`/accounts/${index}`, message)
  }
  for (const [index, { tokenEndpoint, userInfoEndpoint, redirectUri }] of providers.entries())
    for (const [name, url] of Object.entries({ tokenEndpoint, userInfoEndpoint, redirectUri }))
      if (url !== undefined && !URL.canParse(url))
        yield at(`/providers/${index}/${name}`, 'expected a URL, found what cannot be read as one')
  for (const [index, origin] of [...(cors === '*' ? [] : cors)].entries())
    if (!isOrigin(origin))
      yield at(`/cors/${index}`, 'expected an origin as browsers send it, without a usual port or a path')
}

interface Named {
  readonly name: string
  readonly place: string
}

function whyNot(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
