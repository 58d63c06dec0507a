/** Whom a change of a Katana service breaks, as `diff` tells it, is whom it breaks at the changed service itself. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { inParallel } from '../../../../spec/model/items.js'
import { everyNth, isNight } from '../../../../tests/fixtures/effort.js'
import { KATANA_SWITCHES } from '../../../../tests/fixtures/katana/switches.js'
import { installedClients } from '../../../../tools/interop/clients/clients.js'
import { commandClient } from '../../../drivers/host/run-command.js'
import { compareKatana } from '../fixtures/katana-pair.js'
import {
  callAtKatana,
  isWorse,
  PLAIN_LOGINS,
  type RealEnd,
  type TypedLogin,
  UNUSUAL_LOGINS,
} from '../fixtures/label-client.js'
import type { ComparedClient } from './client-trials.js'

const AGREEMENT = 0.99
const TIME_OUT_MS = 15_000

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../../tests/fixtures/clients/${name}`, import.meta.url))
const PARTICULAR = [
  ...['nothing', 'type', 'media type', 'dates', 'number', 'lifetime', 'user', 'cookie', 'caching', 'order'],
  ...[
    'members',
    'long',
    'status',
    'errors',
    'charset',
    'capital names',
    'client_id',
    'scope',
    'plus',
    'basic',
  ],
  ...['html', 'small path', 'trims'],
].map((about) => [about, process.execPath, fixture('particular.mjs'), about] as const)
const runnable = (name: string, [program, ...args]: readonly [string, ...string[]]): ComparedClient => ({
  name,
  run: commandClient(program, args, TIME_OUT_MS),
})
const PLANTED: readonly ComparedClient[] = [
  ...PARTICULAR,
  ['python', 'python3', fixture('sign_in.py')] as const,
  ['shell', 'sh', fixture('sign-in.sh')] as const,
].map(([name, ...command]) => runnable(name, command))
const REAL = installedClients().map(({ name, command }) => runnable(name, command))

const clients = isNight ? [...PLANTED, ...REAL] : everyNth(PLANTED, 6)
const switches = everyNth(
  Object.entries(KATANA_SWITCHES).filter(
    ([, { says }]) => !/registration|password.*(minimum|digit)/.test(says.source),
  ),
  60,
)

const atOld = new Map<string, Promise<RealEnd>>()
const callAtOld = (client: ComparedClient, login: TypedLogin): Promise<RealEnd> => {
  const key = JSON.stringify([client.name, login])
  const known = atOld.get(key) ?? callAtKatana(client.run, {}, login)
  atOld.set(key, known)
  return known
}

t.test('whom a change breaks is whom it breaks at the changed service', async (t) => {
  let [pairs, agreed] = [0, 0]
  for (const [name, { changes }] of switches) {
    const report = await compareKatana(name, { seed: 1, runs: 5, clients })
    t.strictSame(
      report.clients?.flatMap(({ obstacle }) => obstacle ?? []),
      [],
    )
    const broken = new Set(
      report.findings.flatMap((one) => one.clients?.breaks.map(({ client }) => client) ?? []),
    )
    // Only what a service makes of credentials differs with them.
    const isOfCredentials = Object.keys(changes).some((key) =>
      /userKey|matches|decode|shownName|error|failure/.test(key),
    )
    const logins = isOfCredentials ? [...PLAIN_LOGINS, ...UNUSUAL_LOGINS] : PLAIN_LOGINS
    await inParallel(clients, 4, async (client) => {
      let label: TypedLogin | undefined
      for (const login of logins) {
        const old = await callAtOld(client, login)
        if (isWorse(old, await callAtKatana(client.run, changes, login), login.userName)) label ??= login
      }
      pairs++
      if (broken.has(client.name) === (label !== undefined)) agreed++
      else
        t.comment(
          `${name}, ${client.name}: ${label ? `breaks with ${JSON.stringify(label)}` : 'does not break'}`,
        )
    })
  }
  t.ok(agreed >= AGREEMENT * pairs, `${agreed} of ${pairs}`)
  t.comment(`${agreed} of ${pairs} agree`)
})

t.test('no client breaks where nothing differs', async (t) => {
  const report = await compareKatana(undefined, { seed: 1, runs: 5, clients })
  t.strictSame(report.findings, [])
})
