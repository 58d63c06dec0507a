import { AssayError } from '../../../spec/model/assay-error.js'
import { digest } from '../../../spec/model/digest.js'
import { groupBy } from '../../../spec/model/items.js'
import type { Specification } from '../../../spec/model/specification.js'
import { isTokenPath } from '../../judge/traffic/declared.js'
import { basePathOf } from '../../target/base-path.js'
import type { Deployment, Secret } from '../../target/deployment.js'
import { readHar } from './read-har.js'
import { recordedCase } from './recorded-case.js'
import { belowBase, type RecordedTemplate, recordedTemplate } from './recorded-template.js'
import { MIN_NAME, type RecordingScope } from './recorded-values.js'

/** What a recording adds to a run. */
export interface Recording {
  /** With a case or an observation for each distinct request. */
  readonly specification: Specification
  /** The passwords and user names that were recorded. */
  readonly secrets: readonly Secret[]
  /** Token requests that are sent, and how many of them differ. */
  readonly requests: number
  readonly distinct: number
  /** Headers and parameters that are not sent, by name. */
  readonly dropped: readonly string[]
  /** Those that are sent with a made-up value. */
  readonly changed: readonly string[]
  readonly leftOut: LeftOutEntries
}

type SendableRequest = RecordedTemplate & { readonly entry: number }
/** The entries that are not sent, by the reason. */
export type LeftOutEntries = ReadonlyMap<string, readonly number[]>

/** Each takes three requests at most. */
const MAX_DISTINCT = 200
const MAX_SECRETS = 1000
/** A path up to the part that is named so: what follows may be a token. */
const TOKEN_PATH = /^(?:\/[\w.-]{1,20}){0,5}?\/[a-z_-]{0,20}tokens?(?![^/])/i

/**
 * The specification with the token requests of a HAR file behind its own cases and observations, each distinct one once.
 * @param deployments those that a request may be for: it is found by the path below their base URLs
 * @throws AssayError `malformed-file` for a file that is no HAR file, `nothing-matches` where it has no token request that
 * can be sent, `usage` for too many
 */
export function withRecorded(
  base: Specification,
  file: string,
  text: string,
  deployments: readonly [Deployment, ...Deployment[]],
): Recording {
  const scope = scopeOf(deployments)
  const isToken = deployments.map((deployment) => isTokenPath(deployment))
  const isWanted = (path: string): boolean =>
    belowBase(path, scope) !== undefined && isToken.some((isOne) => isOne(path))
  const { requests, others } = readHar(file, text, isWanted)
  const sendable: SendableRequest[] = []
  const leftOut = new Map<string, readonly number[]>()
  for (const recorded of requests) {
    const { entry } = recorded
    const read = recordedTemplate(recorded, scope)
    if (typeof read === 'string') leftOut.set(read, [...(leftOut.get(read) ?? []), entry])
    else sendable.push({ ...read, entry })
  }
  const distinct = [...groupBy(sendable, ({ template }) => JSON.stringify(template)).values()]
  if (distinct.length === 0) throw nothingToSend(file, scope, others, leftOut)
  if (distinct.length > MAX_DISTINCT)
    throw new AssayError(
      'usage',
      `${file}: expected at most ${MAX_DISTINCT} distinct token requests, found ${distinct.length}`,
    )
  const service = { ...deployments[0], additionalGrantTypes: scope.grantTypes }
  const made = distinct.flatMap((same, index) => {
    const [first] = same
    const place = {
      number: index + 1,
      entry: first?.entry ?? 0,
      times: same.length,
      changed: first?.changed ?? new Set<string>(),
    }
    return first === undefined ? [] : recordedCase(base, first.template, service, place)
  })
  const cases = made.flatMap((one) => ('title' in one ? one : []))
  const observations = made.flatMap((one) => ('title' in one ? [] : one))
  const secrets = secretsOf(sendable, deployments)
  return {
    specification: {
      ...base,
      hash: `sha256:${digest([base.hash, cases, observations])}`,
      cases: [...base.cases, ...cases],
      observations: [...base.observations, ...observations],
    },
    secrets,
    requests: sendable.length,
    distinct: distinct.length,
    dropped: [...new Set(sendable.flatMap((one) => [...one.dropped]))],
    changed: [...new Set(sendable.flatMap((one) => [...one.changed]))],
    leftOut,
  }
}

function scopeOf(deployments: readonly Deployment[]): RecordingScope {
  const own = deployments.flatMap(({ tokenRequest }) => tokenRequest ?? [])
  const headers = [
    ...own.flatMap((declared) => Object.keys(declared.headers)),
    ...deployments.flatMap((deployment) => deployment.headers.map(([name]) => name)),
  ]
  return {
    basePaths: [...new Set(deployments.map(basePathOf))],
    tokenPath: own.find(({ path }) => path !== undefined)?.path ?? '/Token',
    parameters: new Set(own.flatMap(({ form }) => Object.keys(form))),
    headers: new Set(headers.map((name) => name.toLowerCase())),
    grantTypes: deployments.flatMap(({ additionalGrantTypes }) => additionalGrantTypes),
  }
}

/** Those of the file. What is declared has its own labels. */
function secretsOf(
  sendable: readonly SendableRequest[],
  deployments: readonly Deployment[],
): readonly Secret[] {
  const declared = new Set(
    deployments.flatMap(({ accounts }) => accounts.flatMap(({ userName, password }) => [userName, password])),
  )
  const labels = new Map<string, string>()
  for (const { passwords, userNames } of sendable) {
    for (const password of passwords) labels.set(password, 'recorded password')
    for (const name of userNames)
      if (name.length >= MIN_NAME && !labels.has(name)) labels.set(name, 'recorded user name')
  }
  const secrets = [...labels].flatMap(([value, label]) => (declared.has(value) ? [] : [{ value, label }]))
  return secrets.slice(0, MAX_SECRETS)
}

function nothingToSend(
  file: string,
  { basePaths, tokenPath }: RecordingScope,
  others: readonly URL[],
  leftOut: LeftOutEntries,
): AssayError {
  const [first] = leftOut
  if (first !== undefined) {
    const [why, [entry = 0]] = first
    return new AssayError('nothing-matches', `${file}: no token request can be sent: entry ${entry}: ${why}`)
  }
  const expected = basePaths.map((base) => base + tokenPath).join(' or ')
  const [near] = others.flatMap(({ pathname }) => TOKEN_PATH.exec(pathname)?.[0] ?? [])
  const hint = near === undefined ? '' : `; the nearest is to ${near}: is the path of the base URL right?`
  return new AssayError(
    'nothing-matches',
    `${file}: expected a request to ${expected}, found none among ${others.length}${hint}`,
  )
}
