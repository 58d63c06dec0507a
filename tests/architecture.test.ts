import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { architectureProblems, type Source } from './architecture.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = [
  'spec',
  'reference',
  'conformance',
  'reports',
  'prove',
  'client',
  'differential',
  'proxy',
  'web',
  'ui',
  'cli',
  'interop',
  'scripts',
  'examples',
  'bench',
]

/** Without those of dependencies: the examples have their own. */
function sourcesIn(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`))
    .map((file) => ({ path: relative(root, file).replaceAll(sep, '/'), text: readFileSync(file, 'utf8') }))
}

const present = readdirSync(root)
const sources = [
  ...folders.filter((folder) => present.includes(folder)).flatMap(sourcesIn),
  { path: 'index.ts', text: readFileSync(join(root, 'index.ts'), 'utf8') },
]

t.test('the house is built as its plan says', async (t) => {
  t.ok(sources.length > 100, 'the sources are found')
  t.strictSame(architectureProblems(sources), [])
})

t.test('every planted violation is found', async (t) => {
  const plants: readonly (readonly [path: string, text: string, problem: RegExp])[] = [
    [
      'spec/x.ts',
      "import type { Account } from '../reference/store/accounts.js'",
      /^spec imports no other room/,
    ],
    ['spec/deep/x.ts', "export * from '../../conformance/judge/judge.js'", /^spec imports no other room/],
    [
      'reference/server.ts',
      "import { judge } from '../conformance/judge/judge.js'",
      /^reference imports spec.model, the generated validators and web only/,
    ],
    [
      'reference/routes/x.ts',
      "import { worst } from '../../spec/load/load.js'",
      /^reference imports spec.model, the generated validators and web only/,
    ],
    [
      'conformance/cases/x.ts',
      "import { startReferenceServer } from '../../reference/server.js'",
      /^conformance does not import reference/,
    ],
    [
      'conformance/judge/checks/x.ts',
      "const x = await import('../../../reference/server.js')",
      /^conformance does not import reference/,
    ],
    [
      'reports/x.ts',
      "import type { Tally } from '../conformance/cases/tally.js'",
      /^reports import spec only/,
    ],
    [
      'conformance/cases/x.ts',
      "import '../../prove/mutants/index.js'",
      /^prove is imported by cli and scripts only/,
    ],
    ['ui/x.ts', "import '../reference/server.js'", /^ui imports spec, conformance/],
    ['conformance/cases/x.ts', "import '../../ui/session.js'", /^ui imports spec, conformance/],
    ['web/x.ts', "import '../reference/server.js'", /^web imports no other room/],
    ['conformance/cases/x.ts', "import '../../proxy/proxy.js'", /^proxy is imported by cli only/],
    ['conformance/cases/x.ts', "import '../../cli/main.js'", /^nothing imports cli/],
    ['index.ts', "export { main } from './cli/main.js'", /^nothing imports cli/],
    ['conformance/session/x.ts', "import { Client } from 'undici'", /^undici is imported in transport/],
    [
      'conformance/judge/judge.ts',
      "import { readFileSync } from 'node:fs'",
      /^the judge imports no network, file or clock/,
    ],
    [
      'conformance/wire/x.ts',
      "import timers from 'timers/promises'",
      /^the judge imports no network, file or clock/,
    ],
    [
      'conformance/judge/checks/x.ts',
      "import { createExecutor } from '../../transport/executor.js'",
      /^the judge imports no network, file or clock/,
    ],
    ['conformance/judge/checks/x.ts', 'export const now = Date.now()', /^the judge reads no clock/],
    ['conformance/wire/x.ts', 'const at = performance.now()', /^the judge reads no clock/],
    ['reference/http/form.ts', "import '../service.js'", /^upwards: reference.http.form.ts imports/],
    ['reference/service.ts', "import '../reference/routes/token.js'", /^upwards: reference.service.ts/],
    ['reference/x.ts', '', /^in no layer: reference.x.ts/],
    ['conformance/judge/x.ts', "import '../cases/attempt.js'", /^upwards: conformance.judge.x.ts imports/],
    ['conformance/wire/x.ts', "import type { Judge } from '../judge/x.js'", /^upwards: conformance.wire/],
    ['conformance/cases/x.ts', "await import('../run.js')", /^upwards: conformance.cases/],
    ['conformance/cases/x.ts', "import { a } from '../fixtures/answers.js'", /imports the test/],
  ]
  for (const [path, text, problem] of plants) {
    const problems = architectureProblems([{ path, text }])
    t.equal(problems.length, 1, `${text} in ${path}`)
    t.match(problems[0] ?? '', problem)
  }
})

t.test('cycles are found, of types too, and long ones', async (t) => {
  const file = (name: string, ...imports: readonly string[]): Source => ({
    path: `reports/${name}.ts`,
    text: imports.map((to) => `import type { X } from './${to}.js'`).join('\n'),
  })
  const cycle = [file('a', 'b', 'e'), file('b', 'c'), file('c', 'd'), file('d', 'b'), file('e')]
  t.strictSame(architectureProblems(cycle), [
    'import cycle: reports/b.ts -> reports/c.ts -> reports/d.ts -> reports/b.ts',
  ])
  t.strictSame(architectureProblems([file('a', 'a')]), ['import cycle: reports/a.ts -> reports/a.ts'])
  t.strictSame(
    architectureProblems([file('a', 'b', 'c'), file('b', 'c'), file('c')]),
    [],
    'a diamond is none',
  )
})

t.test('what is allowed is not found', async (t) => {
  const allowed: readonly Source[] = [
    {
      path: 'reference/server.ts',
      text: "import type { Json } from '../spec/model/json.js'\nimport { request } from 'undici'",
    },
    { path: 'conformance/transport/executor.ts', text: "import { Client } from 'undici'" },
    {
      path: 'cli/x.ts',
      text: "import '../reference/server.js'\nimport '../conformance/run.js'\nimport '../reports/json.js'",
    },
    {
      path: 'conformance/run.test.ts',
      text: "import '../reference/server.js'\nimport '../reports/reconcile.js'",
    },
    {
      path: 'conformance/judge/checks/x.ts',
      text: '// Date.now() is not read here\n/* nor performance.now() */',
    },
    { path: 'conformance/cases/x.ts', text: 'const text = "import \'../cli/main.js\'"' },
  ]
  t.strictSame(architectureProblems(allowed), [])
})
