import { target as validate } from '../../spec/generated/validators/target.js'
import { type Finding, formatFindings, type Located } from '../../spec/load/position.js'
import { violations } from '../../spec/load/validator.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { isMap, type Json } from '../../spec/model/json.js'
import { checkRehearsal } from './check-rehearsal.js'
import { checkSettings, readBaseUrl } from './check-target.js'
import type { Deployment, Secret, Target } from './deployment.js'
import { headerSecrets } from './header-secrets.js'
import { mergeDeployments, mergePatch, type TargetOrigin } from './merge-deployments.js'
import { resolveDeployment } from './resolve-deployment.js'
import type { TargetInput } from './target-input.js'

/**
 * Checks a target and fills in every default.
 * @throws AssayError `bad-target` listing everything that does not fit, `missing-file` for a TLS file
 */
export function resolveTarget(input: TargetInput, origin: TargetOrigin = {}): Target {
  const json = plain(input)
  const located = origin.positions ?? nowhere
  const hidden = origin.secrets?.map(({ value }) => value)
  refuse(violations(validate, json, located, hidden))
  if (!isMap(json)) throw new TypeError('the schema lets maps alone pass')

  const sources = mergeDeployments(json, origin, located)
  refuse(sources.flatMap(({ settings, located: at }) => violations(validate, settings, at, hidden)))
  refuse(
    sources.flatMap(({ settings, located: at }) => [
      ...checkSettings(settings, at),
      ...checkRehearsal(settings, at),
    ]),
  )

  const resolved = sources.map(resolveDeployment)
  const [first, ...others] = resolved.map(({ secrets: _, ...deployment }) => deployment)
  // The schema asks for at least one.
  if (first === undefined) throw new TypeError('no deployment')
  const name = isMap(origin.shown) ? origin.shown.name : input.name
  const patches = isMap(json.deployments) ? Object.values(json.deployments) : []
  const parts = sources.flatMap(({ settings }) => headerSecrets(settings))
  return {
    name: String(name ?? declaredUrl(first) ?? first.baseUrl),
    deployments: [first, ...others],
    secrets: unique([...resolved.flatMap(({ secrets }) => secrets), ...(origin.secrets ?? []), ...parts]),
    ...(patches.some((patch) => isMap(patch) && 'baseUrl' in patch) ? { ownBaseUrls: true } : {}),
  }
}

/**
 * The same target at another base URL, such as the one on the command line.
 * @throws AssayError `bad-base-url`, also where the target's deployments have base URLs of their own
 */
export function withBaseUrl(target: Target, url: string): Target {
  if (target.ownBaseUrls)
    throw new AssayError(
      'bad-base-url',
      'expected no base URL, since deployments of the target set their own',
    )
  const [first, ...others] = target.deployments
  const moved = movedTo(first, url)
  const name = target.name === declaredUrl(first) ? moved.baseUrl : target.name
  return { ...target, name, deployments: [moved, ...others.map((other) => movedTo(other, url))] }
}

/** The same deployment at another base URL, as a second instance. @throws AssayError `bad-base-url` */
export function movedTo(deployment: Deployment, url: string): Deployment {
  const read = readBaseUrl(url)
  if ('problem' in read) throw new AssayError('bad-base-url', read.problem)
  const { baseUrl } = read
  return {
    ...deployment,
    baseUrl,
    shownBaseUrl: baseUrl,
    declared: mergePatch(deployment.declared, { baseUrl }),
  }
}

function declaredUrl({ declared }: Deployment): Json | undefined {
  return isMap(declared) ? declared.baseUrl : undefined
}

const nowhere: Located = {
  at: (pointer) => ({ file: pointer === '' ? 'target' : `target at ${pointer}`, line: 0, column: 0 }),
  keyAt: (pointer) => nowhere.at(pointer),
}

/** A program may leave keys undefined; JSON has no such thing. Of a `Map` or a function it would keep nothing. */
function plain(input: TargetInput): Json {
  const keep = (key: string, value: unknown): unknown => {
    const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
    if (/^(?:Object|Array|String|Number|Boolean|Null|Undefined)$/.test(kind)) return value
    throw new TypeError(`\`${key}\` is a ${kind}`)
  }
  try {
    return JSON.parse(JSON.stringify(input, keep) ?? 'null')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new AssayError('bad-target', `expected a target that is plain JSON data: ${why}`, { cause })
  }
}

function refuse(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  const messages = new Map(findings.map((finding) => [formatFindings([finding]), finding]))
  throw new AssayError('bad-target', formatFindings([...messages.values()]))
}

/** The first label of a value counts: a password that came from the environment is still an account's password. */
function unique(secrets: readonly Secret[]): readonly Secret[] {
  return secrets.filter(({ value }, index) => secrets.findIndex((other) => other.value === value) === index)
}
