import { AssayError } from '../../../../spec/model/assay-error.js'
import type {
  CutOverRole,
  Deployment,
  ProtectedResource,
  ShownBaseUrl,
  Target,
} from '../../../target/deployment.js'

/** One instance of a service, which issues tokens. */
export interface IssuingInstance {
  /** `new`, or `new#2` where it has several instances. */
  readonly name: string
  readonly role: CutOverRole
  /** The declared deployment. */
  readonly of: string
  /** The same at the base URL of the instance, under its name. */
  readonly deployment: Deployment
}

/** One instance of a resource, which accepts tokens. */
export interface AcceptingInstance {
  /** `new`, `new#2/orders`; of one that is behind both services the name of the resource. */
  readonly name: string
  readonly side: CutOverRole | 'both'
  /** The declared deployments that it is behind. */
  readonly of: readonly string[]
  readonly resource: ProtectedResource
  readonly base: ShownBaseUrl
  /** Whose certificates and time limits count. */
  readonly deployment: Deployment
  /** The instance of a service that it is a part of; absent where it has a base URL of its own. */
  readonly partOf?: string
}

/** Who issues tokens, and who accepts them. */
export interface PlannedSides {
  readonly issuers: readonly IssuingInstance[]
  readonly acceptors: readonly AcceptingInstance[]
}

/**
 * The instances of both services and of their resources, in the order of the file.
 * @throws AssayError `usage` where the target does not say what is old, what is new, or what accepts tokens
 */
export function planSides({ deployments }: Target): PlannedSides {
  const parts = deployments.flatMap((deployment) => {
    const role = deployment.rehearsal?.role
    return role === undefined ? [] : [{ deployment, role }]
  })
  for (const role of ['old', 'new'] as const)
    if (!parts.some((part) => part.role === role))
      throw new AssayError(
        'usage',
        `rehearse needs both services: declare a deployment named \`${role}\`, or one with \`role: ${role}\``,
      )
  const without = parts.find(({ deployment }) => (deployment.rehearsal?.resources ?? []).length === 0)
  if (without !== undefined)
    throw new AssayError(
      'usage',
      `rehearse needs a request that takes a token: declare a \`resource\` for ${without.deployment.name}, such as \`resource: { path: /me }\``,
    )
  const issuers = parts.flatMap(({ deployment, role }) => instancesOf(deployment, role))
  const acceptors = parts.flatMap(({ deployment, role }) => {
    const own = issuers.filter(({ of }) => of === deployment.name)
    return (deployment.rehearsal?.resources ?? []).flatMap((resource) =>
      acceptorsOf(resource, role, deployment, own),
    )
  })
  return { issuers, acceptors: joinShared(acceptors) }
}

function instancesOf(deployment: Deployment, role: CutOverRole): readonly IssuingInstance[] {
  const { name, baseUrl, shownBaseUrl, rehearsal } = deployment
  const bases = [{ baseUrl, shownBaseUrl }, ...(rehearsal?.instances ?? [])]
  return bases.map((base, index) => {
    const own = bases.length === 1 ? name : `${name}#${index + 1}`
    return { name: own, role, of: name, deployment: { ...deployment, ...base, name: own } }
  })
}

function acceptorsOf(
  resource: ProtectedResource,
  role: CutOverRole,
  deployment: Deployment,
  instances: readonly IssuingInstance[],
): readonly AcceptingInstance[] {
  const path = resource.name === undefined ? '' : `/${resource.name}`
  const common = { side: role, of: [deployment.name], resource, deployment }
  if (resource.baseUrls === undefined)
    return instances.map(({ name, deployment: { baseUrl, shownBaseUrl } }) => ({
      ...common,
      name: name + path,
      base: { baseUrl, shownBaseUrl },
      partOf: name,
    }))
  const { baseUrls } = resource
  return baseUrls.map((base, index) => ({
    ...common,
    name: `${deployment.name}${baseUrls.length === 1 ? '' : `#${index + 1}`}${path}`,
    base,
  }))
}

/** A resource that is declared alike for several deployments is one resource behind them all. */
function joinShared(acceptors: readonly AcceptingInstance[]): readonly AcceptingInstance[] {
  const byPlace = new Map<string, AcceptingInstance>()
  for (const acceptor of acceptors) {
    const { base, resource, partOf, side, of } = acceptor
    const key = JSON.stringify(partOf === undefined ? [base, resource] : [partOf, resource.name])
    const first = byPlace.get(key)
    if (first === undefined) byPlace.set(key, acceptor)
    else
      byPlace.set(key, {
        ...first,
        name: sharedName(acceptor),
        side: first.side === side ? side : 'both',
        of: [...first.of, ...of],
      })
  }
  return [...byPlace.values()]
}

function sharedName({ resource, base }: AcceptingInstance): string {
  const { name = 'resource', baseUrls = [] } = resource
  const index = baseUrls.findIndex(({ baseUrl }) => baseUrl === base.baseUrl)
  return baseUrls.length === 1 ? name : `${name}#${index + 1}`
}
