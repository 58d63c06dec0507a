import { removeAccounts } from '../../conformance/drivers/send/session/clean-up.js'
import { toRemovable, usesPassword } from '../../conformance/drivers/send/session/left-account.js'
import { Redactor } from '../../conformance/evidence/redact.js'
import { isMadeUpEmail, isMadeUpName } from '../../conformance/target/accounts/fresh-account.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { withBaseUrl } from '../../conformance/target/target.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { count } from '../../reports/formats/shared/phrase.js'
import { AssayError } from '../../spec/model/assay-error.js'
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
Give the base URL, --ca and --insecure if the run was given them.

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
  // A comparison of two base URLs leaves accounts at both: the one that is given says which are meant.
  const there = all.filter(
    ({ baseUrl }) => url !== undefined && baseUrl === target.deployments[0].shownBaseUrl,
  )
  const listed = there.length === 0 ? all : there
  const rows = listed.map((row) => ({
    row: { ...row, accounts: row.accounts.filter(isMadeUp) },
    deployment: deploymentOf(row, target, file),
  }))
  const others = listed.flatMap(({ accounts }) => accounts.filter((account) => !isMadeUp(account)))
  assertWritable([file])
  // No declared account signs in.
  const services = target.deployments.map((deployment) => ({ ...deployment, accounts: [] }))
  for (const warning of serviceWarnings(services)) print(`warning: ${warning}`)
  using stop = onStopSignals(() => print('stopping; the names that stay are kept'))
  const redactor = new Redactor(target.secrets)
  let isDone = listed.length === all.length && others.length === 0
  for (const { row, deployment } of rows) {
    const accounts = row.accounts.map((account) => ({ account, ...toRemovable(account, deployment) }))
    const { left, unknown, firstFailure } = await removeAccounts(deployment, accounts, stop.signal)
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
    isDone &&= stay.length === 0
    const names = new Set(row.accounts.map(({ userName }) => userName))
    for (const { account } of stay) names.delete(account.userName)
    // After each: what is removed is not asked for twice.
    takeOff(file, row, names)
  }
  const [other] = others
  if (other !== undefined)
    print(
      `${count(others.length, 'account')} not removed, because no run makes such names up: ${JSON.stringify(other.userName.slice(0, 80))}, ${JSON.stringify(other.email.slice(0, 80))}`,
    )
  return stop.exitCode() ?? (isDone ? EXIT.conformant : EXIT.nonconformant)
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

/** Where the accounts of a row are: nothing is sent to another service than that of the run. */
function deploymentOf(
  { deployment: name, baseUrl, accounts }: LeftAt,
  target: Target,
  file: string,
): Deployment {
  const found = target.deployments.find((one) => one.name === name)
  const refuse = (why: string): AssayError => new AssayError('usage', `${file}: ${why}`)
  if (found === undefined) throw refuse(`the target file has no deployment ${name}`)
  if (found.shownBaseUrl !== baseUrl)
    throw refuse(
      `the accounts are at ${baseUrl}, and the target file is for ${found.shownBaseUrl}: give the base URL after FILE`,
    )
  const request = found.registration?.cleanUp
  if (request === undefined)
    throw refuse(
      'the target file declares no `registration.cleanUp`: add the request that removes an account',
    )
  if (usesPassword(request) && accounts.some(({ password }) => password === undefined))
    throw refuse(
      '`registration.cleanUp` uses $password, which this file holds only where the run had that request',
    )
  return found
}
