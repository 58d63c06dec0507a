/**
 * `npm run timing [SAMPLES]`: whether the time of an answer tells which user names exist, or which tokens ever did. It logs in
 * as an unknown user, and as somebody with a wrong password; it shows `/me`, and introspects, a token that was never issued, and
 * one that has expired. Each pair one at a time and in random order, with argon2id, against a server process of its own.
 * For a machine that has nothing else to do. Exit code 1: a difference is more than negligible.
 */
import { randomBytes } from 'node:crypto'
import { Agent, type Dispatcher } from 'undici'
import { connectControl } from '../../../reference/control/client.js'
import { randomNumbers } from '../../random.js'
import { startServeCommand } from '../measure/child.js'
import { median } from '../measure/statistics.js'

/** Below, a difference is called negligible (Romano et al., 2006). */
const NEGLIGIBLE = 0.147
const WARM_UP = 200
const NAMES = 50

const samples = Number(process.argv[2] ?? 2000)
if (!Number.isSafeInteger(samples) || samples < 2) {
  console.error(`timing: expected how many samples of each, found ${process.argv[2]}`)
  process.exit(2)
}
const accounts = Array.from({ length: NAMES }, (_, index) => ({
  userName: `user-${index}`,
  password: `Secret-${index}`,
}))
const random = randomNumbers(1)
const secret = randomBytes(24).toString('hex')
const config = { accounts, log: { level: 'error' }, protectedResource: true, control: { port: 0, secret } }

await using server = await startServeCommand(config)
const controlUrl = (await server.nextLine()).replace('control ', '')
const control = await connectControl({ url: controlUrl, secret })
for (const [index, { userName }] of accounts.entries())
  await control.issueToken({ userName, value: `used-${index}`, issuedAt: 0, lifetime: 1 })
const agent = new Agent({ connections: 1, pipelining: 1 })

/** Milliseconds from the request to the end of its answer. */
async function timeOf(request: Dispatcher.RequestOptions, status: number): Promise<number> {
  const startedAt = performance.now()
  const { statusCode, body } = await agent.request(request)
  await body.dump()
  const duration = performance.now() - startedAt
  if (statusCode !== status) throw new Error(`expected ${status}, found ${statusCode}`)
  return duration
}

interface TimedPair {
  readonly title: string
  /** What is never there, and what is or was: of one length each, so that nothing else tells them apart. */
  readonly kinds: readonly [absent: string, present: string]
  ask(name: string): Promise<number>
}

const TOKENS = ['none', 'used'] as const
const PAIRS: readonly TimedPair[] = [
  {
    title: 'a login: an unknown user, a wrong password',
    kinds: ['none', 'user'],
    ask: (username) => {
      const form = new URLSearchParams({ grant_type: 'password', username, password: 'Wrong-1' })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = form.toString()
      return timeOf({ origin: server.url, path: '/Token', method: 'POST', headers, body }, 400)
    },
  },
  {
    title: '/me: a token that was never issued, an expired one',
    kinds: TOKENS,
    ask: (token) => {
      const headers = { authorization: `Bearer ${token}` }
      return timeOf({ origin: server.url, path: '/me', method: 'GET', headers }, 401)
    },
  },
  {
    title: 'introspection: a token that was never issued, an expired one',
    kinds: TOKENS,
    ask: (token) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ token })
      return timeOf({ origin: controlUrl, path: '/tokens/introspect', method: 'POST', headers, body }, 200)
    },
  },
]

/** Prints the figures. @returns whether the difference is negligible */
async function answer({ title, kinds: [absent, present], ask }: TimedPair): Promise<boolean> {
  const time = (kind: string): Promise<number> => ask(`${kind}-${Math.floor(random() * NAMES)}`)
  const absents: number[] = []
  const presents: number[] = []
  for (let sent = 0; sent < WARM_UP; sent++) await time(sent % 2 === 0 ? absent : present)
  while (absents.length < samples || presents.length < samples) {
    // As if drawn from an urn that holds what is to be sent: both kinds are spread over the whole time alike.
    const left = samples - absents.length
    const isAbsent = random() * (left + samples - presents.length) < left
    if (isAbsent) absents.push(await time(absent))
    else presents.push(await time(present))
  }
  const delta = cliffsDelta(absents, presents)
  const row = (name: string, value: string): void => console.log(`${name.padEnd(28)}${value.padStart(12)}`)
  const milliseconds = (value: number): string => `${value.toFixed(3)} ms`
  console.log(title)
  row('samples of each', `${samples}`)
  row('median, the first', milliseconds(median(absents)))
  row('median, the second', milliseconds(median(presents)))
  row('difference', milliseconds(median(absents) - median(presents)))
  row("Cliff's delta", delta.toFixed(4))
  const isNegligible = Math.abs(delta) < NEGLIGIBLE
  console.log(
    isNegligible ? '✓ negligible: |delta| < 0.147\n' : '✗ the time tells which there are: |delta| >= 0.147\n',
  )
  return isNegligible
}

/** How much likelier a value of the one is the greater than the smaller, from −1 to 1. */
function cliffsDelta(ones: readonly number[], others: readonly number[]): number {
  let balance = 0
  for (const one of ones) for (const other of others) balance += Math.sign(one - other)
  return balance / (ones.length * others.length)
}

const answers: boolean[] = []
try {
  for (const pair of PAIRS) answers.push(await answer(pair))
} finally {
  await agent.close()
}
process.exitCode = answers.every(Boolean) ? 0 : 1
