/**
 * `npm run docs:formats -- --record`: the four runs that `docs/formats.md` shows, made against a small service and kept as
 * `reports/fixtures/runs/NAME.ndjson`.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReferenceServer } from '../../reference/server.js'
import { writeIfChanged } from '../../tools/write-if-changed.js'
import { callCommand } from '../fixtures/call-command.js'
import { alice, bob, startFieldService, targetFor } from '../fixtures/field-service.js'
import { recordingOf } from './formats-page.js'

/** Stands for every address of the services. */
const SHOWN = 'http://127.0.0.1:5000'

export async function recordRuns(): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'token-assay-'))
  const run = async (name: string, url: string, args: readonly string[]): Promise<void> => {
    writeFileSync(join(cwd, 'token-assay.yaml'), targetFor(url, { name: 'Contoso accounts' }))
    const common = ['run', '--seed', '7', '--keep-exchanges', 'none', '--quiet']
    await callCommand([...common, '--reporter', 'ndjson=run.ndjson', ...args], { cwd })
    const text = readFileSync(join(cwd, 'run.ndjson'), 'utf8').replaceAll(url, SHOWN)
    writeIfChanged(recordingOf(name), text)
  }

  const ends: (() => unknown)[] = []
  const owner = { teardown: (end: () => unknown) => void ends.push(end) }
  const flaky = await startFieldService(owner, ({ count }) =>
    count % 20 === 10 ? { status: 500 } : undefined,
  )
  await run('unstable', flaky.url, [])
  const calm = await startFieldService(owner, () => undefined)
  await run('stopped', calm.url, ['--max-duration', '1'])
  for (const end of ends) await end()

  let tokenType = 'Bearer'
  await using server = await startReferenceServer({
    accounts: [alice, bob],
    hashing: 'fast',
    behaviour: { tokenType: () => tokenType },
  })
  const baseline = ['--baseline', 'baseline.yaml']
  await run('waived', server.url, [...baseline, '--update-baseline'])
  const file = join(cwd, 'baseline.yaml')
  const explained = readFileSync(file, 'utf8')
    .replace(/reason: .*/, 'reason: clients compare without case')
    .replace(/owner: .*/, 'owner: accounts team')
  writeFileSync(file, explained)
  await run('waived', server.url, baseline)
  tokenType = 'bearer'
  await run('stale', server.url, baseline)
}
