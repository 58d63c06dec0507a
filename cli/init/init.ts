import { existsSync, lstatSync } from 'node:fs'
import { KATANA_REGISTRATION } from '../../conformance/drivers/send/probe/find-paths.js'
import type { Lesson } from '../../conformance/drivers/send/probe/learn-from-token.js'
import { shellText } from '../../conformance/evidence/reproduce.js'
import { plainHttpWarnings } from '../../conformance/target/check-target.js'
import type { Account } from '../../conformance/target/deployment.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { describeFlags, type Flags, readArguments } from '../shared/arguments.js'
import type { Command } from '../shared/command.js'
import { assertWritable, writeAtomic, writeNew } from '../shared/files.js'
import { print, say } from '../shared/print.js'
import { baseUrlOf, PASSWORD } from '../shared/service-arguments.js'
import { IMPLICIT_FILE } from '../shared/target-files.js'
import { renderTargetFile, type TemplateValues } from './target-template.js'

const FLAGS = {
  out: { value: 'FILE', help: `file to write (default: ${IMPLICIT_FILE})` },
  force: { help: 'replace an existing file' },
  'user-name': { value: 'NAME', help: `the account to sign in with; its password comes from ${PASSWORD}` },
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay init [base-url] [flags]

Writes a target file with every key explained. With a base URL, it sends about ten
harmless requests to find out what the service can do; it registers no account. With
--user-name, it signs in once to find out more. The password is never written: the
file names the environment variable.

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
  // Further arguments are not repeated in the message: one may be a password.
  if (args.positionals.length > 1)
    throw new AssayError('usage', `init takes one base URL, found ${args.positionals.length} arguments`)
  const baseUrl = text === undefined ? undefined : baseUrlOf(text)
  const userName = args.one('user-name')
  const file = args.one('out') ?? IMPLICIT_FILE
  if (file.endsWith('.json'))
    throw new AssayError('usage', '--out takes the name of a YAML file: JSON has no comments')
  const account = baseUrl === undefined || userName === undefined ? undefined : accountOf(userName)
  assertWritable([file])
  // Not `existsSync`: a broken link exists too.
  if (!args.on('force') && lstatSync(file, { throwIfNoEntry: false })) throw existsAlready(file)

  const lesson = baseUrl === undefined ? undefined : await askService(baseUrl, account)
  const values = {
    ...EXAMPLE,
    ...(baseUrl === undefined ? {} : { name: new URL(baseUrl).host, baseUrl }),
    ...(userName === undefined ? {} : { userName }),
    ...lesson?.values,
  }
  write(file, renderTargetFile(values), args.on('force'))
  for (const line of lesson?.lines ?? []) say(line)
  const { registrationPath, externalLoginPath } = values
  const isKatana = registrationPath === KATANA_REGISTRATION
  if (isKatana)
    say(
      'That is the path of the project template of ASP.NET Web API 2: the file declares its registration, so a run registers accounts, and the grant types that Katana itself knows.',
    )
  const toFillIn = [
    ...(registrationPath === undefined || isKatana ? [] : ['registration']),
    ...(externalLoginPath === undefined ? [] : ['externalLogin']),
  ]
  if (toFillIn.length > 0) say(`Fill in ${toFillIn.join(' and ')} in the file, and uncomment it.`)
  say(`Wrote ${file}. Check it, then run:`)
  const target = file === IMPLICIT_FILE ? '' : ` --target ${shellText(file, new Map()).word}`
  say(`  ${PASSWORD}='…' token-assay run${target}`)
  return 0
}

function accountOf(userName: string): Account {
  const password = process.env[PASSWORD] ?? ''
  if (password !== '') return { userName, password }
  throw new AssayError('usage', `set the environment variable ${PASSWORD} to the account's password`)
}

async function askService(baseUrl: string, account: Account | undefined): Promise<Lesson> {
  if (account !== undefined)
    for (const warning of plainHttpWarnings([{ baseUrl, shownBaseUrl: baseUrl }]))
      print(`warning: ${warning}`)
  // Loaded on demand: a template alone needs no HTTP client.
  const { probeService } = await import('../../conformance/drivers/send/probe/probe-service.js')
  return probeService(baseUrl, account)
}

/** @throws AssayError where the file was created in the meantime */
function write(file: string, text: string, force: boolean): void {
  try {
    if (force) writeAtomic(file, text)
    else writeNew(file, text)
  } catch (cause) {
    if (cause instanceof AssayError) throw cause
    if (existsSync(file)) throw existsAlready(file)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('unwritable-file', `${file} cannot be written: ${why}`, { cause })
  }
}

function existsAlready(file: string): AssayError {
  return new AssayError(
    'unwritable-file',
    `${file} exists already: --force replaces it, --out names another file`,
  )
}
