import { randomNumbers } from '../../random.js'
import { type Connection, openConnection, type RawResponse } from './connection.js'
import { type Ask, playDoubleAct } from './double-acts.js'
import { playHostileAct } from './hostile-acts.js'
import { soundRequest } from './sound-requests.js'

interface ControlPlane {
  readonly port: number
  readonly secret: string
}

export interface Load {
  readonly port: number
  readonly requests: number
  readonly connections: number
  readonly seed: number
  /** Of the requests; default a tenth. */
  readonly hostileShare?: number
  /** Its share of the turns, a tenth, does what tests do to a double, with several requests each. Default: none does. */
  readonly control?: ControlPlane
  /** Called every hundredth of the requests; its worker waits for it. */
  readonly onHundredth?: (hundredth: number) => Promise<void>
}

/** What came of it. */
export interface SoakResult {
  readonly hostile: number
  /** Turns of tests of a client: tokens without a login, introspection, hooks, scopes. */
  readonly double: number
  /** How many answers had each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Sentences, and how often each was true. */
  readonly problems: ReadonlyMap<string, number>
}

/** No machine is so busy. */
const SILENCE_MS = 120_000
const DOUBLE_SHARE = 0.1

/** Sends requests over so many connections at a time; one that a hostile client has used is followed by a new one. */
export async function drive(load: Load): Promise<SoakResult> {
  const { port, requests, connections, seed, hostileShare = 0.1, onHundredth, control } = load
  const statuses = new Map<number, number>()
  const problems = new Map<string, number>()
  const hundredth = Math.max(1, Math.floor(requests / 100))
  let hostile = 0
  let double = 0
  let taken = 0

  const judge = (what: string, answers: readonly RawResponse[], expected: readonly number[]): void => {
    for (const { status } of answers) add(statuses, status)
    const problem = problemOf(answers, expected)
    if (problem !== undefined) add(problems, `${what}: ${problem}`)
  }
  const behave = async (connection: Connection, random: () => number, serial: number): Promise<void> => {
    const { bytes, status } = soundRequest(random, serial)
    void connection.send(bytes)
    const answer = await connection.next()
    judge('a sound request', answer === undefined ? [] : [answer], [status])
  }
  const misbehave = async (connection: Connection, random: () => number): Promise<void> => {
    hostile += 1
    const { answers, statuses: expected } = await playHostileAct(connection, random)
    judge('a hostile client', answers, expected)
    await connection.reset()
  }
  const test = async (plane: ControlPlane, random: () => number, serial: number): Promise<void> => {
    double += 1
    const ports = { service: port, control: plane.port }
    const ask: Ask = async (to, bytes, { status, body = /^/ }) => {
      // Its own: one that waits for the other would be idle for longer than the server keeps it.
      const connection = openConnection(ports[to], SILENCE_MS)
      void connection.send(bytes)
      const answer = await connection.next()
      await connection.reset()
      judge(`a test (${to})`, answer === undefined ? [] : [answer], [status])
      if (answer?.status === status && !body.test(answer.body))
        add(problems, `a test (${to}): found an unexpected body: ${answer.body.slice(0, 200)}`)
      return answer?.body ?? ''
    }
    await playDoubleAct(ask, plane.secret, random, serial)
  }
  const worker = async (random: () => number): Promise<void> => {
    let connection = openConnection(port, SILENCE_MS)
    while (taken < requests) {
      const serial = ++taken
      if (!connection.isOpen()) connection = openConnection(port, SILENCE_MS)
      if (random() < hostileShare) await misbehave(connection, random)
      else if (control !== undefined && random() < DOUBLE_SHARE) await test(control, random, serial)
      else await behave(connection, random, serial)
      if (serial % hundredth > 0 || onHundredth === undefined) continue
      // It may wait for longer than the server keeps an idle connection.
      await connection.reset()
      await onHundredth(serial / hundredth)
    }
    await connection.reset()
  }

  await Promise.all(
    Array.from({ length: connections }, (_, index) => worker(randomNumbers(seed * connections + index))),
  )
  return { hostile, double, statuses, problems }
}

/** The 503 that is documented may stand for any answer, but says when to come again. */
function problemOf(answers: readonly RawResponse[], expected: readonly number[]): string | undefined {
  const found = answers.map(({ status }) => status)
  const failed = answers.find(({ status, head }) => status >= 500 && !isBusy(status, head))
  if (failed !== undefined) return `${failed.status} ${failed.body.slice(0, 200)}`
  const isExpected =
    found.length === expected.length &&
    found.every((status, index) => status === expected[index] || status === 503)
  return isExpected ? undefined : `expected ${inShort(expected)}, found ${inShort(found)}`
}

function isBusy(status: number, head: string): boolean {
  return status === 503 && /\nretry-after: \d+/i.test(head)
}

function inShort(statuses: readonly number[]): string {
  if (statuses.length === 0) return 'no answer'
  const all = statuses.join(' ')
  return all.length <= 40 ? all : `${all.slice(0, 40)}… (${statuses.length})`
}

function add<T>(counts: Map<T, number>, key: T): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
