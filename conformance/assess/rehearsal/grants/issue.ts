import type { TokenGrant } from '../../../../spec/model/later-life.js'
import { signIn } from '../../../drivers/send/session/sign-in.js'
import type { Issuer } from '../declare/open-sides.js'
import { type NoToken, type ObtainedToken, runFor, signInWithPassword, tokenOf } from './obtain-token.js'
import { refreshed } from './refresh-token.js'

/** Asks an issuer for a token by a grant that it declares. Never throws for what is answered. */
export async function issue(issuer: Issuer, grant: TokenGrant): Promise<ObtainedToken | NoToken> {
  switch (grant) {
    case 'password':
      return signInWithPassword(issuer)
    case 'refresh':
      return refreshed(await signInWithPassword(issuer))
    case 'external':
      return signInOutside(issuer)
  }
}

async function signInOutside(issuer: Issuer): Promise<ObtainedToken | NoToken> {
  const { judged, shown } = await signIn(runFor(issuer.session), 'registered', 'sign-in')
  const { capture } = issuer.deployment.externalLogin?.prepare ?? {}
  const before = shown.slice(0, -1).map((sent) => ({ ...sent, ...(capture && { capture }) }))
  // What could not be prepared has a reason, and no answer that could have a token.
  const last = { ...judged, label: shown.at(-1)?.label ?? judged.label }
  return tokenOf(issuer, 'external', [...before, last], before)
}
