/** The examples for continuous integration and the image: what can be held without the machines that read them. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { SUITE } from '../conformance/suite.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
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
    for (const [, version] of read(file).matchAll(/token-assay@(\d[\w.-]*)/g))
      t.equal(version, SUITE.version, file)
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

t.test('the steps of the image, without an engine', { timeout: 240_000 }, async (t) => {
  const { exitCode, printed } = await new Promise<{ exitCode: number; printed: string }>((resolve) => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(?:npm_|TAP|NODE_OPTIONS)/i.test(name)),
    )
    execFile(join(ROOT, 'scripts/image-steps.sh'), { env }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : 1, printed: stdout + stderr }),
    )
  })
  t.equal(exitCode, 0, printed)
  t.match(printed, '✓ CONFORMANT')
  t.notMatch(printed, /^uid 0$/m)
})
