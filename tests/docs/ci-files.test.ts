/** The examples for continuous integration and the image: what can be held without the machines that read them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { SUITE } from '../../reports/model/compose-report.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const PINNED_IMAGE = /^node:\d+\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64}$/

t.test(
  'the workflow for GitHub: pinned, least rights, secrets as inputs alone, one shard each',
  async (t) => {
    const text = read('examples/ci/shards/github.yml')
    const { jobs, permissions } = parse(text)
    t.strictSame(permissions, { contents: 'read' })
    const others = Object.values<{ steps: { uses?: string; run?: string; with?: object }[] }>(jobs).flatMap(
      ({ steps }) => steps,
    )
    for (const { uses, run } of others) {
      if (uses !== undefined && !uses.startsWith('OWNER/')) t.match(uses, /^actions\/[a-z-]+@[0-9a-f]{40}$/)
      t.notMatch(run ?? '', /\$\{\{/, 'no expression in a script')
    }
    const shards: readonly string[] = jobs.assay.strategy.matrix.shard
    t.strictSame(
      shards,
      shards.map((_, index) => `${index + 1}/${shards.length}`),
    )
    const inputs = parse(read('action.yml')).inputs
    const used = others.find(({ uses }) => uses?.startsWith('OWNER/'))?.with ?? {}
    for (const name of Object.keys(used)) t.ok(Object.hasOwn(inputs, name), name)
    t.strictSame(text.match(/secrets\.\w+/g), ['secrets.TOKEN_ASSAY_PASSWORD'])
  },
)

t.test(
  'the workflows of this project: pinned actions, least rights, the gates of .ci/run and the night',
  async (t) => {
    for (const name of readdirSync(join(ROOT, '.github/workflows'))) {
      const text = read(`.github/workflows/${name}`)
      t.strictSame(parse(text).permissions, { contents: 'read' }, name)
      for (const [, action = ''] of text.matchAll(/uses: (.*)/g))
        t.match(action, /^actions\/[a-z-]+@[0-9a-f]{40} # v/)
    }
    const { jobs, on } = parse(read('.github/workflows/ci.yml'))
    t.ok('pull_request' in on)
    t.strictSame(jobs.linux.strategy.matrix.node, [20, 22, 24, 26])
    t.equal(jobs.linux.steps.at(-1).run, 'bash .ci/run')
    const nightly = parse(read('.github/workflows/nightly.yml'))
    t.equal(nightly.on.schedule.length, 1)
    t.match(nightly.jobs.nightly.steps.at(-1).run, / tools\/nightly\.sh$/)
  },
)

t.test('the pipeline for GitLab: a pinned image, a part each, evidence of what failed too', async (t) => {
  const { default: defaults, assay, verdict } = parse(read('examples/ci/shards/gitlab-ci.yml'))
  t.match(defaults.image, PINNED_IMAGE)
  t.equal(assay.parallel, 4)
  t.match(assay.script.join('\n'), '--shard "$CI_NODE_INDEX/$CI_NODE_TOTAL" --seed "$CI_PIPELINE_IID"')
  t.equal(assay.artifacts.when, 'always')
  t.equal(verdict.when, 'always')
  t.strictSame(verdict.needs, ['assay'])
})

t.test(
  'the pipeline for Azure DevOps: a part each, the secret in one step, evidence of what failed too',
  async (t) => {
    const { jobs } = parse(read('examples/ci/shards/azure-pipelines.yml'))
    const [assay, verdict] = jobs
    t.strictSame([assay.job, verdict.job, verdict.dependsOn], ['assay', 'verdict', 'assay'])
    t.equal(assay.strategy.parallel, 4)
    const run = assay.steps.find(({ displayName }: { displayName?: string }) => displayName === 'assay')
    t.match(
      run.script,
      '--shard "$SYSTEM_JOBPOSITIONINPHASE/$SYSTEM_TOTALJOBSINPHASE" --seed "$BUILD_BUILDID" --out "part-$SYSTEM_JOBPOSITIONINPHASE"',
    )
    t.strictSame(run.env, { TOKEN_ASSAY_PASSWORD: '$(TOKEN_ASSAY_PASSWORD)' })
    t.equal(verdict.condition, 'succeededOrFailed()')
    for (const { publish, condition } of [...assay.steps, ...verdict.steps])
      if (publish !== undefined) t.equal(condition, 'succeededOrFailed()')
    for (const { script } of [...assay.steps, ...verdict.steps])
      t.notMatch(script ?? '', /\$\(/, 'no expression in a script')
  },
)

t.test(
  'the pipeline for Jenkins: a part each, secrets for the shell alone, evidence of what failed too',
  async (t) => {
    const text = read('examples/ci/shards/Jenkinsfile')
    const parts = [...(/values (.*)/.exec(text)?.[1] ?? '').matchAll(/'(\d)'/g)].map(([, part]) => part)
    t.strictSame(parts, ['1', '2', '3', '4'])
    t.match(text, `--shard "$PART/${parts.length}" --seed "$BUILD_NUMBER"`)
    t.match(text, `for (part in ['${parts.join("', '")}']) unstash`)
    // Groovy would put a value into a script between double quotes; between single ones the shell reads the variable.
    for (const [, quote] of text.matchAll(/\bsh (['"]+)/g)) t.match(quote, /^'/)
    t.match(text, 'catchError(')
    // Outside of comments and texts every bracket is closed.
    const code = text.replaceAll(/\/\/.*|'{3}[\s\S]*?'{3}|'[^']*'|"[^"]*"/g, '')
    for (const [open, close] of ['{}', '()', '[]'])
      t.equal(code.split(open ?? '').length, code.split(close ?? '').length, `${open}${close}`)
  },
)

t.test('what the examples call has the flags that they give', async (t) => {
  const flags = ['run/run-flags.ts', 'merge.ts', 'shared/common-flags.ts', 'shared/outputs.ts']
  const known = flags.map((name) => read(`cli/${name}`)).join('')
  for (const file of ['gitlab-ci.yml', 'azure-pipelines.yml', 'Jenkinsfile'].flatMap((name) => [
    name,
    `shards/${name}`,
  ])) {
    const calls = [
      ...read(`examples/ci/${file}`).matchAll(/token-assay\S* (run|merge) [\s\S]*?--reporter console/g),
    ]
    t.strictSame(
      calls.map(([, command]) => command),
      file.startsWith('shards/') ? ['run', 'merge'] : ['run'],
      file,
    )
    for (const [call] of calls)
      for (const [, flag = ''] of call.matchAll(/--([a-z-]+)/g)) t.match(known, flag, `${file}: --${flag}`)
  }
})

t.test('the examples name the version that there is', async (t) => {
  for (const file of filesBelow('examples/ci'))
    for (const [, version] of read(file).matchAll(/token-assay-(\d[\w.-]*)\.tgz/g))
      t.equal(version, SUITE.version, file)
})

t.test('nothing is installed or run by a name that anyone could register', async (t) => {
  // What a release changes is described in pages of that name.
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'Dockerfile',
    'action.yml',
    ...['.ci', 'cli', 'docs', 'examples'].flatMap(filesBelow),
  ].filter((name) => !/package-lock|release|\.test\.ts$/.test(name))
  const byName = [
    /\b(?:npx|pnpx|bunx)\b[^\n|&;]*\btoken-assay\b/,
    /\b(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|exec|x|dlx)\b[^\n|&;]*(?<![\w/.-])token-assay(?!-\d|\/)/,
    /"token-assay":\s*"(?!file:)/,
    /token-assay@(?!COMMIT\b)/,
  ]
  t.ok(pages.length > 60 && pages.includes('examples/ci/gitlab-ci.yml'))
  for (const page of pages)
    for (const pattern of byName) t.notMatch(read(page).replaceAll('\\\n', ' '), pattern, page)
})

t.test('the image: one pinned base, no rights, a health check', async (t) => {
  const lines = read('Dockerfile').split('\n')
  const bases = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? [])
  t.equal(bases.length, 3, 'stages')
  t.equal(new Set(bases).size, 1)
  t.match(bases[0], PINNED_IMAGE)
  t.ok(lines.includes('USER node'))
  t.ok(lines.lastIndexOf('USER node') < lines.findIndex((line) => line.startsWith('ENTRYPOINT')))
  t.ok(lines.some((line) => line.startsWith('HEALTHCHECK ')))
})

/** Without what npm installs: a link in there leads back to the project. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}
