import { AssayError } from '../../../../spec/model/assay-error.js'
import { PLAIN } from '../../../drivers/pair/probe.js'
import { LoginBudget } from '../../../drivers/send/session/budgets.js'
import { send } from '../../../drivers/send/session/send.js'
import { openSession, type Session } from '../../../drivers/send/session/session.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { secret } from '../../../exchange/redactable-text.js'
import type { CohortSettings, CutOverRole } from '../../../target/deployment.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import { runFor } from '../grants/obtain-token.js'
import { classesOf } from './account-class.js'
import { CohortCounter, type CohortTally, type LoginSides } from './cohort-tally.js'
import { type CohortAccount, readAccounts } from './read-accounts.js'
import { readPasswords } from './read-passwords.js'

/** Accounts that are tried at the same time. */
const BATCH = 8
/** So many logins without an answer end it. */
const MAX_UNANSWERED = 20

/** What came of a cohort. */
export interface CohortOutcome {
  readonly tally: CohortTally
  /** Accounts of which one side gave no answer. */
  readonly unanswered: number
  /** What kept the rest of it from being tried. */
  readonly stopped?: string
  /** The names of the accounts that log in on one side alone, by their place; kept only where they may be shown. */
  readonly names: ReadonlyMap<number, string>
}

export interface CohortOptions {
  /** Goes on behind these. */
  readonly before?: CohortTally | undefined
  readonly showsNames?: boolean
  /** Called now and then, with what is to be kept to go on from. */
  readonly onProgress?: (tally: CohortTally) => void
}

interface CohortLogin {
  readonly account: CohortAccount
  readonly userName: string
  readonly password: string
}

/** Signs in with every account of the cohort, on both sides. Takes the same memory however many there are. */
export async function runCohort(
  stage: RehearsalStage,
  settings: CohortSettings,
  { before, showsNames = false, onProgress }: CohortOptions = {},
): Promise<CohortOutcome> {
  const { run } = stage
  const sides = (['old', 'new'] as const).map((role) => sideOf(stage, role, settings))
  const counter = new CohortCounter(before)
  const names = new Map<number, string>()
  const earlier = before === undefined ? 0 : unansweredOf(before)
  const unanswered = (): number => unansweredOf(counter.tally())
  // Each account of a batch may fail.
  const size = (): number => Math.min(BATCH, ...sides.map(({ budget }) => budget.left))
  let stopped: string | undefined
  try {
    for await (const batch of batches(settings, before?.tried ?? 0, size, run.signal)) {
      const results = await Promise.all(batch.map((one) => tryAccount(sides, one)))
      for (const [index, result] of results.entries()) {
        const { account, userName, password } = batch[index] as CohortLogin
        // What was stopped is tried when it is gone on with.
        if (result === undefined && run.signal.aborted) break
        if (result === undefined) counter.skip()
        else counter.add(account.row, result, classesOf(userName, account.fields, password))
        if (showsNames && counter.isKept(account.row)) names.set(account.row, userName)
      }
      onProgress?.(counter.tally())
      stopped = explainStop(sides, unanswered() - earlier, run.signal)
      if (stopped !== undefined) break
    }
    stopped ??= explainNothing(counter.tally(), settings) ?? explainUnanswered(unanswered())
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    stopped = explainStop(sides, unanswered() - earlier, run.signal) ?? error.message
  } finally {
    await Promise.all(sides.map(({ session }) => session.close()))
  }
  return {
    tally: counter.tally(),
    unanswered: unanswered(),
    ...(stopped === undefined ? {} : { stopped }),
    names,
  }
}

interface CohortSide {
  readonly role: CutOverRole
  readonly session: Session
  readonly budget: LoginBudget
}

/** The first instance of a side, asked no more often than is allowed. */
function sideOf({ sides, run }: RehearsalStage, role: CutOverRole, settings: CohortSettings): CohortSide {
  const issuer = sides.issuers.find((one) => one.role === role)
  if (issuer === undefined) throw new TypeError(`no ${role} service`)
  const deployment = { ...issuer.deployment, maxRequestsPerSecond: settings.perSecond }
  return {
    role,
    session: openSession(run, deployment, undefined, () => undefined),
    budget: new LoginBudget(settings.maxFailedLogins),
  }
}

