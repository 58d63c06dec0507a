import { LISTED_POLICY } from '../../spec/model/policy.js'
import { type Behaviour, specifiedBehaviour } from '../behaviour.js'
import { type Clock, createClock } from '../clock.js'
import { type CorsOptions, type CorsOrigins, completeCors, withCors } from '../cors.js'
import { type LogSink, NO_LOG } from '../log.js'
import type { AccountPolicy } from '../policy.js'
import { completeRefreshTokens, type RefreshTokenOptions } from '../refresh-tokens.js'
import { checkTls, type TlsOptions } from '../tls/certificate.js'
import { checkFunctions } from './check-functions.js'
import { type ControlOptions, checkControl } from './control-options.js'
import { badOption, readSettings } from './read-settings.js'
import { defaultSettings, type Limits, type ServerSettings } from './settings.js'

/** How a reference server is started; everything has a default. */
export interface ReferenceServerOptions extends ServerSettings {
  /** Default: plain HTTP. */
  readonly tls?: TlsOptions
  /** Default: no page of another origin may read an answer. */
  readonly cors?: CorsOptions
  /** Opens the same methods that this server has to other processes. Default: none. */
  readonly control?: ControlOptions | undefined
  /** Gives the options anew, for `reload` and `POST /settings/reload`. Default: there is nothing to read again. */
  readonly reload?: () => ReferenceServerOptions | Promise<ReferenceServerOptions>
  /** Decisions to be made otherwise than the specification asks. */
  readonly behaviour?: Partial<Behaviour>
  readonly clock?: Clock
  /** Receives structured lines without secrets. Default: none. */
  readonly log?: LogSink
}

/** The options with every default filled in. */
export type FullOptions = Required<
  Omit<ServerSettings, 'policy' | 'limits' | 'publicUrl' | 'protectedResource' | 'refreshTokens'>
> & {
  readonly publicUrl: string | undefined
  /** Their paths. */
  readonly protectedResource: readonly string[]
  readonly refreshTokens: Required<RefreshTokenOptions> | undefined
  readonly policy: AccountPolicy
  readonly limits: Limits
  readonly tls: TlsOptions | undefined
  readonly control: ControlOptions | undefined
  readonly cors: Required<CorsOptions> | undefined
  readonly behaviour: Behaviour
  readonly clock: Clock
  readonly log: LogSink
  readonly reload: ReferenceServerOptions['reload']
}

/**
 * Fills in the defaults.
 * @throws AssayError `bad-option` naming the option that is not usable
 */
export function completeOptions(options: ReferenceServerOptions): FullOptions {
  if (typeof options !== 'object' || options === null) throw badOption('expected the options to be an object')
  checkFunctions(options)
  const { tls, cors, control, behaviour: overrides, clock, log, reload, ...others } = options
  // An absent list of origins is not the absence of `cors`.
  const { origins = null, ...more } = typeof cors === 'object' && cors !== null ? cors : {}
  const whole = Object.keys(more).length === 0 ? origins : { origins, ...more }
  const settings = readSettings<ServerSettings & { readonly cors?: CorsOrigins | CorsOptions }>({
    ...others,
    cors: cors === undefined ? undefined : whole,
    control,
  })
  const behaviour = { ...specifiedBehaviour, ...overrides }
  const {
    basePath = '',
    policy,
    limits,
    publicUrl,
    protectedResource = false,
    refreshTokens = false,
  } = settings
  const resources =
    typeof protectedResource === 'boolean' ? ['/me'].filter(() => protectedResource) : protectedResource
  const inForce = settings.cors === undefined ? undefined : completeCors(settings.cors, resources.length > 0)
  return {
    ...defaultSettings,
    ...settings,
    protectedResource: resources,
    refreshTokens: completeRefreshTokens(refreshTokens),
    basePath: basePath.replace(/\/$/, ''),
    policy: { ...LISTED_POLICY, ...policy },
    limits: { ...defaultSettings.limits, ...limits },
    tls: checkTls(tls),
    control: checkControl(control),
    publicUrl: publicUrl?.replace(/\/$/, ''),
    cors: inForce,
    behaviour: inForce === undefined ? behaviour : withCors(behaviour, inForce),
    clock: clock ?? createClock(),
    log: log ?? NO_LOG,
    reload,
  }
}
