import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { COMMAND, type Cost, type ServerChild, startServer, subject } from './measure/child.js'
import { runSuite } from './measure/run-suite.js'
import type { Group } from './measure/statistics.js'

const DELAY_MS = 100

/** What `relay-server.js` does beside the delay. */
interface Slow {
  /** Default: `DELAY_MS`. */
  readonly delayMs?: number
  readonly atATime?: number
  readonly slowsDown?: boolean
  readonly fault?: readonly [string, string]
}

/** A target behind a relay. */
interface SlowTarget extends AsyncDisposable {
  readonly url: string
  readonly file: string
  /** A folder for reports. */
  readonly out: string
}

/**
 * Commands against a service each of whose answers is late: default runs compared with the time that as many requests take
 * where all that may be in flight is, and the others counted in delays. Once each: sums of delays hardly vary.
 * @param work a folder for what they write
 */
export async function measureSlow(work: string): Promise<Group> {
  const declared = join(work, 'declared.json')
  await using service = await startServer(subject('declared-server.js'), declared)
  const behind = (slow: Slow): Promise<SlowTarget> => slowTarget(work, service, declared, slow)
  const figures: Record<string, Partial<Cost>[]> = {}
  const ratios: Record<string, number> = {}
  const whole = async (id: string, width: number, slow: Slow = {}): Promise<void> => {
    await using target = await behind(slow)
    const cost = await runSuite(work, ['--target', target.file, '--concurrency', String(width)])
    figures[id] = [cost]
    const { delayMs = DELAY_MS, atATime = width } = slow
    ratios[`slow/${id}/wall-ratio`] = cost.wallMs / ((cost.requests * delayMs) / atATime)
    if (id === '8') ratios['slow/requests'] = cost.requests
  }
  await whole('8', 8)
  await whole('32', 32)
  await whole('4-at-a-time', 8, { atATime: 4 })
  await whole('300-ms-4-at-a-time', 8, { delayMs: 300, atATime: 4 })
  await whole('slows-down-beyond-4', 8, { atATime: 4, slowsDown: true })

  const delays = async (id: string, args: readonly string[], until?: RegExp): Promise<void> => {
    const wallMs = await timeOf(work, args, until)
    figures[id] = [{ wallMs }]
    ratios[`slow/${id}/delays`] = wallMs / DELAY_MS
  }
  const run = (target: SlowTarget, ...args: readonly string[]) => {
    return ['run', '--target', target.file, '--seed', '1', '--out', target.out, ...args]
  }
  {
    await using target = await behind({})
    await delays('quick', run(target, '--effort', 'quick'))
    await using other = await behind({})
    const input = JSON.parse(readFileSync(target.file, 'utf8'))
    const { default: own } = input.deployments
    const both = { ...input, deployments: { old: own, new: { ...own, baseUrl: other.url } } }
    const file = join(work, 'both.json')
    writeFileSync(file, JSON.stringify(both))
    await delays('diff', ['diff', '--target', file, '--old', 'old', '--new', 'new', '--seed', '1'])
  }
  {
    await using target = await behind({ fault: ['"bearer"', '"Bearer"'] })
    await delays('first-failure', run(target), /^failed: /)
  }
  await using target = await behind({ fault: ['"unsupported_grant_type"', '"unsupported_grant_typo"'] })
  await timeOf(work, run(target, '--only', 'default/4.1/no-grant-type'))
  await delays('last-failed', run(target, '--last-failed'))
  return { figures, ratios }
}

async function slowTarget(
  work: string,
  service: ServerChild,
  declared: string,
  slow: Slow,
): Promise<SlowTarget> {
  const options = JSON.stringify({ delayMs: DELAY_MS, ...slow })
  const relay = await startServer(subject('relay-server.js'), new URL(service.url).port, options)
  const { url } = relay
  const file = join(work, `${new URL(url).port}.json`)
  writeFileSync(file, readFileSync(declared, 'utf8').replaceAll(service.url, url))
  return { url, file, out: `${file}.reports`, [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose]() }
}

/**
 * Milliseconds from the start of a command to its end, whatever its exit code.
 * @param until to the first line that it prints of this form; it is stopped then
 */
async function timeOf(work: string, args: readonly string[], until?: RegExp): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: work,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  const printed: string[] = []
  let shownMs: number | undefined
  for await (const line of createInterface(child.stderr)) {
    printed.push(line)
    if (shownMs !== undefined || until?.test(line) !== true) continue
    shownMs = performance.now() - began
    child.kill('SIGKILL')
  }
  const [code] = await ended
  const tookMs = performance.now() - began
  if (until !== undefined && shownMs !== undefined) return shownMs
  if (until === undefined && (code === 0 || code === 1)) return tookMs
  throw new Error(`bench: ${args.join(' ')} ended with ${code}:\n${printed.slice(-20).join('\n')}`)
}
