import type { ComparedService } from '../../conformance/assess/differential/ask/service-side.js'
import type { Target } from '../../conformance/target/deployment.js'
import { movedTo, resolveTarget, withBaseUrl } from '../../conformance/target/target.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { baseUrlOf, type ServiceArguments, serviceWarnings, settingsOf } from '../shared/service-arguments.js'
import { findTargetFile } from '../shared/target-files.js'

export interface SideArguments extends ServiceArguments {
  readonly one: (
    name: Parameters<ServiceArguments['one']>[0] | 'target' | 'old' | 'new' | 'old-again',
  ) => string | undefined
}

export interface ChosenSides {
  readonly old: ComparedService
  readonly new: ComparedService
  readonly again?: ComparedService
  readonly warnings: readonly string[]
}

/** The services to compare: base URLs, or deployments of a target file. @throws AssayError; nothing has been sent then */
export async function chooseSides(args: SideArguments): Promise<ChosenSides> {
  const settings = await settingsOf(args)
  const file = args.one('target') ?? (settings.accounts === undefined ? findTargetFile() : undefined)
  let declared: Target | undefined
  if (file !== undefined) {
    const { loadTargetFile } = await import('../../conformance/target/target-file.js')
    declared = loadTargetFile(file, process.env, settings)
  } else if (settings.accounts === undefined)
    throw new AssayError(
      'usage',
      'diff needs an account that exists on both services: give --user-name NAME and TOKEN_ASSAY_PASSWORD, or --target FILE',
    )
  const sideOf = (flag: 'old' | 'new' | 'old-again', text: string): ComparedService => {
    if (text.includes('://')) {
      const baseUrl = baseUrlOf(text)
      const target =
        declared === undefined ? resolveTarget({ ...settings, baseUrl }) : withBaseUrl(declared, baseUrl)
      return { target, deployment: target.deployments[0] }
    }
    if (declared === undefined)
      throw new AssayError(
        'usage',
        `--${flag} takes a base URL or, with --target FILE, the name of a deployment`,
      )
    const deployment = declared.deployments.find(({ name }) => name === text)
    if (deployment !== undefined) return { target: declared, deployment }
    const names = declared.deployments.map(({ name }) => name).slice(0, 20)
    throw new AssayError(
      'unknown-deployment',
      `--${flag}: no deployment is named \`${text}\`; there are ${names.join(', ')}`,
    )
  }
  const needed = (flag: 'old' | 'new'): ComparedService => {
    const text = args.one(flag)
    if (text === undefined) throw new AssayError('usage', 'diff needs both services: --old URL --new URL')
    return sideOf(flag, text)
  }
  const sides = { old: needed('old'), new: needed('new') }
  const secondOld = args.one('old-again')
  const againOf = (text: string): ComparedService =>
    text.includes('://') ? instanceAt(baseUrlOf(text), sides.old) : sideOf('old-again', text)
  const again = secondOld === undefined ? undefined : againOf(secondOld)
  if (secondOld === args.one('new') || (again !== undefined && isSameUrl(again, sides.new)))
    throw new AssayError(
      'usage',
      '--old-again names the new service: expected a second instance of the old one, by which its noise is measured',
    )
  const started = [sides.old, sides.new].find(({ deployment }) => deployment.start !== undefined)
  if (started !== undefined)
    throw new AssayError(
      'usage',
      'diff does not start services: start both, and give their base URLs as --old and --new',
    )
  const warnings = [sides.old, sides.new].flatMap(({ deployment }) => serviceWarnings([deployment]))
  return {
    ...sides,
    ...(again === undefined ? {} : { again }),
    warnings: [...new Set(warnings)],
  }
}

/** Another instance of a service. */
function instanceAt(baseUrl: string, { target, deployment }: ComparedService): ComparedService {
  const moved = movedTo(deployment, baseUrl)
  return { target: { ...target, deployments: [moved] }, deployment: moved }
}

/** Deployments of one target file may share a base URL, and differ by a header. */
function isSameUrl(one: ComparedService, other: ComparedService): boolean {
  return one.target !== other.target && one.deployment.shownBaseUrl === other.deployment.shownBaseUrl
}

const VALUES = ['target', 'user-name', 'token-lifetime', 'ca'] as const
const SWITCHES = ['password-stdin', 'includes-user-id', 'insecure'] as const

/** The words of the command that compares the same services again; what was generated, and where results go, is left out. */
export function againCommand(args: SideArguments, { old, new: now, again }: ChosenSides): readonly string[] {
  const sides = [
    ['old', old],
    ['new', now],
    ['old-again', again],
  ] as const
  return [
    ...['token-assay', 'diff'],
    ...sides.flatMap(([flag, side]) => {
      const text = args.one(flag)
      if (text === undefined || side === undefined) return []
      return [`--${flag}`, text.includes('://') ? side.deployment.shownBaseUrl : text]
    }),
    ...VALUES.flatMap((flag) => {
      const text = args.one(flag)
      return text === undefined ? [] : [`--${flag}`, text]
    }),
    ...SWITCHES.filter((flag) => args.on(flag)).map((flag) => `--${flag}`),
  ]
}
