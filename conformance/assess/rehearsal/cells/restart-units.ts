import type { Deployment, ShownBaseUrl, StartCommand } from '../../../target/deployment.js'
import type { StartedServices } from '../../../target/start-services.js'
import type { AcceptingInstance, IssuingInstance, PlannedSides } from '../declare/plan-sides.js'

/** What is restarted together. */
export interface RestartUnit {
  /** A deployment, or a resource with a base URL of its own. */
  readonly name: string
  readonly issues: (issuer: IssuingInstance) => boolean
  readonly accepts: (acceptor: AcceptingInstance) => boolean
  /** Resolves once it accepts connections again. @throws AssayError `start-failed` */
  readonly restart: () => Promise<void>
}

/** Restarts what listens at these base URLs. */
export type RunRestart = (command: StartCommand, baseUrls: readonly ShownBaseUrl[]) => Promise<void>

/**
 * What the target says how to restart, in the order of the file.
 * @param started the services of those that have `start`
 * @param replaced how to restart a unit, in place of what is declared, by its name
 */
export function restartUnits(
  { issuers, acceptors }: PlannedSides,
  deployments: readonly Deployment[],
  started: Pick<StartedServices, 'restart'>,
  run: RunRestart,
  replaced: ReadonlyMap<string, () => Promise<void>> = new Map(),
): readonly RestartUnit[] {
  const services = deployments.flatMap(({ name, rehearsal, start }): readonly RestartUnit[] => {
    const own = issuers.filter(({ of }) => of === name)
    const command = rehearsal?.restart
    const restart =
      replaced.get(name) ??
      (command !== undefined
        ? () =>
            run(
              command,
              own.map(({ deployment }) => deployment),
            )
        : start === undefined
          ? undefined
          : () => started.restart(name))
    if (own.length === 0 || restart === undefined) return []
    return [
      {
        name,
        issues: ({ of }) => of === name,
        accepts: ({ partOf }) => own.some((issuer) => issuer.name === partOf),
        restart,
      },
    ]
  })
  const separate = acceptors.filter(({ partOf }) => partOf === undefined)
  const names = new Set(separate.map(unitName))
  const resources = [...names].flatMap((name): readonly RestartUnit[] => {
    const own = separate.filter((acceptor) => unitName(acceptor) === name)
    const command = own[0]?.resource.restart
    const restart =
      replaced.get(name) ??
      (command &&
        (() =>
          run(
            command,
            own.map(({ base }) => base),
          )))
    // An acceptor that is open is another value, of the same name.
    const accepts = (acceptor: AcceptingInstance): boolean =>
      acceptor.partOf === undefined && unitName(acceptor) === name
    return restart === undefined ? [] : [{ name, issues: () => false, accepts, restart }]
  })
  return [...services, ...resources]
}

/** Without the number of its instance. */
function unitName({ name }: AcceptingInstance): string {
  return name.replace(/#\d+/, '')
}
