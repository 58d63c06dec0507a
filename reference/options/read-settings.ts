import { serverConfig as isValid } from '../../spec/generated/validators/server-config.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { type CorsOptions, type CorsOrigins, isOrigin } from '../cors.js'
import { explainInvalid, nameOf } from '../input/explain-invalid.js'
import { plainCopy } from '../input/plain-copy.js'
import type { ServerSettings } from './settings.js'

/**
 * A copy of the settings of a server, which the schema and the checks across its fields have found valid.
 * @throws AssayError `bad-option` naming what is wrong, without its value
 */
export function readSettings<T>(given: unknown): T {
  const copy = plainCopy(given)
  const settings = copy === 'too deep' ? undefined : copy.value
  if (!isValid(settings)) throw badOption(explainInvalid(isValid.errors ?? [], 'the options'))
  // The schema says what it is.
  const valid = settings as T
  for (const { pointer, message } of crossFieldChecks(valid as CheckedSettings))
    throw badOption(`${nameOf(pointer)}: ${message}`)
  return valid
}

export function badOption(message: string, cause?: unknown): AssayError {
  return new AssayError('bad-option', message, { cause })
}

export interface CheckedSettings
  extends Pick<ServerSettings, 'accounts' | 'providers' | 'tokens' | 'refreshTokens'> {
  readonly cors?: CorsOrigins | CorsOptions
}

/** What is wrong, and where. */
export interface SettingsProblem {
  readonly pointer: string
  readonly message: string
}

/** What a schema cannot say of settings that it has found valid. */
export function* crossFieldChecks(settings: CheckedSettings): Generator<SettingsProblem> {
  const { accounts = [], providers = [], cors = [] } = settings
  const { origins, credentials = false } =
    typeof cors === 'object' && 'origins' in cors ? cors : { origins: cors }
  yield* repeated(
    accounts.map(({ userName }, index) => [`/accounts/${index}/userName`, userName]),
    'user name',
  )
  yield* repeated(
    accounts.flatMap(({ externalLogins = [] }, index) =>
      externalLogins.map(
        ({ provider, subject }, at): Named => [
          `/accounts/${index}/externalLogins/${at}`,
          JSON.stringify([provider, subject]),
        ],
      ),
    ),
    'sign-in',
  )
  yield* repeated(
    accounts.flatMap(({ accessToken }, index): readonly Named[] =>
      accessToken === undefined ? [] : [[`/accounts/${index}/accessToken`, accessToken]],
    ),
    'access token',
  )
  yield* repeated(
    providers.map(({ name }, index) => [`/providers/${index}/name`, name]),
    'provider',
  )
  for (const [index, { tokenEndpoint, userInfoEndpoint, redirectUri }] of providers.entries())
    for (const [name, url] of Object.entries({ tokenEndpoint, userInfoEndpoint, redirectUri }))
      if (url !== undefined && !URL.canParse(url))
        yield {
          pointer: `/providers/${index}/${name}`,
          message: 'expected a URL, found what cannot be read as one',
        }
  yield* unusedSettings(settings)
  if (credentials && origins === '*')
    yield {
      pointer: '/cors/credentials',
      message: 'expected the origins by name, found *: browsers refuse credentials with it',
    }
  for (const [index, origin] of origins === '*' ? [] : origins.entries())
    if (!isOrigin(origin.replace(/\/$/, '')))
      yield {
        pointer: `/cors${origins === cors ? '' : '/origins'}/${index}`,
        message: 'expected an origin as browsers send it, without a usual port or a path',
      }
}

/** What would have no effect, and was hardly meant. */
function* unusedSettings({ tokens, refreshTokens }: CheckedSettings): Generator<SettingsProblem> {
  if (tokens?.kind === 'opaque' && tokens.keys !== undefined)
    yield { pointer: '/tokens/keys', message: 'expected no keys: only signed tokens have them' }
  if (typeof refreshTokens === 'object' && refreshTokens.oneTime === false && refreshTokens.reuseDetection)
    yield {
      pointer: '/refreshTokens/reuseDetection',
      message: 'expected false: without oneTime a refresh token may be used again',
    }
}

type Named = readonly [pointer: string, name: string]

function* repeated(names: readonly Named[], what: string): Generator<SettingsProblem> {
  const seen = new Set<string>()
  for (const [pointer, name] of names) {
    if (seen.has(name)) yield { pointer, message: `expected each ${what} once, found one a second time` }
    seen.add(name)
  }
}
