/** `npm run test:artillery`: an exported test in the real Artillery. Not part of `npm test`; `tools/nightly.sh` installs the tool. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { exportCommand } from '../../cli/export/export.js'
import { MUTANTS } from '../../prove/mutants/index.js'
import { startReferenceServer } from '../../reference/server.js'

const artillery = process.env.ARTILLERY
const skip = artillery === undefined && 'Artillery is not here: ARTILLERY=FILE'
const accounts = [{ userName: 'alice', password: 'Alice-and-1-password {{ vars }}' }]
/** The first is the reference itself. */
const SERVERS = [
  undefined,
  'capital-bearer',
  'duplicate-escaped-member',
  'json-and-empty-body-by-411',
  'error-in-utf-16',
  'media-type-suffix',
  'one-expires-in-in-fifty',
]

async function run(file: string, env: NodeJS.ProcessEnv): Promise<{ exitCode: number | null; text: string }> {
  const child = spawn(artillery ?? '', ['run', file], {
    env: { ...process.env, ARTILLERY_DISABLE_TELEMETRY: 'true', ...env },
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  child.stderr.on('data', (chunk) => (text += chunk))
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  return { exitCode, text }
}

t.test('in Artillery the reference is green, and mutants fail by their rules', { skip }, async (t) => {
  const file = join(t.testdir(), 'load.yml')
  await exportCommand.execute(['artillery', 'http://127.0.0.1:1', '--user-name', 'alice', '--out', file])
  for (const id of SERVERS) {
    const mutant = MUTANTS.find((one) => one.id === id)
    t.equal(mutant?.id, id)
    const server = await startReferenceServer({
      accounts,
      hashing: 'fast',
      ...(mutant && { behaviour: mutant.behaviour() }),
    })
    const { exitCode, text } = await run(file, {
      TOKEN_ASSAY_BASE_URL: server.url,
      TOKEN_ASSAY_PASSWORD: accounts[0]?.password,
    })
    await server.close()
    const failed = [...text.matchAll(/failed_check\.\S+ (\S+):/g)].map(([, rule]) => rule)
    const broken = mutant === undefined ? [] : [...mutant.violates, ...mutant.collateral]
    t.equal(exitCode, mutant === undefined ? 0 : 1, mutant?.id ?? 'the reference')
    t.strictSame(
      failed.filter((rule) => !broken.some((one) => one === rule)),
      [],
      text.slice(-2000),
    )
    t.ok(mutant === undefined || failed.length > 0, mutant?.id ?? 'the reference')
  }
  const unset = await run(file, { TOKEN_ASSAY_PASSWORD: '' })
  t.equal(unset.exitCode, 1)
  t.match(unset.text, /expected the environment variable TOKEN_ASSAY_PASSWORD to be set/)
})
