import { removeAccounts } from '../../conformance/drivers/send/session/clean-up.js'
import { toRemovable, usesPassword } from '../../conformance/drivers/send/session/left-account.js'
import { Redactor } from '../../conformance/evidence/redact.js'
import { isMadeUpEmail, isMadeUpName } from '../../conformance/target/accounts/fresh-account.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { withBaseUrl } from '../../conformance/target/target.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { count, firstFew } from '../../reports/formats/shared/phrase.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { groupBy } from '../../spec/model/items.js'
import type { LeftAccount } from '../../spec/model/report.js'
import { type Arguments, describeFlags, type Flags, readArguments } from '../shared/arguments.js'
import { type Command, EXIT } from '../shared/command.js'
import { TRUST_FLAGS } from '../shared/common-flags.js'
import { assertWritable } from '../shared/files.js'
import { print, say } from '../shared/print.js'
import { baseUrlOf, serviceWarnings, trustOf } from '../shared/service-arguments.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { findTargetFile, IMPLICIT_FILE } from '../shared/target-files.js'
import { type LeftAt, readLeft, takeOff } from './left-accounts.js'

/** Many accounts may take long: only so long without progress ends it. */
const IDLE_MS = 30_000

const FLAGS = {
  target: { value: 'FILE', help: `the target file of the run (default: ${IMPLICIT_FILE})` },
  ...TRUST_FLAGS,
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay clean-up FILE [base-url] [flags]

Removes the accounts that a run registered and could not remove. FILE is the
accounts-left.json in the folder of its report; the target file says how, in
registration.cleanUp. Names that are removed leave FILE, and FILE goes with the last one.
Give the base URL, --ca and --insecure if the run was given them. Nothing is sent to a
service that the target file does not name: accounts of others stay in FILE.

${describeFlags(FLAGS)}

Exit codes: 0 all are removed · 1 some stay · 2 misuse, nothing was sent
`,
  execute: cleanUp,
}

async function cleanUp(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  const [file, url] = args.positionals
  if (file === undefined || args.positionals.length > 2)
    throw new AssayError('usage', 'clean-up takes the accounts-left.json of a run, and may take a base URL')
  const all = readLeft(file)
  const target = targetOf(args, url)
  const places = all.map((row) => ({ row, at: placeOf(row, target) }))
  const listed = places.flatMap(({ row, at }) => (typeof at === 'string' ? [] : [{ row, deployment: at }]))
  const kept = keptLines(places, file)
  if (listed.length === 0 && kept.length > 0) throw new AssayError('usage', kept.join('\n'))
  const others = listed.flatMap(({ row }) => row.accounts.filter((account) => !isMadeUp(account)))
  assertWritable([file])
  // No declared account signs in.
  const services = listed.map(({ deployment }) => ({ ...deployment, accounts: [] }))
  for (const warning of new Set(serviceWarnings(services))) print(`warning: ${warning}`)
  using stop = onStopSignals(() => print('stopping; the names that stay are kept'))
  const redactor = new Redactor(target.secrets)
  let isDone = kept.length === 0 && others.length === 0
  for (const { row, deployment } of listed) {
    if (stop.signal.aborted) break
    const madeUp = { ...row, accounts: row.accounts.filter(isMadeUp) }
    const isEmpty = await removeListed(file, madeUp, deployment, redactor, stop.signal)
    isDone &&= isEmpty
  }
  const [other] = others
  if (other !== undefined)
    print(
      `${count(others.length, 'account')} not removed, because no run makes such names up: ${quoted(other.userName)}, ${quoted(other.email)}`,
    )
  for (const line of kept) print(line)
  return stop.exitCode() ?? (isDone ? EXIT.conformant : EXIT.nonconformant)
}

/** Removes the accounts of a row, and takes them off the list. @returns whether none stays */
async function removeListed(
  file: string,
  row: LeftAt,
  deployment: Deployment,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<boolean> {
  const accounts = row.accounts.map((account) => ({ account, ...toRemovable(account, deployment) }))
  const { left, unknown, firstFailure } = await removeAccounts(deployment, accounts, signal, {
    idleMs: IDLE_MS,
  })
  const isRight = accounts.some((one) => isPlain(one.account) && !left.includes(one))
  const stay = left.filter((one) => !(isRight && unknown.includes(one) && isPlain(one.account)))
  const removed = count(row.accounts.length - stay.length, 'account')
  const rest =
    stay.length === 0
      ? ''
      : `; ${count(stay.length, 'account')} left (first ${redactor.text(firstFailure ?? '')})`
  say(`${deployment.shownBaseUrl}: ${removed} removed${rest}`)
  if (stay.length > 0 && stay.every((one) => unknown.includes(one)))
    print(`the service knows nothing of what is left: if it is gone, take it out of ${file}`)
  const names = new Set(row.accounts.map(({ userName }) => userName))
  for (const { account } of stay) names.delete(account.userName)
  // After each: what is removed is not asked for twice.
  takeOff(file, row, names)
  return stay.length === 0
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}

/** The list may come from anyone. */
function isMadeUp({ userName, email }: LeftAccount): boolean {
  // A service may register one without an address.
  return isMadeUpName(userName) && (email === '' || isMadeUpEmail(email))
}

/**
 * Where the request removes one such account, what is answered 404 for another is gone: a run may have been ended before its
 * removal was answered. The path to another name may lead elsewhere.
 */
function isPlain({ userName }: LeftAccount): boolean {
  return /^[a-z]+$/.test(userName)
}

function targetOf(args: Arguments<typeof FLAGS>, url: string | undefined): Target {
  const file = args.one('target') ?? findTargetFile()
  if (file === undefined)
    throw new AssayError(
      'usage',
      `there is no ${IMPLICIT_FILE} here: --target names the target file of the run`,
    )
  const target = loadTargetFile(file, process.env, trustOf(args))
  return url === undefined ? target : withBaseUrl(target, baseUrlOf(url))
}

/**
 * Where the accounts of a row are, or why they stay: nothing is sent to another service than that of the run. Deployments may
 * share a base URL and differ by a header, so the name counts, too.
 */
function placeOf({ deployment, baseUrl, accounts }: LeftAt, target: Target): Deployment | string {
  const found = target.deployments.find((one) => one.name === deployment && one.shownBaseUrl === baseUrl)
  if (found === undefined)
    return 'the target file has no such service: give that of their run, and the base URL if the run was given one'
  const request = found.registration?.cleanUp
  if (request === undefined)
    return 'the target file declares no `registration.cleanUp` for it: add the request that removes an account'
  if (usesPassword(request) && accounts.some(({ password }) => password === undefined))
    return '`registration.cleanUp` uses $password, which this file holds only where the run had that request'
  return found
}

/** A line for each reason why accounts stay. */
function keptLines(
  places: readonly { readonly row: LeftAt; readonly at: Deployment | string }[],
  file: string,
): readonly string[] {
  const kept = places.filter(({ row, at }) => typeof at === 'string' && row.accounts.length > 0)
  return [...groupBy(kept, ({ at }) => at)].map(([why, rows]) => {
    const accounts = rows.flatMap(({ row }) => row.accounts)
    const where = new Set(rows.map(({ row }) => `${quoted(row.deployment)} at ${quoted(row.baseUrl)}`))
    return `${count(accounts.length, 'account')} of ${firstFew([...where], 3)} not removed, but kept in ${file}: ${why}`
  })
}
