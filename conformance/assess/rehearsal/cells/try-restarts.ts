import { AssayError } from '../../../../spec/model/assay-error.js'
import type { TokenMoment } from '../../../../spec/model/later-life.js'
import { observeRenewal } from '../facts/renewal.js'
import { observeRevoked, type RevokedToken, revokeNew } from '../facts/revocation.js'
import { refreshTokenOf, renew } from '../grants/refresh-token.js'
import type { RehearsalStage } from './rehearsal-stage.js'
import type { RestartUnit } from './restart-units.js'
import { issueAll, type Obtained, presentAll } from './try-cells.js'

/** Restarts one after the other; each time tokens are issued before, and presented after. */
export async function tryRestarts(stage: RehearsalStage): Promise<void> {
  for (const unit of stage.units) {
    if (stage.run.signal.aborted) return
    await tryRestart(stage, unit)
  }
}

async function tryRestart(stage: RehearsalStage, unit: RestartUnit): Promise<void> {
  const { sides, onObstacle } = stage
  const isAcceptor = sides.acceptors.some(unit.accepts)
  const issuers = sides.issuers.filter((issuer) => isAcceptor || unit.issues(issuer))
  // Before the others: a sign-in, or the revocation, may end the session before.
  const revoked: RevokedToken[] = []
  for (const issuer of issuers)
    revoked.push(
      ...(await revokeNew(stage, issuer, (acceptor) => unit.issues(issuer) || unit.accepts(acceptor))),
    )
  const tokens = await issueAll(stage, issuers)
  try {
    await unit.restart()
  } catch (error) {
    if (!(error instanceof AssayError && error.code === 'start-failed')) throw error
    return onObstacle(error.message)
  }
  for (const obtained of tokens)
    await presentAll(stage, obtained, (acceptor): readonly TokenMoment[] => [
      ...(unit.issues(obtained.issuer) ? (['issuer-restarted'] as const) : []),
      ...(unit.accepts(acceptor) ? (['acceptor-restarted'] as const) : []),
    ])
  for (const token of revoked) await observeRevoked(stage, token, 'revoked-restarted')
  // A refresh may end the token that it renews.
  for (const obtained of tokens) await renewAfterRestart(stage, unit, obtained)
}

/** Those who hold only a refresh token stay signed in, or not. */
async function renewAfterRestart(
  stage: RehearsalStage,
  unit: RestartUnit,
  obtained: Obtained,
): Promise<void> {
  const { issuer, grant } = obtained
  const isHolder =
    grant === 'password' && unit.issues(issuer) && issuer.deployment.rehearsal?.refresh !== undefined
  const token = 'problem' in obtained || !isHolder ? undefined : refreshTokenOf(obtained)
  if (token === undefined) return
  const renewed = await renew(issuer, token)
  observeRenewal(stage, renewed, 'refresh-restarted', 'works after a restart', 'is refused after a restart')
}
