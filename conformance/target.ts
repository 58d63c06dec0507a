import { AssayError } from '../spec/assay-error.js'
import { target as validate } from '../spec/generated/validators/target.js'
import { type Finding, formatFindings, type Located } from '../spec/position.js'
import type { Json } from '../spec/types.js'
import { violations } from '../spec/validator.js'
import type { Deployment, Target } from './deployment.js'
import { readBaseUrl } from './target/base-url.js'
import { checkSettings } from './target/check-settings.js'
import { declaredSecrets } from './target/declared.js'
import { deploymentSources, type TargetOrigin } from './target/deployment-sources.js'
import type { Secret } from './target/environment.js'
import { isMap, mergePatch } from './target/merge-patch.js'
import { type DeploymentSource, resolveDeployment } from './target/resolve-deployment.js'
import type { TargetInput } from './target/target-input.js'

/**
 * Checks a target and fills in every default.
 * @throws AssayError `bad-target` listing everything that does not fit, `missing-file` for a TLS file
 */
export function resolveTarget(input: TargetInput, origin: TargetOrigin = {}): Target {
  const json = plain(input)
  const located = origin.positions ?? nowhere
  refuse(violations(validate, json, located))
  if (!isMap(json)) throw new TypeError('the schema lets maps alone pass')

  const sources = deploymentSources(json, origin, located)
  refuse(sources.flatMap(({ settings, located: at }) => violations(validate, settings, at)))
  refuse(sources.flatMap(({ settings, located: at }) => [...checkSettings(settings, at)]))

  const [first, ...others] = sources.map(resolveDeployment)
  // The schema asks for at least one.
  if (first === undefined) throw new TypeError('no deployment')
  const shown = isMap(origin.shown) ? origin.shown.name : input.name
  const shownUrl = isMap(first.declared) ? first.declared.baseUrl : undefined
  return {
    name: String(shown ?? shownUrl ?? first.baseUrl),
    deployments: [first, ...others],
    secrets: unique([...sources.flatMap(secretsOf), ...(origin.secrets ?? [])]),
    ...(isMap(json.deployments) &&
    Object.values(json.deployments).some((patch) => isMap(patch) && 'baseUrl' in patch)
      ? { ownBaseUrls: true }
      : {}),
  }
}

/**
 * The same target at another base URL, such as the one on the command line.
 * @throws AssayError `bad-base-url`, also where the target's deployments have base URLs of their own
 */
export function withBaseUrl(target: Target, url: string): Target {
  const read = readBaseUrl(url)
  if ('problem' in read) throw new AssayError('bad-base-url', `${read.problem}, found another text`)
  if (target.ownBaseUrls)
    throw new AssayError(
      'bad-base-url',
      'expected no base URL, since deployments of the target set their own',
    )
  const { baseUrl } = read
  const move = (deployment: Deployment): Deployment => ({
    ...deployment,
    baseUrl,
    declared: mergePatch(deployment.declared, { baseUrl }),
  })
  const [first, ...others] = target.deployments
  const named = isMap(first.declared) && target.name !== first.declared.baseUrl
  return { ...target, name: named ? target.name : baseUrl, deployments: [move(first), ...others.map(move)] }
}

const nowhere: Located = {
  at: (pointer) => ({ file: pointer === '' ? 'target' : `target at ${pointer}`, line: 0, column: 0 }),
  keyAt: (pointer) => nowhere.at(pointer),
}

/** A program may leave keys undefined; JSON has no such thing. */
function plain(input: TargetInput): Json {
  try {
    return JSON.parse(JSON.stringify(input) ?? 'null')
  } catch (cause) {
    throw new AssayError('bad-target', 'expected a target that is plain JSON data', { cause })
  }
}

function refuse(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  const messages = new Map(findings.map((finding) => [formatFindings([finding]), finding]))
  throw new AssayError('bad-target', formatFindings([...messages.values()]))
}

function secretsOf({ settings, shown }: DeploymentSource): readonly Secret[] {
  const shownAccounts = isMap(shown) && Array.isArray(shown.accounts) ? shown.accounts : []
  const names = shownAccounts.map((account: Json) => (isMap(account) ? String(account.userName) : ''))
  return declaredSecrets(settings.accounts ?? [], names, settings.headers ?? {})
}

/** The first label of a value counts: a password that came from the environment is still the password of somebody. */
function unique(secrets: readonly Secret[]): readonly Secret[] {
  return secrets.filter(({ value }, index) => secrets.findIndex((other) => other.value === value) === index)
}
