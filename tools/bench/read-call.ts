import { parseArgs } from 'node:util'

export interface Call {
  readonly groups: readonly string[]
  readonly rounds: number
  readonly quick: boolean
  readonly json: string | undefined
}

/** What is to be measured; undefined: help was asked for, and printed. @throws Error for flags that will not do */
export function readCall(args: readonly string[], groups: readonly string[]): Call | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const { quick, json, only, rounds = quick ? '2' : '5' } = values
  if (values.help) {
    process.stdout.write(usage(groups))
    return undefined
  }
  const unknown = only?.find((name) => !groups.includes(name))
  if (unknown !== undefined) throw new Error(`--only: there is no group ${unknown}, but ${groups.join(', ')}`)
  if (!/^[1-9]\d?$/.test(rounds)) throw new Error(`--rounds: expected a number from 1 to 99, found ${rounds}`)
  return { groups: only ?? groups, rounds: Number(rounds), quick, json }
}

function usage(groups: readonly string[]): string {
  return `Usage: npm run bench -- [flags]

  --only NAME   one group of ${groups.join(', ')}; repeatable
  --quick       smaller sizes and two rounds: a minute or two instead of ten
  --rounds N    of each measurement (default 5)
  --json FILE   writes the ratios

Exit code 1: a ratio is beyond what tools/bench/goals.ts holds it to. No time is held to anything.
Other tools are measured too where \`npm ci --prefix bench\` has installed them.
`
}
