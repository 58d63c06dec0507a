import {
  type ReferenceServer,
  type ReferenceServerOptions,
  startReferenceServer,
} from '../reference/server.js'
import { AssayError } from '../spec/assay-error.js'
import { describeFlags, type Flags, integerOf, readArguments } from './arguments.js'
import type { Command } from './command.js'

const FLAGS = {
  host: { value: 'HOST', help: 'address to listen at (default: 127.0.0.1)' },
  port: { value: 'N', help: 'port; 0 takes a free one (default: 5000)' },
  'base-path': { value: 'PATH', help: 'path that comes before /Token' },
  'user-name': { value: 'NAME', help: 'an account; its password comes from TOKEN_ASSAY_PASSWORD' },
  'user-id': { value: 'ID', help: "the account's userId (default: a UUID)" },
  'token-lifetime': { value: 'S', help: 'seconds that a token lives (default: 1209600, 14 days)' },
  'includes-user-id': { help: 'add userId to the token response' },
  hashing: { value: 'KIND', help: 'argon2id (default), or fast: for tests alone' },
  mutant: { value: 'ID', help: 'one that is wrong on purpose (`list mutants`), to see a gate go red' },
} as const satisfies Flags

export const serveCommand: Command = {
  usage: `Usage: token-assay serve [flags]

Serves the reference server: POST /Token as specified, accounts in memory. Its base URL
is the first line on standard output. SIGINT and SIGTERM end it with exit code 0.

${describeFlags(FLAGS)}
`,
  execute: serve,
}

async function serve(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  const [surplus] = args.positionals
  if (surplus !== undefined) throw new AssayError('usage', 'serve takes flags only: --port N, --host HOST')
  const hashing = args.one('hashing') ?? 'argon2id'
  if (hashing !== 'argon2id' && hashing !== 'fast')
    throw new AssayError('usage', `--hashing takes argon2id or fast, not \`${hashing}\``)
  const tokenLifetime = integerOf('token-lifetime', args.one('token-lifetime'), 1, 3_155_760_000)
  const host = args.one('host')
  const basePath = args.one('base-path')
  const mutant = args.one('mutant')
  const server = await listen({
    ...(mutant === undefined ? {} : await mutantOptions(mutant)),
    hashing,
    port: integerOf('port', args.one('port'), 0, 65_535) ?? 5000,
    accounts: accountsOf(args.one('user-name'), args.one('user-id')),
    ...(args.on('includes-user-id') ? { includesUserId: true } : {}),
    log: (line) => process.stderr.write(`${JSON.stringify(line)}\n`),
    ...(host === undefined ? {} : { host }),
    ...(basePath === undefined ? {} : { basePath }),
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
  })
  process.stdout.write(`${server.url}\n`)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await server.close()
  return 0
}

/** The mutant under the settings that it shows under; flags come on top. Loaded on demand: few ask for one. */
async function mutantOptions(id: string): Promise<ReferenceServerOptions> {
  const { findMutant } = await import('./prove/subjects.js')
  const { settingsOf } = await import('./prove/proving-grounds.js')
  const { needs, sentence, violates, behaviour } = findMutant(id)
  const { policy, includesUserId, tokenLifetime } = settingsOf(needs)
  const declared = { includesUserId, tokenLifetime, policy }
  const message = `this server is wrong on purpose: ${sentence}`
  process.stderr.write(
    `${JSON.stringify({ level: 'warn', event: 'mutant', id, message, violates, declared })}\n`,
  )
  return { ...declared, behaviour: behaviour() }
}

function accountsOf(
  userName: string | undefined,
  userId: string | undefined,
): NonNullable<ReferenceServerOptions['accounts']> {
  if (userName === undefined) return []
  const password = process.env.TOKEN_ASSAY_PASSWORD
  if (password === undefined || password === '')
    throw new AssayError(
      'usage',
      "the account's password is expected in the environment variable TOKEN_ASSAY_PASSWORD",
    )
  return [{ userName, password, ...(userId === undefined ? {} : { userId }) }]
}

/** @throws AssayError `usage` where the address cannot be listened at, or an option will not do */
async function listen(options: ReferenceServerOptions): Promise<ReferenceServer> {
  try {
    return await startReferenceServer(options)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new AssayError('usage', `port ${options.port} is in use: --port 0 takes a free one`, { cause })
    if (code !== undefined || cause instanceof TypeError || cause instanceof RangeError)
      throw new AssayError('usage', `the server cannot be started: ${message}`, { cause })
    throw cause
  }
}
