import type { Lesson } from './learn-from-token.js'
import type { Ask } from './probe-client.js'

/** Where the project template of ASP.NET Web API 2 registers accounts. */
export const KATANA_REGISTRATION = '/api/Account/Register'

/** The usual paths for registration and for sign-in through a provider. No other path is tried. */
const PATHS = {
  registrationPath: ['/accounts', '/api/accounts', KATANA_REGISTRATION, '/register', '/users'],
  externalLoginPath: ['/external-login', '/api/Account/ExternalLogin'],
} as const

/** No service has this path, so the answer shows how the service answers for unknown paths. */
const UNKNOWN_PATH = '/no-such-path-of-token-assay'

/** Whether anything answers at the usual paths. OPTIONS is safe, and asks for no data (RFC 9110 9.3.7). */
export async function findPaths(ask: Ask): Promise<Lesson> {
  const statusAt = async (path: string): Promise<number | undefined> => {
    const answer = await ask({ method: 'OPTIONS', path })
    return typeof answer === 'string' ? undefined : answer.status
  }
  const find = async (paths: readonly string[]): Promise<string | undefined> => {
    for (const path of paths) if (isThere(await statusAt(path))) return path
    return undefined
  }
  const unknown = await statusAt(UNKNOWN_PATH)
  if (unknown !== 404) {
    const why =
      unknown === undefined
        ? 'the service does not answer OPTIONS'
        : `the service answers OPTIONS with ${unknown} for unknown paths too`
    return { values: {}, lines: [`Cannot look for registration and external sign-in: ${why}.`] }
  }
  const registrationPath = await find(PATHS.registrationPath)
  const externalLoginPath = await find(PATHS.externalLoginPath)
  return {
    values: {
      ...(registrationPath === undefined ? {} : { registrationPath }),
      ...(externalLoginPath === undefined ? {} : { externalLoginPath }),
    },
    lines: [
      line('Registration', registrationPath, PATHS.registrationPath),
      line('External sign-in', externalLoginPath, PATHS.externalLoginPath),
    ],
  }
}

function isThere(status: number | undefined): boolean {
  return status !== undefined && status < 500 && ![404, 410, 429].includes(status)
}

function line(what: string, found: string | undefined, tried: readonly string[]): string {
  return found === undefined
    ? `${what}: not found (by OPTIONS) at ${tried.join(', ')}. If the service has it, declare its request.`
    : `${what}: the service answers at ${found}.`
}
