import { grant, IN_FLIGHT } from '../measure/grant.js'
import { type MeasuredServer, startServer } from '../measure/start-server.js'
import { interleave, ratioOfPairs } from '../measure/statistics.js'
import type { BenchOptions } from '../options.js'
import { cell, type Group } from '../rows.js'

const BARE = 'bare node:http, which stores nothing'
const REFERENCE = 'the reference server, `hashing: fast`'

/** @param warmUp grants before anything is measured: the first thousands are compiled while they are made */
interface Subject {
  readonly file: string
  readonly warmUp: number
  readonly measured: number
  readonly tokens: number
}

const FAST = { warmUp: 15_000, measured: 5000, tokens: 100_000 }
const SUBJECTS: Readonly<Record<string, Subject>> = {
  [BARE]: { file: 'bare-server.js', ...FAST },
  [REFERENCE]: { file: 'reference-server.js', ...FAST },
  'Express with @node-oauth/oauth2-server': { file: 'express-server.js', ...FAST },
  'oidc-provider, with the password grant': { file: 'provider-server.js', ...FAST },
  // Signs every token, which is a hundred times as dear as anything else here, and stores none.
  'oauth2-mock-server': { file: 'mock-server.js', warmUp: 2000, measured: 1000, tokens: 10_000 },
}

/** What a grant costs the server that makes it, how soon there is one, and what memory tokens take. */
export async function measureServer({ rounds, quick }: BenchOptions): Promise<Group> {
  const names = Object.keys(SUBJECTS)
  const firsts = await interleave(byName(names, firstGrantMs), { rounds })
  const servers = new Map<string, MeasuredServer>()
  try {
    for (const name of names) servers.set(name, await startServer(of(name).file))
    const usage = byName(names, (name) => serverOf(servers, name).usage())
    const idle = await interleave(usage, { rounds: 1 })
    for (const name of names) await grant(serverOf(servers, name), of(name).warmUp)
    const loads = await interleave(
      byName(names, (name) => grant(serverOf(servers, name), of(name).measured)),
      { rounds },
    )
    const made = (name: string): number =>
      of(name).warmUp + of(name).measured * (rounds + (rounds > 1 ? 1 : 0))
    const grantsOf = (name: string): number => (quick ? made(name) : Math.max(made(name), of(name).tokens))
    for (const name of names) await grant(serverOf(servers, name), grantsOf(name) - made(name))
    const full = await interleave(usage, { rounds: 1 })
    const cpu = (name: string): number[] => (loads[name] ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds)
    const rate = (name: string): number[] => (loads[name] ?? []).map(({ perSecond }) => perSecond)
    return {
      title: `What a grant costs the server, ${IN_FLIGHT} in flight`,
      rows: names.map((what) => ({
        what,
        cells: {
          ...cell('CPU µs a grant', 1, cpu(what), cpu(BARE)),
          ...cell('grants/s', 0, rate(what), rate(BARE)),
          ...cell('ms to the first grant', 0, firsts[what] ?? [], firsts[BARE]),
          'MB idle': megabytes(idle[what]?.[0]?.rssBytes),
          'MB after grants': `${megabytes(full[what]?.[0]?.rssBytes)} after ${grantsOf(what).toLocaleString('en')}`,
        },
      })),
      figures: { 'server/cpu-ratio': ratioOfPairs(cpu(REFERENCE), cpu(BARE)) },
    }
  } finally {
    for (const server of servers.values()) await server[Symbol.asyncDispose]()
  }
}

function of(name: string): Subject {
  const subject = SUBJECTS[name]
  if (subject === undefined) throw new Error(`there is no server ${name}`)
  return subject
}

function serverOf(servers: ReadonlyMap<string, MeasuredServer>, name: string): MeasuredServer {
  const server = servers.get(name)
  if (server === undefined) throw new Error(`${name} was not started`)
  return server
}

function byName<T>(
  names: readonly string[],
  measure: (name: string) => Promise<T>,
): Readonly<Record<string, () => Promise<T>>> {
  return Object.fromEntries(names.map((name) => [name, () => measure(name)]))
}

/** In a process of its own, from its start. */
async function firstGrantMs(name: string): Promise<number> {
  await using server = await startServer(of(name).file)
  await grant(server, 1)
  return performance.now() - server.startedMs
}

function megabytes(bytes = Number.NaN): string {
  return (bytes / 2 ** 20).toFixed(0)
}
