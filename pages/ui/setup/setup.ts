import {
  isQuestion,
  type LearntSettings,
  type Lesson,
} from '../../../conformance/drivers/send/probe/learn-from-token.js'
import { plainHttpWarnings, readBaseUrl } from '../../../conformance/target/check-target.js'
import type { Account, Deployment, Target } from '../../../conformance/target/deployment.js'
import { type Environment, variablesIn } from '../../../conformance/target/environment.js'
import { readTargetText } from '../../../conformance/target/target-file.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import { createRunLoads, type RunLoads } from './run-load.js'
import {
  changeTarget,
  followUrl,
  literal,
  newTarget,
  PASSWORD,
  readShape,
  type TargetChange,
  type TargetShape,
  UNSAVED,
} from './target-text.js'
import { trustStarts } from './trusted-starts.js'

/** What was found out about a service, and what only a person knows. */
export interface Findings extends Lesson {
  readonly warnings: readonly string[]
}

/** The target while it is set up: its text is the truth, and forms change it. */
export interface Setup {
  readonly text: () => string
  /** Where the text comes from, or was saved to. */
  readonly file: () => string
  readonly findings: () => Findings | undefined
  /** What the text says; empty where it cannot be read. */
  readonly shape: () => TargetShape
  /** Variables that the text names outside its commands, and that have no value. */
  readonly missing: () => readonly string[]
  /** Whether a value for the main account's password is there. */
  readonly hasPassword: () => boolean
  /** Asks the service what it can do, signing in once, and writes what it shows into the text. @throws AssayError */
  check(baseUrl: string, userName: string, password: string): Promise<void>
  /** @throws AssayError where the text cannot be a target, or names commands */
  setText(text: string): void
  change(changes: readonly TargetChange[]): void
  /** Keeps a value in memory, in place of an environment variable. */
  remember(name: string, value: string): void
  saved(file: string): void
  readonly load: RunLoads
  /** @throws AssayError for all that keeps the text from being a target */
  target(): Target
}

export interface SetupOptions {
  readonly environment: Environment
  /** The file that the user named, read: its commands are trusted, and the variables that it names. */
  readonly given?: { readonly file: string; readonly text: string } | undefined
  readonly probe: (baseUrl: string, account: Account | undefined) => Promise<Lesson>
}

/** Texts of a service that cannot be mistaken for something else in a file. */
const PLAIN = /^[\x21-\x7e]{1,256}$/

export function createSetup({ environment, given, probe }: SetupOptions): Setup {
  const memory = new Map<string, string>()
  let text = given?.text ?? ''
  let file = given?.file ?? UNSAVED
  let findings: Findings | undefined
  const starts = trustStarts({ file, text: given === undefined ? '{}' : text }, environment)
  // What a page makes of a target is not trusted with more than the file that the user named.
  const named = given === undefined ? [] : variablesIn(readShape(text, file))
  const readable = named.map((name) => [name, environment[name]] as const)

  const variables = (): Environment => Object.fromEntries([...readable, ...memory])
  const isSet = (name: string): boolean => (memory.get(name) ?? new Map(readable).get(name) ?? '') !== ''
  const shape = (): TargetShape => shapeOf(text, file)
  const setText = (next: string): void => {
    const named = followUrl(shape(), next)
    starts.check(readShape(named, file))
    text = named
  }
  const target = (): Target => {
    if (text === '') throw new AssayError('usage', 'There is nothing to test yet: set up a service first.')
    starts.check(readShape(text, file))
    return markTyped(starts.freeze(readTargetText(file, text, variables())), memory)
  }
  return {
    text: () => text,
    file: () => file,
    findings: () => findings,
    shape,
    missing: () => variablesIn(shape()).filter((name) => !isSet(name) && !starts.variables.includes(name)),
    hasPassword: () => writtenPassword(shape()) !== undefined || isSet(passwordVariable(shape())),
    async check(typedUrl, userName, password) {
      const baseUrl = checkTyped(typedUrl, userName)
      const variable = passwordVariable(shape())
      if (password !== '') memory.set(variable, password)
      // What is typed replaces what a file spells out, which is better a variable anyway.
      const written = password === '' ? writtenPassword(shape()) : undefined
      const known = written ?? variables()[variable] ?? ''
      if (known === '')
        throw new AssayError(
          'usage',
          `Password: type it. ${variable} is read from the environment only where the target file named it when the command began.`,
        )
      const { lines, ...found } = await probe(baseUrl, { userName, password: known })
      setText(
        changeTarget(text === '' ? newTarget(baseUrl, userName) : text, [
          [['baseUrl'], baseUrl],
          [['accounts', 0, 'userName'], literal(userName)],
          ...(written === undefined ? [[['accounts', 0, 'password'], `$\{${variable}}`] as const] : []),
          ...learntChanges(found.values),
        ]),
      )
      findings = {
        ...found,
        lines: lines.filter((line) => !isQuestion(line) && line !== found.problem),
        warnings: plainHttpWarnings([{ baseUrl, shownBaseUrl: baseUrl }]),
      }
    },
    setText,
    change: (changes) => setText(changeTarget(text, changes)),
    remember: (name, value) => void memory.set(name, value),
    saved: (to) => {
      file = to
    },
    load: createRunLoads(target),
    target,
  }
}

