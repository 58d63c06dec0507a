/**
 * `npm run timing [SAMPLES]`: whether the time of an answer tells which user names exist. It logs in as an unknown user, and as
 * somebody with a wrong password, one at a time and in random order, with argon2id, against a server process of its own.
 * For a machine that has nothing else to do. Exit code 1: the difference is more than negligible.
 */
import { Agent } from 'undici'
import { randomNumbers } from '../../scripts/random.js'
import { startServeCommand } from '../measure/start-server.js'
import { median } from '../measure/statistics.js'
import { effectSize } from './effect-size.js'

/** Below, a difference is called negligible (Romano et al., 2006). */
const NEGLIGIBLE = 0.147
const WARM_UP = 200

const samples = Number(process.argv[2] ?? 2000)
if (!Number.isSafeInteger(samples) || samples < 2) {
  console.error(`timing: expected how many samples of each, found ${process.argv[2]}`)
  process.exit(2)
}
const accounts = Array.from({ length: 50 }, (_, index) => ({
  userName: `user-${index}`,
  password: `Secret-${index}`,
}))
const random = randomNumbers(1)

await using server = await startServeCommand({ accounts, log: { level: 'error' } })
const agent = new Agent({ connections: 1, pipelining: 1 })

/** Milliseconds from the request to the end of its answer. */
async function timeOf(userName: string): Promise<number> {
  const form = new URLSearchParams({ grant_type: 'password', username: userName, password: 'Wrong-1' })
  const startedAt = performance.now()
  const { statusCode, body } = await agent.request({
    origin: server.url,
    path: '/Token',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  await body.dump()
  const duration = performance.now() - startedAt
  if (statusCode !== 400) throw new Error(`expected 400, found ${statusCode}`)
  return duration
}

/** Names of one length each, so that nothing but their being known tells them apart. */
const logInAs = (who: 'none' | 'user'): Promise<number> =>
  timeOf(`${who}-${Math.floor(random() * accounts.length)}`)

const unknown: number[] = []
const wrong: number[] = []
try {
  for (let sent = 0; sent < WARM_UP; sent++) await logInAs(sent % 2 === 0 ? 'none' : 'user')
  while (unknown.length < samples || wrong.length < samples) {
    // As if drawn from an urn that holds what is to be sent: both kinds are spread over the whole time alike.
    const left = samples - unknown.length
    const isUnknown = random() * (left + samples - wrong.length) < left
    if (isUnknown) unknown.push(await logInAs('none'))
    else wrong.push(await logInAs('user'))
  }
} finally {
  await agent.close()
}

const { cliffsDelta, deltaByChance, cohensD } = effectSize(unknown, wrong)
const row = (name: string, value: string): void => console.log(`${name.padEnd(28)}${value.padStart(12)}`)
const milliseconds = (value: number): string => `${value.toFixed(3)} ms`
row('samples of each', `${samples}`)
row('median, unknown user', milliseconds(median(unknown)))
row('median, wrong password', milliseconds(median(wrong)))
row('difference', milliseconds(median(unknown) - median(wrong)))
row("Cliff's delta", cliffsDelta.toFixed(4))
row('  by chance (95 %)', `±${deltaByChance.toFixed(4)}`)
row("Cohen's d", cohensD.toFixed(4))
const isNegligible = Math.abs(cliffsDelta) < NEGLIGIBLE
console.log(
  isNegligible ? '✓ negligible: |delta| < 0.147' : '✗ the time tells which names exist: |delta| >= 0.147',
)
process.exitCode = isNegligible ? 0 : 1
