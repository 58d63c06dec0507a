import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { SUITE } from '../../reports/model/compose-report.js'
import { isNight } from '../fixtures/effort.js'
import { blocksOf, programOf } from '../fixtures/page.js'
import { runAsUser as run } from '../fixtures/run-as-user.js'
import { followTutorial, missingLine } from '../fixtures/tutorial.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

const work = await realpath(await mkdtemp(join(tmpdir(), 'token-assay-')))
t.teardown(() => rm(work, { recursive: true, force: true }))
const consumer = join(work, 'consumer')

t.test('the package holds what is needed and nothing else', async (t) => {
  // Built anew before these tests.
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], ROOT)
  t.equal(packed.exitCode, 0, 'packed', { packed })
  const [{ filename, files }] = JSON.parse(packed.stdout)
  const paths: readonly string[] = files.map(({ path }: { path: string }) => path)
  const data =
    /^spec\/(?:[\w-]+\.yaml|(?:cases|client)\/[\w.-]+\.yaml|profiles\/[\w-]+\/[\w-]+\.yaml|schemas\/[\w-]+\.schema\.json)$/
  const page =
    /^(?:docs\/(?:(?:tutorials|in-your-tests)\/)?[\w-]+\.(?:md|yaml)|adapters\/[a-z]+\/[\w.]+|examples\/[\w./-]+)$/
  const others = paths.filter((path) => ![/^dist\//, data, page].some((shipped) => shipped.test(path)))
  t.strictSame(others.toSorted(), [
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'Dockerfile',
    'LICENSE',
    'README.md',
    'package.json',
    'reference/control/openapi.yaml',
  ])
  t.strictSame(
    paths.filter((path) =>
      /^(?!docs\/|examples\/|adapters\/)(?:dist\/tests\/|.*(?:\.test\.|fixture|interop|scripts|[^d]\.ts$|\.map$))/.test(
        path.replace(/\.d\.ts$/, ''),
      ),
    ),
    [],
    'no tests, no fixtures, no sources',
  )
  t.notOk(
    paths.some((path) => /node_modules|package-lock/.test(path)),
    'nothing installed',
  )
  for (const [, link = ''] of (await readFile(join(ROOT, 'README.md'), 'utf8')).matchAll(
    /\]\(([^\s)#]+)[^\s)]*\)/g,
  ))
    if (!/^[a-z]+:/.test(link))
      t.ok(
        paths.some((path) => path === link || path.startsWith(`${link}/`)),
        `README.md: ${link}`,
      )
  const needed = ['dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js', 'spec/openapi.yaml']
  t.ok(needed.every((path) => paths.includes(path)))

  await mkdir(consumer)
  const options = ['--no-audit', '--no-fund', '--prefer-offline']
  const installed = await run('npm', ['install', ...options, join(work, filename)], consumer)
  t.equal(installed.exitCode, 0, 'installed', { installed })
})

t.test('installed into an empty folder, the command runs and leaves a report', async (t) => {
  const { exitCode, stdout, stderr } = await run(
    'npx',
    ['--no', '--', 'token-assay', 'run', '--embedded'],
    consumer,
  )
  t.equal(exitCode, 0, 'run', { stderr })
  t.match(stdout, /\n✓ CONFORMANT: /)
  const report = JSON.parse(await readFile(join(consumer, 'token-assay-report/report.json'), 'utf8'))
  t.match(report, { schemaVersion: 2, verdict: 'conformant' })
  t.equal(
    (await run('npx', ['--no', '--', 'token-assay', '--version'], consumer)).stdout,
    `${SUITE.version}\n`,
  )
})

t.test('misuse is refused without a stack trace', async (t) => {
  await writeFile(join(consumer, 'target.yaml'), 'baseUrl: http://127.0.0.1:9\nbogus: 1\n')
  await mkdir(join(consumer, 'cases'))
  await writeFile(join(consumer, 'cases/own.yaml'), 'nothing: []\n')
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { exitCode, stderr } = await run('npx', ['--no', '--', 'token-assay', 'run', ...args], consumer)
    t.equal(exitCode, 2, args.join(' '))
    t.notMatch(stderr, /\n +at /)
    return stderr
  }
  t.match(await refused('--target', 'target.yaml'), /^token-assay: target\.yaml:2:1: .*, found "bogus"$/m)
  t.match(await refused('--embedded', '--cases', 'cases'), /^token-assay: cases\/own\.yaml:1:1: /m)
  t.match(await refused('--embedded', '--baseline', 'none.json'), /^token-assay: none\.json: /m)
})

t.test('every tutorial, followed from an empty folder', async (t) => {
  t.jobs = 3
  // The client of the last one is a process for each of hundreds of sign-ins.
  for (const page of [
    'migrate-a-katana-service',
    'a-cut-over-that-no-one-notices',
    'gate-a-deployment',
    ...(isNight ? ['test-your-client'] : []),
  ])
    t.test(page, async (t) => {
      const folder = await mkdtemp(join(work, 'tutorial-'))
      await symlink(join(consumer, 'node_modules'), join(folder, 'node_modules'))
      const bin = join(consumer, 'node_modules/.bin')
      const steps = await followTutorial(`docs/tutorials/${page}.md`, folder, bin)
      t.ok(steps.filter(({ printed }) => printed.length > 0).length > 3)
      for (const step of steps) {
        const { shell, exitCode, output } = step
        t.strictSame({ exitCode, missing: missingLine(step) }, { exitCode: 0, missing: undefined }, shell, {
          output,
        })
      }
    })
})