function shapeOf(text: string, file: string): TargetShape {
  try {
    return text === '' ? {} : readShape(text, file)
  } catch {
    return {}
  }
}

/** Of a password that was typed no message is to name the variable. */
function markTyped(target: Target, memory: ReadonlyMap<string, string>): Target {
  const ofAccount = (account: Account): Account =>
    memory.has(account.variable ?? '') ? { ...account, isTyped: true } : account
  const ofDeployment = (deployment: Deployment): Deployment => {
    const [main, ...others] = deployment.accounts
    return { ...deployment, accounts: [ofAccount(main), ...others.map(ofAccount)] }
  }
  const [first, ...others] = target.deployments
  return { ...target, deployments: [ofDeployment(first), ...others.map(ofDeployment)] }
}

/** @returns the base URL @throws AssayError */
function checkTyped(typedUrl: string, userName: string): string {
  const read = readBaseUrl(typedUrl.trim())
  if ('problem' in read) throw new AssayError('bad-base-url', `Base URL: ${read.problem}.`)
  if (userName === '') throw new AssayError('usage', 'User name: an account is needed to sign in.')
  return read.baseUrl
}

/** What the service shows and no one has to be asked about; whether `userId` is meant to be there is asked. */
function learntChanges({ clockSkew, tokenLifetime }: LearntSettings): readonly TargetChange[] {
  return [
    ...(clockSkew === undefined ? [] : [[['clockSkew'], clockSkew] as const]),
    ...(tokenLifetime === undefined ? [] : [[['tokenLifetime'], tokenLifetime] as const]),
  ]
}

/** What the page asked a person. */
export interface Answers {
  readonly includesUserId?: boolean | undefined
  readonly tokenLifetime?: number | undefined
}

/** The changes that the answers lead to. A `userId` that is meant to be there is compared from now on. */
export function answerChanges(
  { includesUserId, tokenLifetime }: Answers,
  { userId }: LearntSettings,
): readonly TargetChange[] {
  const known = includesUserId === true && userId !== undefined && PLAIN.test(userId)
  return [
    ...(includesUserId === undefined ? [] : [[['includesUserId'], includesUserId] as const]),
    ...(known ? [[['accounts', 0, 'userId'], literal(userId)] as const] : []),
    ...(tokenLifetime === undefined ? [] : [[['tokenLifetime'], tokenLifetime] as const]),
  ]
}

const VARIABLE = /^\$\{([A-Za-z_]\w*)\}$/

/** The variable of the main account's password: a new value replaces that one. */
function passwordVariable(shape: TargetShape): string {
  return VARIABLE.exec(passwordText(shape))?.[1] ?? PASSWORD
}

/** The main account's password where a file spells it out. */
function writtenPassword(shape: TargetShape): string | undefined {
  const text = passwordText(shape)
  return text === '' || text.includes('${') ? undefined : text
}

function passwordText({ accounts }: TargetShape): string {
  const first: Json | undefined = Array.isArray(accounts) ? accounts[0] : undefined
  const password = isMap(first) ? first.password : undefined
  return typeof password === 'string' ? password : ''
}
