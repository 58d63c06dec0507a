/** The rules of `.dependency-cruiser.cjs` are each seen red once, and what they cannot say of one composer is said here. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = join(ROOT, '.dependency-cruiser.cjs')
const require = createRequire(import.meta.url)
const RULES: readonly { readonly name: string }[] = require(CONFIG).forbidden

/** For each rule an import that breaks it: from which file, and what it imports. */
const PLANTED: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-cycle': ['spec/check/own.ts', 'spec/check/own.ts'],
  'nothing-imports-cli': ['tools/x.ts', 'cli/main.ts'],
  'prove-is-imported-by-cli-and-tools': ['reports/x.ts', 'prove/x.ts'],
  'only-the-host-driver-starts-the-reference-server': [
    'conformance/drivers/send/x.ts',
    'reference/server.ts',
  ],
  'undici-only-in-send': ['cli/x.ts', 'node_modules/undici/index.js'],
  'the-judge-is-pure': ['conformance/judge/x.ts', 'node:fs'],
  'no-driver-imports-another': ['conformance/drivers/relay/x.ts', 'conformance/drivers/pair/x.ts'],
  'run-loads-no-mutation-code': ['cli/run/x.ts', 'prove/y.ts'],
  'only-the-redactor-searches-for-secrets': ['cli/y.ts', 'conformance/evidence/token-search.ts'],
  'nothing-imports-a-test': ['spec/load/x.ts', 'spec/load/y.test.ts'],
  'spec-imports-nothing': ['spec/model/x.ts', 'reports/formats/x.ts'],
  'pages-imports-only-what-it-may': ['pages/x.ts', 'reference/clock.ts'],
  'reference-imports-only-what-it-may': ['reference/http/x.ts', 'conformance/plan/x.ts'],
  'reports-imports-only-what-it-may': ['reports/y.ts', 'conformance/plan/y.ts'],
  'conformance-imports-only-what-it-may': ['conformance/plan/z.ts', 'prove/z.ts'],
  'prove-imports-only-what-it-may': ['prove/a.ts', 'tools/a.ts'],
  'reference-imports-downwards': ['reference/http/y.ts', 'reference/server.ts'],
  'conformance-imports-downwards': ['conformance/target/x.ts', 'conformance/runners/x.ts'],
  'reference-has-no-other-layer': ['cli/z.ts', 'reference/odd/x.ts'],
  'conformance-has-no-other-layer': ['cli/a.ts', 'conformance/odd/x.ts'],
}

function broken(folder: string): readonly string[] {
  const cruise = join(ROOT, 'node_modules/.bin/depcruise')
  const rooms = ['spec', 'reference', 'conformance', 'reports', 'pages', 'prove', 'cli', 'tools']
  const args = ['--config', CONFIG, '--output-type', 'json', ...rooms]
  const { stdout } = spawnSync(cruise, args, { cwd: folder, encoding: 'utf8' })
  const { summary } = JSON.parse(stdout)
  return summary.violations.map(
    ({ rule, from }: { readonly rule: { readonly name: string }; readonly from: string }) =>
      `${rule.name}: ${from}`,
  )
}

t.test('each rule of who may import whom is seen red', async (t) => {
  const folder = t.testdir({ 'tsconfig.json': readFileSync(join(ROOT, 'tsconfig.json'), 'utf8') })
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { flag: 'a' })
  }
  write('node_modules/undici/package.json', '{"name":"undici","main":"index.js"}')
  for (const [from, to] of Object.values(PLANTED)) {
    const path = `${'../'.repeat(from.split('/').length - 1)}${to.replace(/\.ts$/, '.js')}`
    if (!to.startsWith('node:')) write(to, 'export const x = 1\n')
    write(from, `import '${to.startsWith('node') ? to.replace(/^node_modules\/(\w+).*/, '$1') : path}'\n`)
  }
  const found = broken(folder)
  for (const name of new Set(RULES.map(({ name }) => name)))
    t.ok(found.includes(`${name}: ${PLANTED[name]?.[0]}`), name)
})

/** Ways to print that are not those of cli/shared/print.ts. */
const PRINTING = [
  'process.stdout.write(x)',
  'process?.stderr.isTTY',
  "process['stdout'].write(x)",
  'process[name].write(x)',
  'process._rawDebug(x)',
  'const { stdout } = process',
  'const all = process',
  'console.log(x)',
  'globalThis.console.log(x)',
  'globalThis.process.stdout.write(x)',
  "import { stdout } from 'node:process'",
  'import * as own from "console"',
  "const own = await import('node:process')",
  'writeSync(1, x)',
  'fs.writeFileSync(2, x)',
]

t.test('only cli/shared/print.ts prints: each other way is seen red', async (t) => {
  const { vcs: _, $schema: __, ...config } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
  const [first, ...others] = config.overrides
  const overrides = [{ ...first, plugins: first.plugins.map((path: string) => join(ROOT, path)) }, ...others]
  const planted = PRINTING.map((line, index) => [`${index}.ts`, `${line}\n`])
  const folder = t.testdir({
    'biome.json': JSON.stringify({ ...config, overrides }),
    cli: {
      ...Object.fromEntries(planted),
      'allowed.ts': 'process.on(x, () => process.exit(1))\nrun(processes)\n',
      shared: { 'print.ts': 'process.stdout.write(x)\n' },
    },
  })
  const args = ['lint', '--reporter=json', '--diagnostic-level=error', '--max-diagnostics=none', '.']
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' })
  const found: readonly { category: string; location: { path: string } }[] = JSON.parse(stdout).diagnostics
  const red = found.filter(({ category }) => category === 'plugin').map(({ location }) => location.path)
  t.strictSame([...new Set(red)].sort(), planted.map(([name]) => `cli/${name}`).sort())
})

/** What a report has of its own, and its header does not. */
const OF_A_REPORT = ['verdict', 'counts', 'rules', 'results']

t.test('only compose-report.ts builds a report', async (t) => {
  const listed = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' })
  const sources = listed
    .split('\n')
    .filter((path) => path !== '' && !/\.test\.ts$|^tests\/|\/fixtures\//.test(path))
  const builders = sources.filter((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    if (!OF_A_REPORT.every((name) => text.includes(name))) return false
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
    const builds = (node: ts.Node): boolean => {
      const names = ts.isObjectLiteralExpression(node)
        ? node.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? name.text : []))
        : []
      return OF_A_REPORT.every((name) => names.includes(name)) || (ts.forEachChild(node, builds) ?? false)
    }
    return builds(source)
  })
  t.strictSame(builders, ['reports/model/compose-report.ts'])
})