function explainStop(
  sides: readonly CohortSide[],
  unanswered: number,
  signal: AbortSignal,
): string | undefined {
  if (signal.aborted) return 'the rehearsal was stopped'
  if (unanswered >= MAX_UNANSWERED) return `${unanswered} logins were not answered`
  const spent = sides.find(({ budget }) => budget.left <= 0)
  const failures = spent?.budget.failures
  return (
    spent &&
    `${failures} ${failures === 1 ? 'login' : 'logins'} failed at ${spent.role}: declare a larger \`cohort.maxFailedLogins\` to go on`
  )
}

/** Why a cohort that was read to its end compares nothing, or too little: what neither side lets in shows wrong passwords. */
function explainNothing({ tried, all }: CohortTally, { shownFile }: CohortSettings): string | undefined {
  if (tried === 0) return `${shownFile}: it has no account`
  if (all.both + all.oldOnly === 0) return 'no account logs in at old, so nothing is compared'
  return all.neither > tried / 2
    ? `${all.neither} of ${tried} accounts log in at neither service, so little is compared: check their passwords`
    : undefined
}

/** Those of an earlier part, too: what is gone on with does not try them again. */
function unansweredOf({ tried, all }: CohortTally): number {
  return tried - all.both - all.oldOnly - all.newOnly - all.neither
}

/** What a service does not answer, as where it fails on a stored hash, is no account that logs in at both. */
function explainUnanswered(unanswered: number): string | undefined {
  const were = unanswered === 1 ? 'login was' : 'logins were'
  return unanswered === 0
    ? undefined
    : `${unanswered} ${were} not answered, so those accounts are not compared: run it again, without \`--resume\``
}

async function* batches(
  settings: CohortSettings,
  skipped: number,
  size: () => number,
  signal: AbortSignal,
): AsyncGenerator<readonly CohortLogin[]> {
  const passwords = readPasswords(settings, signal)
  let batch: CohortLogin[] = []
  try {
    for await (const account of readAccounts(settings.file)) {
      const { value: password } = await passwords.next()
      if (account.row <= skipped) continue
      const userName = account.fields[settings.userName]
      const malformed = (what: string): AssayError =>
        new AssayError('malformed-file', `${settings.shownFile}: account ${account.row}${what}`)
      if (userName === undefined || userName === '') throw malformed(` has no \`${settings.userName}\``)
      // In place of what could not be decoded.
      if (userName.includes('\ufffd'))
        throw malformed(': expected a user name in UTF-8, found another encoding')
      batch.push({ account, userName, password: String(password) })
      if (batch.length < size()) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  } finally {
    await passwords.return(undefined)
  }
}

/** Where it logs in; undefined where a side gave no answer. */
async function tryAccount(
  sides: readonly CohortSide[],
  candidate: CohortLogin,
): Promise<LoginSides | undefined> {
  const results = await Promise.all(sides.map((side) => logIn(side, candidate)))
  const [old, now] = results
  if (old === undefined || now === undefined) return undefined
  if (!old.isIn) return now.isIn ? 'newOnly' : 'neither'
  if (!now.isIn) return 'oldOnly'
  if (areOne(old.name, now.name)) return 'both'
  // One of them signs in another account. What logs in may be an address, which is no user name: then it is that of old.
  return now.name !== undefined && areOne(now.name, candidate.userName) ? 'newOnly' : 'oldOnly'
}

interface CohortAnswer {
  readonly isIn: boolean
  /** Whom the answer names. */
  readonly name?: string | undefined
}

/** A service may answer its own spelling of a user name, and leaving it out is a fault of another rule. */
function areOne(name: string | undefined, other: string | undefined): boolean {
  return name === undefined || other === undefined || name.toLowerCase() === other.toLowerCase()
}

async function logIn(
  { session, budget }: CohortSide,
  { account, userName, password }: CohortLogin,
): Promise<CohortAnswer | undefined> {
  const sent = await send(runFor(session), {
    label: 'cohort',
    template: PLAIN,
    bindings: {
      account: {
        userName: secret(userName, `user name of account ${account.row}`),
        password: secret(password, `password of account ${account.row}`),
      },
    },
  })
  const { response } = sent
  if (!(response instanceof HttpResponse) || response.status >= 500 || response.status === 429)
    return undefined
  // A token in a refusal or a redirection signs no client in.
  if (response.yieldsToken && response.status >= 200 && response.status <= 299) {
    const named = response.member('userName')?.value
    return { isIn: true, name: named?.kind === 'string' ? named.value : undefined }
  }
  budget.failed(1)
  return { isIn: false }
}
