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
  const [, deployment, testCase, seed, path, replayPath] = FORM.exec(text) ?? []
  if (deployment === undefined || testCase === undefined || seed === undefined || path === undefined)
    return undefined
  return {
    deployment,
    case: testCase,
    seed: Number(seed),
    path,
    ...(replayPath === undefined ? {} : { replayPath }),
  }
}

/** The text that `parseReplay` reads. @param id `DEPLOYMENT/CASE` */
export function formatReplay(
  id: string,
  { seed, path, replayPath }: Pick<Replay, 'seed' | 'path' | 'replayPath'>,
): string {
  return `${id}@${seed}:${path}${replayPath === undefined ? '' : `#${replayPath}`}`
}
