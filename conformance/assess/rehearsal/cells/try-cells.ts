import type { TokenGrant } from '../../../../spec/model/later-life.js'
import { obtainToken } from '../grants/obtain-token.js'
import { presented, withoutToken } from './cell-board.js'
import { presentToken } from './present-token.js'
import type { RehearsalStage } from './rehearsal-stage.js'

/** Presents a new token of every issuer and grant to every acceptor. */
export async function tryAtOnce({ run, sides, board }: RehearsalStage): Promise<void> {
  const grants: readonly TokenGrant[] = ['password']
  for (const issuer of sides.issuers)
    for (const grant of grants) {
      if (run.signal.aborted) return
      const obtained = await obtainToken(issuer, grant)
      for (const acceptor of sides.acceptors) {
        const place = { issuer, acceptor, when: 'at-once', grant } as const
        if ('problem' in obtained) board.set(place, withoutToken(obtained))
        else board.set(place, presented(obtained, await presentToken(issuer, acceptor, obtained.token)))
      }
    }
}
