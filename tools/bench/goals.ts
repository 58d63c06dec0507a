/** What a ratio of the bench is to reach, and what it is held to until it does. */
export interface Goal {
  readonly is: 'at most' | 'at least'
  readonly goal: number
  /** A regression is beyond this; absent: beyond the goal. */
  readonly held?: number
  readonly says: string
}

/**
 * Medians of ratios that were measured side by side. A busy machine varies: each held figure leaves room for that. Those of
 * starts also leave the 150 ms that a start may take longer since `dist/` is what tsc writes.
 */
export const GOALS: Readonly<Record<string, Goal>> = {
  'start/version/wall-ratio': {
    is: 'at most',
    goal: 1.25,
    held: 1.9,
    says: '`--version`, beside `node -e 0`',
  },
  'start/one-case/cpu-ratio': {
    is: 'at most',
    goal: 3,
    held: 12,
    says: 'CPU of a run of one case, beside `node -e 0`',
  },
  'run/default/cpu-ratio': {
    is: 'at most',
    goal: 2,
    held: 5,
    says: 'CPU of a default run with everything declared, beside a loop with as many requests',
  },
  'run/default/connections': {
    is: 'at most',
    goal: 60,
    held: 75,
    says: 'connections that it opens',
  },
  'run/default/wall-ratio': {
    is: 'at most',
    goal: 1.7,
    held: 5.5,
    says: 'time of each request of it, without the cases that wait',
  },
  'run/embedded/cpu-ratio': {
    is: 'at most',
    goal: 3.2,
    held: 7,
    says: 'CPU of `run --embedded`, beside the loop of a default run',
  },
  'grant/cpu-ratio': {
    is: 'at most',
    goal: 1.8,
    held: 2.2,
    says: 'CPU of a grant of the reference server, beside bare `node:http`',
  },
  'proxy/cpu-ratio': {
    is: 'at most',
    goal: 2,
    held: 9,
    says: 'CPU of an exchange through the proxy, beside a bare TCP relay',
  },
}
