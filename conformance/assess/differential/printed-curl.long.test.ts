/** The command that is printed for a request is run, by a shell and the real curl, and draws the same status. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { serversOf } from '../../../prove/jobs/setups.js'
import { startEmbeddedProvider, startServers } from '../../../reference/embedded/embedded-servers.js'
import type { Differential } from '../../../spec/generated/types/differential.js'
import { inParallel } from '../../../spec/model/items.js'
import { everyNth } from '../../../tests/fixtures/effort.js'
import { KATANA_SWITCHES } from '../../../tests/fixtures/katana/switches.js'
import { SPENT } from '../../drivers/pair/service-pair.js'
import { reproduce, secretVariables } from '../../evidence/reproduce.js'
import { HttpResponse } from '../../exchange/http-response.js'
import { resolveScoped } from '../../target/resolve-scoped.js'
import { earlierRequests } from '../suite/repeat.js'
import { planProbes } from './ask/plan-probes.js'
import { openSide } from './ask/service-side.js'
import { compareKatana, KATANA_ACCOUNTS } from './fixtures/katana-pair.js'

const withoutCurl = ((): string | false => {
  try {
    return execFileSync('curl', ['--version'], { encoding: 'utf8' }).startsWith('curl ') ? false : 'no curl'
  } catch {
    return 'there is no curl on this machine'
  }
})()

/** What prepares a sign-in is a secret of the target file. */
const PREPARED = { TOKEN_ASSAY_USER: 'alice-at-acme', TOKEN_ASSAY_CLIENTID: 'with-callback' }

t.test('of every request that a differential sends', { skip: withoutCurl }, async (t) => {
  const provider = await startEmbeddedProvider()
  const servers = await startServers({ name: 'one', settings: serversOf('default'), provider })
  const target = resolveScoped(servers)
  const [deployment] = target.deployments
  const side = openSide({ target, deployment }, { seed: 1 })
  const { accounts } = deployment
  const { session, run } = side
  const passwords = accounts.map(({ password }) => password)
  const variables = [...secretVariables(deployment).values()].filter((name) => /PASSWORD/.test(name))
  const env = {
    PATH: process.env.PATH,
    ...PREPARED,
    ...Object.fromEntries(variables.map((name, index) => [name, passwords[index]])),
  }
  const commands: { readonly text: string; readonly status: number | undefined }[] = []
  for (const probe of planProbes([session], 1, 5)) {
    const asked = await side.ask(probe)
    if (asked === SPENT) continue
    const last = asked.sent.filter(({ label }) => label !== 'prepare').at(-1)
    if (last === undefined) continue
    commands.push({
      text: reproduce(last, run.redactor, accounts, earlierRequests(session, last, asked.sent)),
      status: last.response instanceof HttpResponse ? last.response.status : undefined,
    })
  }
  t.ok(commands.length > 300, `${commands.length} commands`)
  const wrong: string[] = []
  // Two processes each: of those beside each other most are alike.
  await inParallel(everyNth(commands, 9), 4, async ({ text, status }) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', text], {
      env,
      encoding: 'latin1',
      timeout: 120_000,
    })
    // After `100 Continue` the one that counts.
    const got = [...stdout.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, own]) => own).at(-1)
    if (got !== String(status)) wrong.push(`${status}, not ${got}: ${text.slice(0, 400)}`)
  })
  t.strictSame(wrong, [])
  await side.close()
  await servers.close()
  await provider.close()
})

/** A finding of each kind, a registration before a login among them. */
const FOUND = new Set([...everyNth(Object.keys(KATANA_SWITCHES), 32), 'user names are composed'])

t.test('of each finding, for both sides', { skip: withoutCurl }, async (t) => {
  const [alice, bob] = KATANA_ACCOUNTS
  const passwords = { TOKEN_ASSAY_PASSWORD: alice?.password, TOKEN_ASSAY_PASSWORD_2: bob?.password }
  const env = { PATH: process.env.PATH, ...passwords }
  let run = 0
  for (const name of FOUND) {
    const meanwhile = async ({ findings }: Differential): Promise<void> => {
      for (const { title, old, new: now } of findings)
        for (const { exchanges, reproduce } of [old, now]) {
          const text = reproduce ?? ''
          const unspelled = /# cannot be run/.test(text)
          if (unspelled) continue
          const { stdout } = await promisify(execFile)('sh', ['-c', text], { env, encoding: 'latin1' })
          const got = [...stdout.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, own]) => own).at(-1)
          t.equal(got, String(exchanges.at(-1)?.response?.status), `${name}: ${title}: ${text}`)
          run++
        }
    }
    await compareKatana(name, { seed: 1, runs: 5, meanwhile })
  }
  t.ok(run > FOUND.size, `${run} commands`)
})
