import type { CaseRun } from '../drivers/send/session/case-run.js'
import { baseBindings } from '../drivers/send/session/case-run.js'
import { send } from '../drivers/send/session/send.js'
import type { CaseRecord, SentRequest } from '../drivers/send/session/session.js'
import { ownCopy } from '../evidence/own-copy.js'
import { HttpResponse, textIn } from '../exchange/http-response.js'
import { oneFinding, stopped } from './one-finding.js'
import { judgeTokens } from './token-bits.js'

/** Tokens for each of `--runs`. */
const PER_RUN = 2
const MIN_TOKENS = 100
const MAX_TOKENS = 1000
const MAX_SHOWN = 3
/** Characters: longer ones are not kept, which would take a gigabyte of them. */
const MAX_LENGTH = 8192

/** Asks for one token after the other, and looks how much of them could be foreseen. */
export async function collectTokens(run: CaseRun): Promise<CaseRecord> {
  const tokens: string[] = []
  const shown: SentRequest[] = []
  const wanted = Math.min(MAX_TOKENS, Math.max(MIN_TOKENS, run.runs * PER_RUN))
  let trouble: string | undefined
  while (tokens.length < wanted && trouble === undefined) {
    const sent = await send(run, {
      label: 'login',
      template: {
        form: { grant_type: 'password', username: '$account.userName', password: '$account.password' },
      },
      bindings: baseBindings(run, run.testCase.steps),
    })
    if (sent.exchange.failure?.kind === 'stopped') return stopped(shown)
    if (shown.length < MAX_SHOWN) shown.push(sent)
    const { response } = sent
    const token = textIn(response, 'access_token')
    if (token === undefined)
      trouble =
        response instanceof HttpResponse ? `a login was refused (${response.status})` : response.reason
    else if (token.length > MAX_LENGTH)
      trouble = `tokens of more than ${MAX_LENGTH} characters are not compared`
    else tokens.push(ownCopy(token))
  }
  const finding = judgeTokens(tokens, trouble)
  return oneFinding(run, shown, finding, tokens.length)
}
