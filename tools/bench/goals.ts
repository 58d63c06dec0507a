/** What a ratio of the bench is to reach, and what it is held to where it does not yet. */
export interface Goal {
  readonly is: 'at most' | 'at least'
  readonly goal: number
  /** A regression lies beyond this; absent: beyond the goal. `docs/decisions.md` says what is in the way. */
  readonly held?: number
  readonly says: string
}

/** Medians of ratios that were measured side by side. Walls on a busy machine vary: a held figure has room for that. */
export const GOALS: Readonly<Record<string, Goal>> = {
  'people/default/cpu-ratio': {
    is: 'at most',
    goal: 2,
    held: 4,
    says: 'CPU of a default run with everything declared, beside a loop with as many requests',
  },
  'people/default/connections': {
    is: 'at most',
    goal: 60,
    held: 75,
    says: 'connections that it opens',
  },
  'people/default/wall-ratio': {
    is: 'at most',
    goal: 1.7,
    held: 5.5,
    says: 'time of each request of it, without the cases that wait',
  },
  'people/tokens/cpu-ratio-of-a-request': {
    is: 'at most',
    goal: 2,
    held: 4.5,
    says: 'CPU of a request under the token rules, the start left out, beside a loop of as many',
  },
  'people/embedded/cpu-ratio': {
    is: 'at most',
    goal: 3.2,
    held: 6.5,
    says: 'CPU of `run --embedded`, beside the loop of a default run (3.5 s where that took 1.1)',
  },
  'prove/cpu-ratio': {
    is: 'at most',
    goal: 55,
    held: 75,
    says: 'CPU of `prove` with all its processes, beside the loop of a default run (60 s where that took 1.1)',
  },
  'suite/400/wall-ratio': {
    is: 'at most',
    goal: 1.4,
    held: 3,
    says: 'time of 400 cases, beside the script',
  },
  'suite/4000/wall-ratio': {
    is: 'at most',
    goal: 2,
    held: 3.4,
    says: 'time of 4,000 cases, beside the script',
  },
  'suite/cpu-ratio-of-an-extra-case': {
    is: 'at most',
    goal: 2,
    held: 4.6,
    says: 'CPU of each further case, beside the script',
  },
  'suite/4000/peak-ratio': {
    is: 'at most',
    goal: 1.5,
    held: 2.4,
    says: 'peak memory of 4,000 cases, beside the script',
  },
  'suite/4000-kept-failed/peak-ratio': {
    is: 'at most',
    goal: 1.5,
    held: 2.4,
    says: 'the same, exchanges of failures kept',
  },
  'suite/400/newman-wall-ratio': {
    is: 'at least',
    goal: 15,
    held: 6,
    says: 'newman at 400 cases, beside token-assay',
  },
  'suite/4000/newman-wall-ratio': {
    is: 'at least',
    goal: 40,
    held: 12,
    says: 'newman at 4,000 cases, beside token-assay',
  },
  'start/version/wall-ratio': {
    is: 'at most',
    goal: 1.25,
    held: 1.9,
    says: '`--version`, beside `node -e 0`',
  },
  'start/list/cpu-ratio': {
    is: 'at most',
    goal: 1.6,
    held: 2.4,
    says: 'CPU of `list rules`, beside `node -e 0`',
  },
  'start/one-case/cpu-ratio': {
    is: 'at most',
    goal: 3,
    held: 8.5,
    says: 'CPU of a run of one case, beside `node -e 0`',
  },
  'forall/throughput-ratio': {
    is: 'at least',
    goal: 0.65,
    held: 0.25,
    says: 'exchanges a second of property-based cases, beside a bare loop',
  },
  'server/cpu-ratio': {
    is: 'at most',
    goal: 1.8,
    held: 2.2,
    says: 'CPU of a grant of the reference, beside bare `node:http`',
  },
  'proxy/cpu-ratio': {
    is: 'at most',
    goal: 2,
    held: 9,
    says: 'CPU of an exchange through the proxy, beside a bare TCP relay',
  },
  'growth/cpu-ratio-of-an-exchange': {
    is: 'at most',
    goal: 1.25,
    says: 'CPU of an exchange, of four times as many',
  },
  'growth/peak-ratio-of-ten-times-the-exchanges': {
    is: 'at most',
    goal: 1.25,
    says: 'peak memory of ten times the exchanges, none kept',
  },
}
