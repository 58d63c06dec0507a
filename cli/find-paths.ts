import type { Ask } from './ask.js'
import type { Lesson } from './learn-from-token.js'

/** Where services usually register accounts, and sign users in through a provider. Closed: nothing else is tried. */
const PATHS = {
  registrationPath: ['/accounts', '/api/Account/Register', '/register', '/users'],
  externalLoginPath: ['/external-login', '/api/Account/ExternalLogin'],
} as const

/** Nobody serves this, so that its answer is what the service says of paths that there are not. */
const NOWHERE = '/no-such-path-of-token-assay'

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
  const nowhere = await statusAt(NOWHERE)
  if (nowhere !== 404) {
    const why =
      nowhere === undefined ? 'OPTIONS gets no answer' : `OPTIONS gets ${nowhere} where there is nothing`
    return { values: {}, lines: [`Registration and external sign-in cannot be found: ${why}.`] }
  }
  const registrationPath = await find(PATHS.registrationPath)
  const externalLoginPath = await find(PATHS.externalLoginPath)
  return {
    values: {
      ...(registrationPath === undefined ? {} : { registrationPath }),
      ...(externalLoginPath === undefined ? {} : { externalLoginPath }),
    },
    lines: [
      sentence('Registration', registrationPath, PATHS.registrationPath),
      sentence('External sign-in', externalLoginPath, PATHS.externalLoginPath),
    ],
  }
}

function isThere(status: number | undefined): boolean {
  return status !== undefined && status < 500 && ![404, 410, 429].includes(status)
}

function sentence(what: string, found: string | undefined, tried: readonly string[]): string {
  return found === undefined
    ? `${what}: nothing at ${tried.join(', ')}.`
    : `${what}: something answers at ${found}; complete that part of the file and take its marks away.`
}
