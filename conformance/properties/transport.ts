import { CaseError } from '../../spec/model/case-error.js'
import type { Judgement } from '../../spec/model/report.js'
import type { CaseRun } from '../drivers/send/session/case-run.js'
import type { CaseRecord } from '../drivers/send/session/session.js'
import { shakeHands } from '../drivers/send/transport/handshake.js'
import { isRemote } from '../target/check-target.js'
import type { Deployment } from '../target/deployment.js'
import { cantTell, type PropertyFinding } from './one-finding.js'

/** What each rule about the transport asks. */
const FINDINGS: Readonly<
  Record<string, (deployment: Deployment) => PropertyFinding | Promise<PropertyFinding>>
> = {
  'rfc6749:token-tls': usesTls,
  'security:transport-tls': usesTls,
  'security:transport-version': refusesOldVersions,
  'security:transport-certificate': hasTrustedCertificate,
}

/** Judges how the service is reached: no request is sent. */
export async function inspectTransport({ session, testCase }: CaseRun): Promise<CaseRecord> {
  const rules = testCase.steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))
  const judgements: Judgement[] = []
  for (const rule of rules) {
    const finding = FINDINGS[rule]
    if (finding === undefined) throw new CaseError(`transport knows no rule ${rule}`)
    judgements.push({ rule, ...(await finding(session.deployment)) })
  }
  return { judgements, sent: [], stopped: false }
}

const NO_HANDSHAKE = cantTell('the service does not answer a TLS handshake')
const PLAIN: PropertyFinding = {
  outcome: 'inapplicable',
  reason: 'the base URL is of plain http: there is no TLS',
}

function usesTls({ baseUrl, shownBaseUrl }: Deployment): PropertyFinding {
  if (new URL(baseUrl).protocol === 'https:') return { outcome: 'passed' }
  if (!isRemote(baseUrl))
    return { outcome: 'inapplicable', reason: 'plain http within one machine, which no one else can read' }
  return {
    outcome: 'failed',
    message: 'the base URL is of plain http: others on the network can read passwords and tokens',
    expected: 'https',
    actual: shownBaseUrl,
  }
}

async function refusesOldVersions({ baseUrl, tls }: Deployment): Promise<PropertyFinding> {
  if (new URL(baseUrl).protocol !== 'https:') return PLAIN
  const [now, old] = [await shakeHands(baseUrl, tls, false), await shakeHands(baseUrl, tls, true)]
  if (now.kind !== 'done') return NO_HANDSHAKE
  if (old.kind === 'refused') return { outcome: 'passed' }
  if (old.kind === 'failed') return cantTell(old.reason)
  return {
    outcome: 'failed',
    message: 'an old version of TLS is accepted',
    expected: 'TLS 1.2 or later',
    actual: old.protocol,
  }
}

async function hasTrustedCertificate({ baseUrl, tls }: Deployment): Promise<PropertyFinding> {
  if (new URL(baseUrl).protocol !== 'https:') return PLAIN
  const now = await shakeHands(baseUrl, tls, false)
  if (now.kind !== 'done') return NO_HANDSHAKE
  if (now.distrust === undefined) return { outcome: 'passed' }
  return {
    outcome: 'failed',
    message: 'the certificate is not trusted, neither by the system nor by the `tls.ca` that is declared',
    expected: 'a certificate that is valid, for this name, from a trusted authority',
    actual: now.distrust,
  }
}
