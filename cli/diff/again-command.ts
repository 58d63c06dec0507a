import type { ChosenSides, SideArguments } from './sides.js'

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
