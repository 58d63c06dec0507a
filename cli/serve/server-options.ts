import { dirname, resolve } from 'node:path'
import { type ControlOptions, isSecret } from '../../reference/options/control-options.js'
import type { ReferenceServerOptions } from '../../reference/options/options.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { type ServerConfig, variableOf } from './settings.js'

/**
 * What a configuration means to the server.
 * @param file where it was read: paths in it are relative to that
 * @throws AssayError `usage` for a control plane without a secret
 */
export function serverOptions(
  { tls, cors, log: _, control, ...config }: ServerConfig,
  file: string | undefined,
): ReferenceServerOptions {
  return {
    ...config,
    port: config.port ?? 5000,
    ...(tls !== undefined && { tls: tls === 'self-signed' ? tls : certificateFiles(tls, file) }),
    ...(cors !== undefined && {
      cors: typeof cors === 'object' && 'origins' in cors ? cors : { origins: cors },
    }),
    ...(control !== undefined && { control: controlOptions(control) }),
  }
}

/** @param file of the configuration */
export function certificateFiles(
  { cert, key }: Exclude<NonNullable<ServerConfig['tls']>, string>,
  file: string | undefined,
): { readonly certFile: string; readonly keyFile: string } {
  const path = (text: string): string => resolve(file === undefined ? '.' : dirname(file), text)
  return { certFile: path(cert), keyFile: path(key) }
}

function controlOptions({ secret, ...control }: NonNullable<ServerConfig['control']>): ControlOptions {
  if (secret === undefined)
    throw new AssayError(
      'usage',
      `the control plane needs a secret of 16 characters or more: in ${variableOf('control-secret')}, or as control.secret in server.yaml`,
    )
  // The file's has been looked at: this one comes from the environment.
  if (!isSecret(secret))
    throw new AssayError(
      'usage',
      `${variableOf('control-secret')} takes 16 to 1024 printable characters of ASCII, without spaces`,
    )
  return { ...control, secret }
}
