import { checkHost, checkInteger } from '../options/check-options.js'

/** The control plane: the methods of a server, for other processes. */
export interface ControlOptions {
  /** Whoever knows it may do everything: at least 16 characters of the printable ones of ASCII. */
  readonly secret: string
  /** Default 0: a free one. */
  readonly port?: number
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Whether `host` may be other than a loopback address. Default `false`. */
  readonly remote?: boolean
}

/** @throws TypeError or RangeError naming the option that is not usable; never quoting the secret */
export function checkControl(control: ControlOptions | undefined): ControlOptions | undefined {
  if (control === undefined) return undefined
  // A program without types may give anything.
  const { secret, port = 0, host = '127.0.0.1', remote = false }: ControlOptions = Object(control)
  if (!isSecret(secret))
    throw new TypeError('control.secret must be 16 to 1024 printable characters of ASCII, without spaces')
  checkInteger('control.port', port, 0, 65_535)
  checkHost('control.host', host)
  if (!remote && !isLoopback(host))
    throw new TypeError(
      `control.host ${host} can be reached from other machines: to mean it, set control.remote (--control-remote)`,
    )
  return control
}

/** Whether it can be a secret at all. */
export function isSecret(secret: unknown): secret is string {
  return typeof secret === 'string' && /^[\x21-\x7e]{16,1024}$/.test(secret)
}

/** Whether only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
