/** Whether a pattern matches the whole text: `*` stands for any characters, `/` too. Case-sensitive. */
export function matchesGlob(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text
  // Greedy from the left; linear in the text for each star, so that no pattern is slow.
  const [head = '', ...rest] = pattern.split('*')
  if (!text.startsWith(head)) return false
  const tail = rest.pop() ?? ''
  let at = head.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - tail.length >= at && text.endsWith(tail)
}

/** How much a run tries. */
export const EFFORTS = ['quick', 'normal', 'thorough'] as const
export type Effort = (typeof EFFORTS)[number]

/** One of several parts of a run, which together are the whole. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

const MAX_SHARDS = 1000

/** Reads `I/N`, as `--shard` takes it; undefined where it is none. */
export function parseShard(text: string): Shard | undefined {
  const [, first = '', second = ''] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []
  const [index, count] = [Number(first), Number(second)]
  return first !== '' && index <= count && count <= MAX_SHARDS ? { index, count } : undefined
}

export function showShard({ index, count }: Shard): string {
  return `${index}/${count}`
}

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

// No case has ten million inputs: to walk to one that far takes its time.
const FORM = /^([a-z0-9-]+)\/(.+)@(-?\d{1,10}):(\d{1,7}(?::\d{1,7})*)(?:#(.+))?$/

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
