import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MUTANTS } from '../../prove/mutants/index.js'
import { startReferenceServer } from '../../reference/server.js'
import { playArtillery } from '../../tests/fixtures/artillery/stand-in.js'
import { isCaught, misjudged } from '../../tests/fixtures/k6/exported.js'
import { exportCommand } from './export.js'

const PASSWORD = 'Alice-and-1-password {{ vars }}'

async function serverOf(t: Test, id?: string): Promise<string> {
  const mutant = MUTANTS.find((one) => one.id === id)
  const server = await startReferenceServer({
    accounts: [{ userName: 'alice', password: PASSWORD }],
    hashing: 'fast',
    ...(mutant && { behaviour: mutant.behaviour() }),
  })
  t.teardown(() => server.close())
  return server.url
}

async function exported(t: Test, ...args: readonly string[]): Promise<string> {
  const file = join(t.testdir(), 'load.yml')
  const output = t.capture(process.stdout, 'write', () => true)
  try {
    await exportCommand.execute([
      'artillery',
      'http://127.0.0.1:1',
      '--user-name',
      'alice',
      '--out',
      file,
      ...args,
    ])
  } finally {
    output.restore()
  }
  return file
}

t.beforeEach(() => {
  process.env.TOKEN_ASSAY_PASSWORD = PASSWORD
})
t.afterEach(() => void delete process.env.TOKEN_ASSAY_BASE_URL)

t.test('in Artillery the reference server is green, and wrong ones fail by their rules', async (t) => {
  const file = await exported(t)
  process.env.TOKEN_ASSAY_BASE_URL = await serverOf(t)
  const { counters, red } = await playArtillery(file, 2)
  t.strictSame(red, [])
  t.equal(counters.get('token_assay.failed'), 0)
  t.ok((counters.get('token_assay.passed') ?? 0) > 300)
  for (const id of ['capital-bearer', 'json-and-empty-body-by-411', 'duplicate-escaped-member']) {
    const mutant = MUTANTS.find((one) => one.id === id)
    if (mutant === undefined) throw new TypeError(id)
    process.env.TOKEN_ASSAY_BASE_URL = await serverOf(t, id)
    const played = await playArtillery(file, 1)
    t.ok(isCaught(mutant, played.red), id)
    t.strictSame(misjudged(mutant, played.red), [], id)
    t.ok((played.counters.get('token_assay.failed') ?? 0) > 0)
  }
})

t.test('every fifth answer of a case is judged', async (t) => {
  const file = await exported(t, '--sample', '5', '--only', '4.1-R1')
  process.env.TOKEN_ASSAY_BASE_URL = await serverOf(t)
  const { counters } = await playArtillery(file, 25)
  // 25 answers, each one check that it came, and one of the rule or of the status.
  t.equal(counters.get('token_assay.passed'), 50)
})

t.test('where no answer comes, the test is red', async (t) => {
  process.env.TOKEN_ASSAY_BASE_URL = 'http://127.0.0.1:1'
  const { counters, red } = await playArtillery(await exported(t))
  t.strictSame(red, ['answered'])
  t.strictSame(counters.get('vusers.failed'), 1)
})

t.test('without its variables nothing is sent', async (t) => {
  const file = await exported(t)
  delete process.env.TOKEN_ASSAY_PASSWORD
  t.strictSame([...(await playArtillery(file)).counters], [['vusers.failed', 1]])
})

t.test('misuse is refused in a sentence', async (t) => {
  const execute = (...args: readonly string[]): Promise<number> =>
    exportCommand.execute(['artillery', ...args])
  await t.rejects(execute('http://127.0.0.1:1', '--user-name', 'a'), {
    message: 'export artillery writes two files: --out FILE.yml, and its processor beside it',
  })
})
