import { send } from '../../../drivers/send/session/send.js'
import { openSession, type SentRequest } from '../../../drivers/send/session/session.js'
import { headerValues } from '../../../exchange/headers.js'
import { secret } from '../../../exchange/redactable-text.js'
import { presentToken } from '../cells/present-token.js'
import type { RehearsalStage } from '../cells/rehearsal-stage.js'
import type { Acceptor, Issuer } from '../declare/open-sides.js'
import { openChannel } from '../declare/open-sides.js'
import { grantsOf } from '../grants/grants-of.js'
import { issue } from '../grants/issue.js'
import { runFor } from '../grants/obtain-token.js'
import type { ObservedFact } from './observed-fact.js'

/** What each step of a page of another origin is answered: whether its code may read the answer. */
export async function observeOrigins(stage: RehearsalStage): Promise<void> {
  for (const origin of stage.origins)
    for (const issuer of stage.sides.issuers) {
      if (stage.run.signal.aborted) return
      await observeOrigin(stage, issuer, origin)
    }
}

async function observeOrigin(stage: RehearsalStage, issuer: Issuer, origin: string): Promise<void> {
  const { run, sides } = stage
  const header = ['Origin', origin] as const
  const deployment = {
    ...issuer.deployment,
    headers: [...issuer.deployment.headers, header],
    shownHeaders: [...(issuer.deployment.shownHeaders ?? []), header],
  }
  const session = openSession(run, deployment, undefined, () => undefined)
  const page: Issuer = { ...issuer, deployment, session }
  const note = (step: string, of: string, sent: SentRequest | undefined, side = issuer.role): void => {
    if (sent?.exchange.response !== undefined)
      stage.onFact({ ...factOf(step, origin, sent), of, side, accounts: deployment.accounts })
  }
  try {
    const refused = await send(runFor(session), {
      label: 'refused sign-in',
      template: { form: { grant_type: 'unsupported' } },
    })
    note('a refused sign-in', issuer.name, refused)
    for (const grant of grantsOf(deployment)) {
      const issued = await issue(page, grant)
      // Without a refresh token or a code, what was sent last is another step.
      const label = grant === 'refresh' ? 'refresh' : 'sign-in'
      note(STEPS[grant], issuer.name, issued.sent.filter((sent) => sent.label === label).at(-1))
      if ('problem' in issued || grant !== 'password') continue
      for (const acceptor of sides.acceptors.filter(
        ({ of, side, partOf }) =>
          side !== 'both' && of.includes(issuer.of) && (partOf ?? issuer.name) === issuer.name,
      )) {
        const away = { ...acceptor, channel: openChannel(acceptor, run, [header]) }
        note('the resource', acceptor.name, (await presentToken(page, away, issued.token)).sent)
        note('a preflight of the resource', acceptor.name, await preflight(page, away, issued.token))
        await away.channel.executor.close()
      }
    }
  } finally {
    await session.close()
  }
}

const STEPS = { password: 'the sign-in', refresh: 'a refresh', external: 'an external sign-in' } as const

/** What a browser asks before it sends a token. */
async function preflight(
  { session }: Issuer,
  { channel, resource }: Acceptor,
  token: string,
): Promise<SentRequest> {
  const { method, path = '/' } = resource.request
  return send(runFor(session), {
    label: 'preflight',
    template: {
      method: 'OPTIONS',
      path,
      headers: {
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization',
      },
    },
    // It is part of some paths.
    bindings: { token: secret(token, 'token') },
    byTarget: true,
    through: channel,
  })
}

function factOf(step: string, origin: string, sent: SentRequest) {
  const headers = sent.exchange.response?.headers ?? []
  // Browsers join several lines, and refuse what is not one origin.
  const allowed = headerValues(headers, 'access-control-allow-origin').join(', ')
  const isPreflight = sent.label === 'preflight'
  const listed = headerValues(headers, 'access-control-allow-headers')
    .join()
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const isAllowed =
    (allowed === '*' || allowed === origin) &&
    (!isPreflight || ((sent.exchange.response?.status ?? 0) < 300 && listed.includes('authorization')))
  return {
    about: 'cors' as const,
    like: `${step}, ${origin}`,
    faults: isAllowed ? [] : ['not allowed'],
    otherwise: 'allowed',
    sent: [sent],
    earlier: [],
  } satisfies Partial<ObservedFact>
}
