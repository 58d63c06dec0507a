import type { SentRequest, Session } from '../../drivers/send/session/session.js'
import { FRESH_PASSWORD } from '../../target/accounts/fresh-account.js'

/** Near misses of a password are secret too. */
export function learnSecrets({ run: { redactor, nonce } }: Session, sent: readonly SentRequest[]): void {
  for (const { prepared } of sent) {
    for (const { value } of prepared.form ?? []) {
      const isSecret = value.wire !== value.shown && value.shown.startsWith('‹')
      // The suite's own password is no secret, and the label would name one account wherever it occurs.
      if (isSecret && !value.wire.startsWith(FRESH_PASSWORD))
        redactor.learn(value.wire, value.shown.replaceAll(nonce, '‹run›'))
    }
  }
}
