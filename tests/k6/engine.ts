/** `npm run test:k6`: exported scripts in the real k6, against the reference server and every mutant. Not part of `npm test`. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { Mutant } from '../../prove/mutants/mutant.js'
import { type ReferenceServer, startReferenceServer } from '../../reference/server.js'
import { everyNth } from '../fixtures/effort.js'
import {
  type Exported,
  exportFor,
  isCaught,
  isShown,
  misjudged,
  SETUPS,
  UNSHOWN_IN_ENGINE,
} from '../fixtures/k6/exported.js'

const folder = mkdtempSync(join(tmpdir(), 'token-assay-k6-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const engine = process.env.K6 ?? unpack()

/** The engine as it was built for tests, beside the project. */
function unpack(): string | undefined {
  const tools = fileURLToPath(new URL('../../../shared/tools/', import.meta.url))
  const packed = existsSync(tools) ? readdirSync(tools).find((name) => /^k6-.*\.xz$/.test(name)) : undefined
  if (packed === undefined) return undefined
  const file = join(folder, 'k6')
  const maxBuffer = 2 ** 28
  writeFileSync(file, execFileSync('xz', ['-dc', join(tools, packed)], { maxBuffer }), { mode: 0o755 })
  return file
}

/** Each virtual user has a server of its own. The thresholds are the script's. */
const main = (users: number, iterations: number): string => `
import { group } from 'k6'
import iterate, { options as exported, setup as ask } from './script.js'
const urls = JSON.parse(open('./urls.json'))
const scenario = { executor: 'per-vu-iterations', vus: ${users}, iterations: ${iterations}, maxDuration: '5m' }
export const options = { scenarios: { all: scenario }, thresholds: exported.thresholds }
export const setup = ask
export default () => {
  __ENV.TOKEN_ASSAY_BASE_URL = urls[__VU - 1]
  group(String(__VU), iterate)
}
export const handleSummary = ({ root_group }) => ({ './summary.json': JSON.stringify(root_group.groups) })
`

interface Group {
  readonly name: string
  readonly checks: readonly { readonly name: string; readonly fails: number }[]
}

const PLAY = ['run', '--no-usage-report', '--quiet', '--address', '']

/** Runs a script, while the servers of this process answer. */
function play(script: string, env: Exported['env'], flags: readonly string[] = []) {
  const options = { cwd: folder, env: { ...process.env, ...env } }
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(engine ?? '', [...PLAY, ...flags, script], options, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : error.code, stdout, stderr })
    })
  })
}

/** Runs a script against each server in one process. @returns the exit code, and the checks that failed by server */
async function run(exported: Exported, script: string, urls: readonly string[], iterations: number) {
  const files = { 'main.js': main(urls.length, iterations), 'script.js': script }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'urls.json'), JSON.stringify(urls))
  const { status, stderr } = await play('main.js', exported.env)
  const groups: readonly Group[] = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'))
  const red = urls.map((_, at) => {
    const checks = groups.find(({ name }) => name === String(at + 1))?.checks
    if (checks === undefined) throw new Error(`no checks of server ${at + 1}: ${stderr.slice(-500)}`)
    return checks.flatMap(({ name, fails }) => (fails > 0 ? [name] : []))
  })
  return { status, red }
}

const start = ({ server }: Exported, mutant?: Mutant): Promise<ReferenceServer> =>
  startReferenceServer({ ...server, hashing: 'fast', ...(mutant && { behaviour: mutant.behaviour() }) })

const skip = engine === undefined && 'k6 is not here: neither K6=FILE nor ../shared/tools'

for (const setup of SETUPS) {
  t.test(
    `in k6, ${setup}: the reference is green, and every mutant fails by its rules`,
    { skip },
    async (t) => {
      const exported = exportFor(setup)
      const reference = await start(exported)
      t.teardown(() => reference.close())
      const inputs = Number(/iterations: (\d+)/.exec(exported.scripts.inputs)?.[1])
      t.strictSame(await run(exported, exported.scripts.whole, [reference.url], 2), { status: 0, red: [[]] })
      let pending = everyNth(exported.mutants, 10)
      // Each of these passes is for what the ones before it have not shown.
      for (const [script, iterations] of [
        [exported.scripts.whole, 1],
        [exported.scripts.inputs, inputs],
        [exported.scripts.whole, 3],
      ] as const) {
        if (pending.length === 0) break
        const servers = await Promise.all(pending.map((mutant) => start(exported, mutant)))
        const { status, red } = await run(
          exported,
          script,
          servers.map(({ url }) => url),
          iterations,
        )
        await Promise.all(servers.map((server) => server.close()))
        t.equal(status, red.some((names) => names.length > 0) ? 99 : 0)
        for (const [at, mutant] of pending.entries())
          t.strictSame(misjudged(mutant, red[at] ?? []), [], mutant.id)
        pending = pending.filter(
          (mutant, at) =>
            isShown(mutant) && !UNSHOWN_IN_ENGINE.includes(mutant.id) && !isCaught(mutant, red[at] ?? []),
        )
      }
      t.strictSame(
        pending.map(({ id }) => id),
        [],
        'every mutant is caught',
      )
    },
  )
}

