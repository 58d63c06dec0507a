/** The examples for continuous integration and the image: what can be held without the machines that read them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { SUITE } from '../../conformance/report.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const PINNED_IMAGE = /^node:\d+\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64}$/

t.test(
  'the workflow for GitHub: pinned, least rights, secrets as inputs alone, one shard each',
  async (t) => {
    const text = read('examples/ci/github.yml')
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
    t.strictSame(text.match(/secrets\.\w+/g), ['secrets.ASSAY_PASSWORD'])
  },
)

t.test('the pipeline for GitLab: a pinned image, a part each, evidence of what failed too', async (t) => {
  const { default: defaults, assay, verdict } = parse(read('examples/ci/gitlab-ci.yml'))
  t.match(defaults.image, PINNED_IMAGE)
  t.equal(assay.parallel, 4)
  t.match(assay.script.join('\n'), '--shard "$CI_NODE_INDEX/$CI_NODE_TOTAL" --seed "$CI_PIPELINE_IID"')
  t.equal(assay.artifacts.when, 'always')
  t.equal(verdict.when, 'always')
  t.strictSame(verdict.needs, ['assay'])
})

t.test('the examples name the version that there is', async (t) => {
  for (const file of ['examples/ci/github.yml', 'examples/ci/gitlab-ci.yml'])
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