t.test('it exports exactly what is promised', async (t) => {
  const script = `
    const names = async (name) => Object.keys(await import(name)).sort()
    const { default: schema } = await import('token-assay/schemas/report.schema.json', { with: { type: 'json' } })
    const hidden = await import('token-assay/dist/index.js').catch(({ code }) => code)
    const runners = await Promise.all(['tap', 'node-test', 'vitest', 'mocha'].map((name) => names('token-assay/' + name)))
    console.log(JSON.stringify([await names('token-assay'), runners.flat(), schema.type, hidden]))`
  const args = ['--no-warnings', '--input-type=module', '--eval', script]
  const { stdout, stderr } = await run(process.execPath, args, consumer)
  t.strictSame(
    JSON.parse(stdout || 'null'),
    [
      ['AssayError', 'ControlError', 'assayClient', 'assess', 'connectControl', 'startReferenceServer'],
      ['conformance', 'conformance', 'conformance', 'conformance'],
      'object',
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    ],
    'exports',
    { stderr },
  )
})

t.test('it can be required, and both builds know the errors of each other', async (t) => {
  const script = `
    const required = require('token-assay')
    const runners = ['tap', 'node-test', 'mocha'].flatMap((name) => Object.keys(require('token-assay/' + name)))
    const { conformance } = require('token-assay/node-test')
    import('token-assay').then(async (imported) => {
      const [error, refusal] = [new imported.ControlError('full', 'x'), new required.AssayError('usage', 'x')]
      class Own extends imported.ControlError {}
      const own = new Own('full', 'x')
      // The adapter's engine is that of require('token-assay').
      const thrown = await conformance({}, {}).catch((error) => Object.getPrototypeOf(error) === required.AssayError.prototype)
      console.log(JSON.stringify({
        names: Object.keys(required).sort(), runners, thrown,
        apart: imported.AssayError !== required.AssayError,
        across: [error instanceof required.ControlError, error instanceof required.AssayError, refusal instanceof imported.AssayError],
        others: [refusal instanceof imported.ControlError, error instanceof Own, new Error('x') instanceof required.AssayError],
        derived: [own instanceof Own, own instanceof required.ControlError],
      }))
    })`
  const { stdout, stderr } = await run(
    process.execPath,
    ['--input-type=commonjs', '--eval', script],
    consumer,
  )
  t.strictSame(
    JSON.parse(stdout || 'null'),
    {
      names: [
        'AssayError',
        'ControlError',
        'assayClient',
        'assess',
        'connectControl',
        'startReferenceServer',
      ],
      runners: ['conformance', 'conformance', 'conformance'],
      thrown: true,
      apart: true,
      across: [true, true, true],
      others: [false, false, false],
      derived: [true, true],
    },
    'required',
    { stderr },
  )
})

t.test('the examples of README and docs type-check in it, and the first one runs', async (t) => {
  const [api = '', tap = ''] = blocksOf('docs/in-your-tests.md').flatMap(({ language, text }) =>
    language === 'ts' ? [text] : [],
  )
  t.equal(programOf('README.md', 'ts'), api)
  t.match(api, /from 'token-assay'/)
  t.match(tap, /from 'token-assay\/tap'/)
  const declared =
    'declare const baseUrl: string\ndeclare const accounts: { userName: string; password: string }[]\n'
  await writeFile(join(consumer, 'api.mts'), api)
  await writeFile(join(consumer, 'tap.mts'), declared + tap)
  for (const page of ['control', 'testing-with-the-reference-server'])
    await writeFile(join(consumer, `${page}.mts`), programOf(`docs/${page}.md`, 'ts'))
  // The types of the build that is required are those of the one that is imported.
  await writeFile(join(consumer, 'required.cts'), REQUIRED)
  await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify(CONSUMER_CONFIG))
  // What a user of these has already.
  await symlink(join(ROOT, 'node_modules/tap'), join(consumer, 'node_modules/tap'))
  await symlink(join(ROOT, 'node_modules/@types'), join(consumer, 'node_modules/@types'))
  const checked = await run(process.execPath, [TSC, '-p', '.'], consumer)
  // What is wrong in tap's own declarations, outside, is not ours to mend.
  t.strictSame(
    checked.stdout.split('\n').filter((line) => /^[^. ]/.test(line)),
    [],
  )
  const ran = await run(process.execPath, ['api.mjs'], consumer)
  t.match(ran.stdout, /^conformant \{/, 'run', { ran })
})

t.test('there is one version', async (t) => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  t.equal(SUITE.version, version)
})

const REQUIRED = `
import { AssayError, type AssayErrorCode, ControlError, type ReferenceServer, startReferenceServer } from 'token-assay'
import { conformance } from 'token-assay/node-test'
import { test } from 'node:test'

type Imported = import('token-assay', { with: { 'resolution-mode': 'import' } }).ReferenceServer
export async function start(): Promise<Imported> {
  const server: ReferenceServer = await startReferenceServer({ accounts: [] })
  return server
}
export const codeOf = (error: unknown): AssayErrorCode | string =>
  error instanceof ControlError || error instanceof AssayError ? error.code : 'none'
export const own: AssayError<'usage'> = new AssayError('usage', 'x')
// @ts-expect-error: no such option
export const wrong = startReferenceServer({ account: [] })
test('the service', async (t) => {
  await conformance(t, { baseUrl: 'http://127.0.0.1:1', accounts: [] })
})
`

const CONSUMER_CONFIG = {
  compilerOptions: { module: 'NodeNext', target: 'ES2022', strict: true, types: ['node'] },
}
