import type { TokenMoment } from '../../../../spec/model/later-life.js'
import type { Acceptor, Issuer } from '../declare/open-sides.js'
import { grantsOf } from '../grants/grants-of.js'
import { issue } from '../grants/issue.js'
import type { NoToken, ObtainedToken } from '../grants/obtain-token.js'
import { presented, withoutToken } from './cell-board.js'
import { presentToken } from './present-token.js'
import type { RehearsalStage } from './rehearsal-stage.js'

export type Obtained = ObtainedToken | NoToken

/** Presents a new token of every issuer and grant to every acceptor. */
export async function tryAtOnce(stage: RehearsalStage): Promise<void> {
  for (const obtained of await issueAll(stage, stage.sides.issuers))
    await presentAll(stage, obtained, () => ['at-once'])
}

/** A token of each of these issuers by each of its grants. */
export async function issueAll(
  { run }: RehearsalStage,
  issuers: readonly Issuer[],
): Promise<readonly Obtained[]> {
  const obtained: Obtained[] = []
  for (const issuer of issuers)
    for (const grant of grantsOf(issuer.deployment)) {
      if (run.signal.aborted) return obtained
      obtained.push(await issue(issuer, grant))
    }
  return obtained
}

/** Presents a token to every acceptor. @param momentsAt the cells that the answer of an acceptor is for; none: it is not asked */
export async function presentAll(
  { run, sides, board }: RehearsalStage,
  obtained: Obtained,
  momentsAt: (acceptor: Acceptor) => readonly TokenMoment[],
): Promise<void> {
  const { issuer, grant } = obtained
  for (const acceptor of sides.acceptors) {
    const moments = momentsAt(acceptor)
    if (moments.length === 0) continue
    if (run.signal.aborted) return
    const observed =
      'problem' in obtained
        ? withoutToken(obtained)
        : presented(obtained, await presentToken(issuer, acceptor, obtained.token))
    for (const when of moments) board.set({ issuer, acceptor, when, grant }, observed)
  }
}
