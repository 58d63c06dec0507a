import { badOption } from './read-settings.js'

/** The control plane: the methods of a server, for other processes. */
export interface ControlOptions {
  /** Every client that knows it may do everything: at least 16 characters of the printable ones of ASCII. */
  readonly secret: string
  /** Default 0: a free one. */
  readonly port?: number
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Whether `host` may be other than a loopback address. Default `false`. */
  readonly remote?: boolean
}

/** @throws AssayError `bad-option`, never quoting the secret */
export function checkControl(control: ControlOptions | undefined): ControlOptions | undefined {
  if (control === undefined) return undefined
  const { secret, host = '127.0.0.1', remote = false } = control
  if (!isSecret(secret))
    throw badOption('expected control.secret to be 16 to 1024 printable characters of ASCII, without spaces')
  if (!remote && !isLoopback(host))
    throw badOption(
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
