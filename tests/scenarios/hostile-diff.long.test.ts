/** Services that answer with floods, cuts, silence and worse, compared with a sound one and with themselves. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { replayOf } from '../../conformance/assess/differential/report/replay.js'
import { probeOf } from '../../conformance/drivers/pair/probe.js'
import { startReferenceServer } from '../../reference/server.js'
import { type Ended, runCommand } from '../fixtures/command.js'
import { HOSTILITIES, startHostileService } from '../fixtures/hostile-service.js'

const ALICE = { userName: 'alice', password: 'Alice-and-1-password' }
/** For what never comes: long enough for a sound answer on a machine that is busy with other tests. */
const TIMEOUT_MS = 4000
const HEAP_MEGABYTES = 128
/** With what is no heap: the sources as they are compiled, buffers, and no part of the gigabytes that come. */
const PEAK_MEGABYTES = 500

const TOO_LATE = `No complete answer came within ${TIMEOUT_MS} ms.`
const TOO_LONG = 'the body is longer than 1 MiB'
const TOO_MANY = 'the body holds more than 50,000 JSON values'

/** What cannot be compared, and why. Everything else is an answer, or the end of a connection, that a client sees. */
const UNDECIDED: Readonly<Record<string, string>> = {
  silent: TOO_LATE,
  drips: TOO_LATE,
  'never-ends': TOO_LATE,
  gigabyte: TOO_LONG,
  bomb: TOO_LONG,
  'deep-json': TOO_MANY,
  'nested-arrays': TOO_MANY,
  'many-members': 'the body holds more than 1000 JSON values, too many to compare',
}
/** As the new service that is a difference; of the old one it is not known what it meant to send. */
const FOLLOWED = ['two-answers', 'length-too-short']
/** A login that ends so is no refusal of the account: it is compared. */
const NO_REFUSAL = [
  'resets-midway',
  'length-too-long',
  'header-flood',
  'redirects-in-circles',
  'switches-protocol',
]
/** What one side alone leaves unread is a difference; what both do may differ or not. */
const UNREAD = ['resets-midway', 'length-too-long', 'header-flood', 'switches-protocol']
const UNREACHABLE = ['resets-at-once', 'closes-unread', 'silent', 'drips', 'never-ends']

const names = Object.keys(HOSTILITIES)
const reference = await startReferenceServer({ accounts: [ALICE], hashing: 'fast' })
const service = await startHostileService(reference)
t.teardown(async () => {
  await service[Symbol.asyncDispose]()
  await reference.close()
})

/** 4.1-R1: what the service is hostile to. */
const REPLAY = replayOf(probeOf('', [{ send: { contentType: 'application/json', body: '' } }]))

type Role = 'old' | 'new' | 'both'
const ROLES: readonly Role[] = ['old', 'new', 'both']

function argumentsOf(name: string, role: Role): readonly string[] {
  const sides = (['old', 'new'] as const).flatMap((side) => [
    `--${side}`,
    role === side || role === 'both' ? name : 'sound',
  ])
  return ['diff', '--target', 'target.json', ...sides, '--replay', REPLAY]
}

t.test(`hostile services as old, as new and as both, with a heap of ${HEAP_MEGABYTES} MB`, async (t) => {
  const all = [...names, ...names.map((name) => `always-${name}`)]
  const waits = (name: string): boolean => UNDECIDED[name.replace('always-', '')] === TOO_LATE
  const deployments = Object.fromEntries([
    ['sound', { baseUrl: reference.url }],
    ...all.map((name) => [
      name,
      { baseUrl: `${service.url}/${name}`, ...(waits(name) ? { timeoutMs: TIMEOUT_MS } : {}) },
    ]),
  ])
  const cwd = t.testdir({
    'target.json': JSON.stringify({ accounts: [ALICE], timeoutMs: 120_000, maxFailedLogins: 6, deployments }),
  })
  const asked = [...all.filter(waits), ...all.filter((name) => !waits(name))].flatMap((name) =>
    ROLES.map((role) => ({ name, role })),
  )
  const callsOf = (wait: boolean) =>
    asked.filter(({ name }) => waits(name) === wait).map(({ name, role }) => argumentsOf(name, role))
  const { stdout, stderr, exitCode } = await runCommand([], {
    cwd,
    stdin: JSON.stringify([
      { calls: callsOf(true), atATime: 9 },
      { calls: callsOf(false), atATime: 4 },
    ]),
    env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` },
    main: fileURLToPath(new URL('../fixtures/call-many.ts', import.meta.url)),
  })
  t.equal(exitCode, 0, stderr)
  const { ended, peakKilobytes, heapLimit } = JSON.parse(stdout)
  t.ok(heapLimit < 4 * HEAP_MEGABYTES * 2 ** 20, 'the heap was limited')
  t.ok(peakKilobytes < PEAK_MEGABYTES * 1024, `${Math.round(peakKilobytes / 1024)} MB at most`)
  for (const [index, { name, role }] of asked.entries()) {
    const one: Ended = ended[index]
    const what = `${name} as ${role}: ${one.stdout}`
    const expected = expectationOf(name, role)
    t.equal(one.exitCode, expected.exitCode, what)
    t.match(one.stderr, /^(?:token-assay: (?:compares|only) .*\n)*$/, name)
    t.match(one.stdout, expected.says, what)
    t.notMatch(one.stdout, /^ +at .*:\d+:\d+|Error:/m, 'no stack trace')
    t.notMatch(one.stdout, ALICE.password)
    t.notMatch(
      one.stdout,
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
      'nothing for a terminal to obey',
    )
    t.notMatch(one.stdout, /^\s*::|##(?:\[|vso)/m, 'nor for a CI service')
  }
})

function expectationOf(name: string, role: Role): { readonly exitCode: number; readonly says: RegExp } {
  const sides = role === 'both' ? ['old', 'new'] : [role]
  const own = name.replace('always-', '')
  const isAlways = own !== name
  const inconclusive = (why: string) => ({
    exitCode: 3,
    says: new RegExp(`the (?:${sides.join('|')}) service: ${why}`),
  })
  if (isAlways && UNREACHABLE.includes(own)) return inconclusive('cannot reach http')
  if (isAlways && !NO_REFUSAL.includes(own))
    return inconclusive(
      'cannot sign in as alice at\\s+\\S+:\\s+the\\s+service\\s+refuses\\s+the\\s+plain\\s+login\\s+\\(400,\\s+\\S',
    )
  // It signs no one in.
  if (isAlways && (role === 'old' || (role === 'both' && !UNREAD.includes(own))))
    return inconclusive('the\\s+plain\\s+login\\s+yields\\s+no\\s+token')
  const why = UNDECIDED[own]
  if (why !== undefined) return inconclusive(why)
  if (FOLLOWED.includes(own) && role !== 'new') return inconclusive('Bytes that belong to no answer')
  if (role === 'both' && UNREAD.includes(own)) return inconclusive('its answer could not be read')
  if (role === 'both') return { exitCode: 0, says: /No difference in 1 request/ }
  if (own === 'two-answers') return { exitCode: 1, says: /new 400 and bytes of no answer, old 400/ }
  // Where every connection ends so, the plain login is what differs first; a status is wrong for each request by itself.
  const rule = isAlways && UNREAD.includes(own) ? '1-exchange' : '7-token-error'
  const verb = role === 'new' ? 'new breaks the contract' : 'old broke the contract .*'
  return { exitCode: 1, says: new RegExp(`${verb}: .*${rule}`) }
}
