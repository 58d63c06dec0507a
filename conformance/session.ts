import type { Case, RequestTemplate } from '../spec/types.js'
import type { CheckContext } from './checks/finding.js'
import { unmetCondition } from './condition.js'
import type { Account, Deployment } from './deployment.js'
import type { Exchange } from './exchange.js'
import type { Executor } from './execute.js'
import { accountBinding } from './generators/accounts.js'
import type { Scope } from './generators/generator.js'
import { answerOf, type JudgeContext } from './judge.js'
import type { Redactor } from './redact.js'
import { type Bindings, type PreparedRequest, prepareRequest } from './template.js'
import { Answer } from './wire/answer.js'

/** One request of a case, what came back, and for whom it was. */
export interface Sent {
  /** The step's name, or `control`. */
  readonly label: string
  readonly prepared: PreparedRequest
  readonly exchange: Exchange
  readonly answer: Answer | { readonly reason: string }
  /** The declared account whose name was sent. */
  readonly account: Account | undefined
}

/** The valid request that a negative case differs from by one change, sent for the same account. */
export interface Control {
  readonly sent: Sent
  /** Why it proves nothing, or undefined when it holds: it yields a token, whatever else is judged of it. */
  readonly broken: string | undefined
  readonly stopped: boolean
}

/** Hears of every answer that yields a token. */
export type TokenListener = (sent: Sent & { readonly answer: Answer }, caseId: string) => void

/** A deployment while it is being assessed. */
export interface Session {
  readonly deployment: Deployment
  readonly executor: Executor
  readonly redactor: Redactor
  readonly runNonce: string
  readonly strict: boolean
  /** The base URL's own path, without a trailing slash. */
  readonly basePath: string
  readonly onToken: TokenListener
  /** The accounts that were refused at the start, by user name, with that login. */
  readonly refusedAccounts: Map<string, Control>
  readonly wait: (ms: number) => Promise<void>
}

/** The account that a case uses: the main one, or the throw-away, which is the last declared. */
export function accountOf(session: Session, role: Case['account']): Account {
  const { accounts } = session.deployment
  return role === 'throwaway' ? (accounts.at(-1) ?? accounts[0]) : accounts[0]
}

export function scopeOf(session: Session, account: Account): Scope {
  return { deployment: session.deployment, account, runNonce: session.runNonce }
}

/** `$account`, and `$other`: another declared account, where there is one. */
export function accountBindings(session: Session, account: Account): Bindings {
  const { deployment } = session
  const other = deployment.accounts.find(({ userName }) => userName !== account.userName) ?? account
  return {
    account: accountBinding(account, { deployment }),
    other: accountBinding(other, { deployment }),
  }
}

/** Sends one filled-in template. Never throws for what the target does. */
export async function send(
  session: Session,
  caseId: string,
  label: string,
  template: RequestTemplate,
  bindings: Bindings,
  account: Account,
): Promise<Sent> {
  const prepared = prepareRequest(template, bindings, session.basePath)
  const exchange = await session.executor.send(prepared.wire)
  const answer = answerOf(exchange)
  const named = prepared.namesUser
    ? session.deployment.accounts.find(({ userName }) => userName === prepared.userName)
    : account
  const sent: Sent = { label, prepared, exchange, answer, account: named }
  if (answer instanceof Answer && answer.yieldsToken) session.onToken({ ...sent, answer }, caseId)
  return sent
}

/** What the expectations about `sent` are judged in. */
export function judgeContext(session: Session, sent: Sent, steps: readonly Sent[]): JudgeContext {
  const { deployment } = session
  const answer: CheckContext['answerOf'] = (name) => {
    const found = steps.find(({ label }) => label === name)?.answer
    return found instanceof Answer ? found : undefined
  }
  return {
    deployment,
    answerOf: answer,
    unmet: (condition) => unmetCondition(condition, deployment, session.strict),
    resolve: (text) => resolveReference(text, session, sent.account),
  }
}

function resolveReference(
  text: string,
  { deployment }: Session,
  account: Account | undefined,
): string | undefined {
  switch (text) {
    case '$target.tokenLifetime':
      return String(deployment.tokenLifetime)
    case '$account.userName':
      return account?.userName
    case '$account.userId':
      return account?.userId
    default:
      return text
  }
}