t.test(
  'in k6: packed and looked into without a secret, and run with one in every ten answers judged',
  { skip },
  async (t) => {
    const exported = exportFor('default')
    const script = exported.scripts.whole.replace('  sample: 1,', '  sample: 10,')
    writeFileSync(join(folder, 'sampled.js'), script)
    const k6 = (args: readonly string[], env = {}) =>
      spawnSync(engine ?? '', args, { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' })
    t.match(JSON.parse(k6(['inspect', 'sampled.js']).stdout), { thresholds: {} })
    t.equal(k6(['archive', '-O', 'sampled.tar', 'sampled.js'], exported.env).status, 0)
    const packed = readFileSync(join(folder, 'sampled.tar'), 'utf8')
    for (const secret of Object.values(exported.env)) t.notOk(packed.includes(secret))
    const unset = k6([...PLAY, 'sampled.tar'])
    t.equal(unset.status, 107)
    t.match(unset.stderr, /expected the environment variable TOKEN_ASSAY_PASSWORD to be set/)
    const reference = await start(exported)
    t.teardown(() => reference.close())
    t.strictSame(await run(exported, script, [reference.url], 10), { status: 0, red: [[]] })
    const mutants = exported.mutants.filter(({ id }) =>
      ['capital-bearer', 'expires-in-as-string'].includes(id),
    )
    const servers = await Promise.all(mutants.map((mutant) => start(exported, mutant)))
    t.teardown(() => Promise.all(servers.map((server) => server.close())))
    const { status, red } = await run(
      exported,
      script,
      servers.map(({ url }) => url),
      10,
    )
    t.equal(status, 99)
    t.strictSame(
      mutants.map((mutant, at) => isCaught(mutant, red[at] ?? [])),
      [true, true],
    )
  },
)

/** @returns the URL of a service that answers each request with what is made of its body, and the bodies that it got */
async function answerBy(t: Test, answer: (sent: string) => string, keepsOpen = false) {
  const bodies: string[] = []
  const sockets = new Set<Socket>()
  const service = createServer((socket) => {
    sockets.add(socket)
    let received = ''
    socket.setEncoding('latin1').on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk
      const [head = '', body] = received.split(/\r\n\r\n(.*)/s)
      if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return
      bodies.push(body)
      received = ''
      socket.write(answer(body), 'latin1')
      if (!keepsOpen) socket.end()
    })
  })
  await once(service.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    service.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, bodies }
}

/** Answers that k6 quotes where it says what is wrong with them, and the reason that a script gives. */
const MALFORMED: readonly (readonly [place: string, reason: string, (sent: string) => string])[] = [
  ['a header', ': malformed', (sent) => `HTTP/1.1 200 OK\r\n${sent}\r\n\r\n`],
  ['a status line', ': malformed', (sent) => `${sent}\r\n\r\n`],
  ['a length', ': bad Content-Length', (sent) => `HTTP/1.1 200 OK\r\nContent-Length: ${sent}\r\n\r\n`],
  ['an address', ': Location header', (sent) => `HTTP/1.1 302 Found\r\nLocation: %zz${sent}\r\n\r\n`],
  ['a coding', '', (sent) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${sent}\r\n\r\n`],
]

for (const [place, reason, answer] of MALFORMED)
  t.test(`in k6: a password that comes back in ${place} is in no output`, { skip }, async (t) => {
    const exported = exportFor('default')
    writeFileSync(join(folder, 'whole.js'), exported.scripts.whole)
    const { url, bodies } = await answerBy(t, answer)
    const env = { ...exported.env, TOKEN_ASSAY_BASE_URL: url }
    const { status, stdout, stderr } = await play('whole.js', env, ['--iterations', '3'])
    t.equal(status, 99)
    t.ok(stderr.includes(`msg="4.1/password-grant: no answer came${reason}"`), stderr.slice(0, 500))
    t.match(
      bodies.join(),
      new URLSearchParams({ password: exported.env.TOKEN_ASSAY_PASSWORD ?? '' }).toString(),
    )
    for (const secret of Object.values(exported.env).flatMap((text) => [text, encodeURIComponent(text)])) {
      t.notOk(stdout.includes(secret))
      t.notOk(stderr.includes(secret))
    }
  })

t.test('in k6: a password that comes after the end of an answer is in no output', { skip }, async (t) => {
  const exported = exportFor('default')
  writeFileSync(join(folder, 'whole.js'), exported.scripts.whole)
  const { url, bodies } = await answerBy(t, (sent) => `HTTP/1.1 204 No Content\r\n\r\n${sent}`, true)
  const env = { ...exported.env, TOKEN_ASSAY_BASE_URL: url }
  const { stdout, stderr } = await play('whole.js', env, ['--iterations', '3'])
  const password = new URLSearchParams({ password: exported.env.TOKEN_ASSAY_PASSWORD ?? '' }).toString()
  t.match(bodies.join(), password)
  t.notMatch(stdout + stderr, password)
  t.notMatch(stderr, 'Unsolicited')
})

t.test('in k6: an answer of too many JSON values is a red check, and no error', { skip }, async (t) => {
  const exported = exportFor('default')
  const body = `[${'0,'.repeat(50_000)}0]`
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  const { url } = await answerBy(t, () => `${head}\r\n\r\n${body}`)
  writeFileSync(join(folder, 'inputs.js'), exported.scripts.inputs)
  const env = { ...exported.env, TOKEN_ASSAY_BASE_URL: url }
  const { status, stderr } = await play('inputs.js', env, ['--iterations', '1'])
  t.equal(status, 99)
  t.notMatch(stderr, /stacktrace|Error/)
})
