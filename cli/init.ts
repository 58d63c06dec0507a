import { existsSync, lstatSync, writeFileSync } from 'node:fs'
import type { Account } from '../conformance/deployment.js'
import { shellText } from '../conformance/evidence/shell-text.js'
import { readBaseUrl } from '../conformance/target/base-url.js'
import { resolveTarget } from '../conformance/target.js'
import { escapeForTerminal } from '../reports/escape.js'
import { AssayError } from '../spec/assay-error.js'
import { describeFlags, type Flags, readArguments } from './arguments.js'
import type { Command } from './command.js'
import type { Lesson } from './learn-from-token.js'
import { prepareFiles, writeWhole } from './output.js'
import { IMPLICIT_FILE, PASSWORD, plainHttpWarnings } from './run-target.js'
import { renderTargetFile, type TemplateValues } from './target-template.js'

const FLAGS = {
  out: { value: 'FILE', help: `the file to write (default: ${IMPLICIT_FILE})` },
  force: { help: 'replace a file that is there' },
  'user-name': { value: 'NAME', help: `the account; its password comes from ${PASSWORD}` },
} as const satisfies Flags

export const initCommand: Command = {
  usage: `Usage: token-assay init [base-url] [flags]

Writes a target file with every key explained. Given a base URL, asks the service what it
can do, in about ten harmless requests: no account is made. With --user-name, one login
tells more. The password is never written: the file names its environment variable.

${describeFlags(FLAGS)}
`,
  execute: init,
}

const EXAMPLE: TemplateValues = {
  name: 'The token service',
  baseUrl: 'http://127.0.0.1:5000',
  userName: 'alice',
}

async function init(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  const [text] = args.positionals
  // What is surplus is not repeated: it may be a password.
  if (args.positionals.length > 1)
    throw new AssayError('usage', `init takes one base URL, found ${args.positionals.length} arguments`)
  const baseUrl = text === undefined ? undefined : baseUrlOf(text)
  const userName = args.one('user-name')
  const file = args.one('out') ?? IMPLICIT_FILE
  if (file.endsWith('.json'))
    throw new AssayError('usage', '--out takes the name of a YAML file: JSON has no comments to explain it')
  const account = baseUrl === undefined || userName === undefined ? undefined : accountOf(userName)
  prepareFiles([file])
  // Not `existsSync`: a link that leads nowhere is there too.
  if (!args.on('force') && lstatSync(file, { throwIfNoEntry: false })) throw thereAlready(file)

  const lesson = baseUrl === undefined ? undefined : await askService(baseUrl, account)
  const values = {
    ...EXAMPLE,
    ...(baseUrl === undefined ? {} : { name: new URL(baseUrl).host, baseUrl }),
    ...(userName === undefined ? {} : { userName }),
    ...lesson?.values,
  }
  write(file, renderTargetFile(values), args.on('force'))
  for (const line of lesson?.lines ?? []) say(line)
  say(`Written: ${file}. Look through it, then:`)
  const target = file === IMPLICIT_FILE ? '' : ` --target ${shellText(file, new Map()).word}`
  say(`  ${PASSWORD}='…' npx token-assay run${target}`)
  return 0
}

function baseUrlOf(text: string): string {
  const read = readBaseUrl(text)
  // The text is not repeated: it may hold a password.
  if ('problem' in read) throw new AssayError('bad-base-url', `the base URL: ${read.problem}`)
  return read.baseUrl
}

function accountOf(userName: string): Account {
  const password = process.env[PASSWORD] ?? ''
  if (password !== '') return { userName, password }
  throw new AssayError('usage', `the account's password is expected in the environment variable ${PASSWORD}`)
}

async function askService(baseUrl: string, account: Account | undefined): Promise<Lesson> {
  if (account !== undefined)
    for (const warning of plainHttpWarnings(resolveTarget({ baseUrl, accounts: [account] })))
      process.stderr.write(`token-assay: warning: ${escapeForTerminal(warning)}\n`)
  // Loaded when there is somebody to ask: a template alone needs no HTTP client.
  const { probeService } = await import('./probe-service.js')
  return probeService(baseUrl, account)
}

/** @throws AssayError where the file has come into being since it was looked for */
function write(file: string, text: string, force: boolean): void {
  try {
    if (force) writeWhole(file, text)
    else writeFileSync(file, text, { flag: 'wx' })
  } catch (cause) {
    if (cause instanceof AssayError) throw cause
    if (existsSync(file)) throw thereAlready(file)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('unwritable-file', `${file} cannot be written: ${why}`, { cause })
  }
}

function thereAlready(file: string): AssayError {
  return new AssayError(
    'unwritable-file',
    `${file} is there already: --force replaces it, --out names another`,
  )
}

function say(line: string): void {
  process.stdout.write(`${escapeForTerminal(line)}\n`)
}
