/** What `--replay 'DEPLOYMENT/CASE@SEED:PATH[#REPLAYPATH]'` repeats. */
export interface Replay {
  readonly deployment: string
  readonly case: string
  readonly seed: number
  /** fast-check's path to the input. */
  readonly path: string
  /** fast-check's path through a sequence of commands. */
  readonly replayPath?: string
}

const FORM = /^([a-z0-9-]+)\/(.+)@(-?\d{1,10}):(\d+(?::\d+)*)(?:#(.+))?$/

/** Undefined where the text is not of that form. */
export function parseReplay(text: string): Replay | undefined {
  const [, deployment, subject, seed, path, replayPath] = FORM.exec(text) ?? []
  if (deployment === undefined || subject === undefined || seed === undefined || path === undefined)
    return undefined
  return {
    deployment,
    case: subject,
    seed: Number(seed),
    path,
    ...(replayPath === undefined ? {} : { replayPath }),
  }
}
