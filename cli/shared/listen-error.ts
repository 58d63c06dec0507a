import { AssayError } from '../../spec/model/assay-error.js'
import { exhausted } from './exhausted.js'

/**
 * One message where an address cannot be listened at; any other error as it is.
 * @param what cannot be started @param flagOf the flag that named the port
 */
export function listenError(
  cause: unknown,
  what: string,
  flagOf: (port: number | undefined) => string = () => '--port',
): unknown {
  if (!(cause instanceof Error) || cause instanceof AssayError || !('code' in cause)) return cause
  const { code, message, port } = cause as NodeJS.ErrnoException & { readonly port?: number }
  if (exhausted(cause) !== undefined) return cause
  const flag = flagOf(port)
  if (code === 'EADDRINUSE') {
    // One of macOS's own services listens where `serve` does by default.
    const holder = port === 5000 && process.platform === 'darwin' ? ', on macOS by AirPlay' : ''
    return misuse(`port ${port} is in use${holder}: ${flag} 0 takes a free one`, cause)
  }
  if (code === 'EACCES')
    return misuse(`port ${port} needs more rights: use ${flag} with one above 1023`, cause)
  return misuse(`${what} cannot be started: ${message}`, cause)
}

function misuse(message: string, cause: Error): AssayError {
  return new AssayError('usage', message, { cause })
}
