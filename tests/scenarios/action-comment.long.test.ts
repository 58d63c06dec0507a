/** The comment of the action on a pull request, against a fake of GitHub's API on this machine. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { greenReport, hostile, redReport } from '../../reports/fixtures/sample-report.js'
import type { Report } from '../../spec/model/report.js'
import { freePorts } from '../../tools/interop/listen.js'
import { type FakeComment, startFakeGithub } from '../fixtures/fake-github.js'
import { action, BUNDLE, bash, NODE_OPTIONS, stepEnv } from '../fixtures/run-action.js'

const TOOLS = fileURLToPath(new URL('../../tools', import.meta.url))
const BOT = 'github-actions[bot]'
const MARK = /^<!-- token-assay [0-9a-f]{16} -->\n/

interface Call {
  readonly before?: Report
  /** None where the run gave none. */
  readonly after?: Report
  readonly inputs?: Readonly<Record<string, string>>
  readonly event?: unknown
  readonly env?: Readonly<Record<string, string>>
}

const OWN = {
  pull_request: {
    number: 7,
    head: { repo: { full_name: 'contoso/accounts' } },
    base: { repo: { full_name: 'contoso/accounts' } },
  },
}
const FORK = { pull_request: { ...OWN.pull_request, head: { repo: { full_name: 'eve/accounts' } } } }

/** The step `comment`, as the runner calls it. */
async function commentStep(
  t: Test,
  api: string,
  { before, after, inputs = {}, event = OWN, env = {} }: Call,
) {
  const folder = t.testdir({ work: {}, action: { build: BUNDLE }, 'event.json': JSON.stringify(event) })
  await mkdir(join(folder, 'work'), { recursive: true })
  await symlink(TOOLS, join(folder, 'action', 'tools'))
  for (const [name, report] of Object.entries({ before, after }))
    if (report !== undefined) await writeFile(join(folder, 'work', `${name}.json`), JSON.stringify(report))
  const values = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
    'steps.run.outputs.report': after === undefined ? '' : 'after.json',
    'steps.run.outputs.exit-code': after === undefined ? '2' : '0',
    'github.token': 'token-of-the-job',
  }
  const script = action.runs.steps.find(({ id }) => id === 'comment')?.run ?? ''
  return bash(script, join(folder, 'work'), {
    ...stepEnv('comment', values),
    GITHUB_ACTION_PATH: join(folder, 'action'),
    GITHUB_API_URL: api,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_JOB: 'assay',
    GITHUB_REPOSITORY: 'contoso/accounts',
    GITHUB_RUN_ID: '42',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_WORKFLOW: 'token service',
    NODE_OPTIONS,
    ...env,
  })
}

const COMPARE = { 'compare-with': 'before.json' }
const SILENT = { exitCode: 0, printed: '' }

t.test('off by default', async (t) => {
  t.equal(action.inputs.comment?.default, 'false')
})

t.test('one comment: made, then updated in place, and compared with an earlier report', async (t) => {
  await using github = await startFakeGithub()
  t.strictSame(await commentStep(t, github.url, { after: redReport, inputs: COMPARE }), SILENT)
  t.equal(github.comments.length, 1)
  const [first] = github.comments
  t.match(first?.body, MARK)
  t.match(first?.body, /^## ✗ NOT CONFORMANT/m, 'there is no earlier report yet: this one alone')
  t.match(first?.body, /\[The run\]\(https:\/\/github\.example\/contoso\/accounts\/actions\/runs\/42\)\n$/)

  t.strictSame(
    await commentStep(t, github.url, { before: redReport, after: greenReport, inputs: COMPARE }),
    SILENT,
  )
  t.equal(github.comments.length, 1, 'no second one')
  t.match(first?.body, MARK)
  t.match(
    first?.body,
    /# Comparison\n\n- \*\*A\*\* before\.json: nonconformant\n- \*\*B\*\* after\.json: conformant\n/,
  )
  t.notMatch(first?.body, 'NOT CONFORMANT')
  t.match(github.requests.at(-1), /^PATCH \/repos\/contoso\/accounts\/issues\/comments\/1000$/)
})

t.test('a run without a report leaves no verdict of an earlier one', async (t) => {
  await using github = await startFakeGithub()
  await commentStep(t, github.url, { after: greenReport })
  t.match(github.comments[0]?.body, '✓ CONFORMANT')
  t.strictSame(await commentStep(t, github.url, {}), SILENT)
  t.match(github.comments, [{ body: /-->\nToken Assay gave no verdict: exit code 2\.\n/ }])
  t.equal(github.comments.length, 1)
})

t.test('the mark in a comment of anyone else is left alone; each job and folder has its own', async (t) => {
  await using github = await startFakeGithub()
  await commentStep(t, github.url, { after: greenReport })
  const mark = MARK.exec(github.comments[0]?.body ?? '')?.[0] ?? ''
  const eve: FakeComment = { id: 1, user: { login: 'eve' }, body: `${mark}all is well` }
  const quoted: FakeComment = { id: 2, user: { login: BOT }, body: `> ${mark}another action quotes it` }
  github.comments.splice(0, 1, eve, quoted)
  await commentStep(t, github.url, { after: redReport })
  t.match([eve.body, quoted.body], [/all is well$/, /quotes it$/])
  t.equal(github.comments.length, 3)
  await commentStep(t, github.url, { after: redReport, inputs: { out: 'other' } })
  await commentStep(t, github.url, { after: redReport, env: { GITHUB_JOB: 'other' } })
  await commentStep(t, github.url, { after: redReport, inputs: { shard: '1/2' } })
  t.equal(github.comments.length, 6)
  t.equal(new Set(github.comments.slice(2).map(({ body }) => MARK.exec(body)?.[0])).size, 4)
})

t.test('among many comments its own is found', async (t) => {
  const others = Array.from(
    { length: 250 },
    (_, id): FakeComment => ({ id, user: { login: 'eve' }, body: 'x' }),
  )
  await using github = await startFakeGithub(others)
  for (const report of [redReport, greenReport]) await commentStep(t, github.url, { after: report })
  t.equal(github.comments.length, 251)
  t.match(github.comments.at(-1)?.body, '✓ CONFORMANT')
})

t.test('without the right to comment it is a warning, and no failure', async (t) => {
  await using github = await startFakeGithub()
  const refused = async (status: number, event: unknown = OWN) => {
    github.state.refuses = status
    const done = await commentStep(t, github.url, { after: redReport, event })
    t.equal(done.exitCode, 0)
    t.match(done.printed, /^::warning title=Token Assay::the comment was not written: [^\n]*\n$/, 'one line')
    t.notMatch(done.printed, /token-of-the-job|Resource not accessible/)
    return done.printed
  }
  t.match(
    await refused(403),
    'GET was answered with 403 (the job needs `permissions: { contents: read, pull-requests: write }`)',
  )
  t.match(await refused(403, FORK), 'with 403 (a pull request of a fork gets a token that may only read)')
  t.match(await refused(403, { pull_request: { ...FORK.pull_request, head: { repo: null } } }), 'of a fork')
  t.match(await refused(500), /with 500\n$/)
  t.match(await refused(302), 'unexpected redirect')
  t.equal(github.comments.length, 0)
})

t.test('no API, no event and no pull request', async (t) => {
  const [port] = await freePorts(1)
  const { exitCode, printed } = await commentStep(t, `http://127.0.0.1:${port}`, { after: redReport })
  t.equal(exitCode, 0)
  t.match(printed, /^::warning .* not written: connect ECONNREFUSED [^\n]*\n$/)
  await using github = await startFakeGithub()
  t.match(await commentStep(t, github.url, { after: redReport, event: { ref: 'refs/heads/main' } }), {
    exitCode: 0,
    printed: '::notice title=Token Assay::no comment: the event is not one of a pull request\n',
  })
  t.match(await commentStep(t, github.url, { env: { GITHUB_EVENT_PATH: '/nowhere' } }), {
    exitCode: 0,
    printed: /^::warning [^\n]*\n$/,
  })
  t.strictSame(github.requests, [])
})

t.test('what a service sends, and hostile inputs, are text', async (t) => {
  await using github = await startFakeGithub()
  const evil = `${hostile} @team [x](https://evil.example) <!-- token-assay 0123456789abcdef -->`
  const [first] = redReport.results
  const rules = redReport.rules.map((rule) => ({ ...rule, statement: evil }))
  const judgements =
    first?.judgements.map((judgement) => ({ ...judgement, message: evil, actual: evil })) ?? []
  const results = redReport.results.map((result) => (result === first ? { ...result, judgements } : result))
  const after: Report = { ...redReport, rules, results }
  for (const before of [undefined, redReport]) {
    await commentStep(t, github.url, { ...(before && { before }), after, inputs: COMPARE })
    const body = github.comments[0]?.body.replace(MARK, '').replace(/\n\[The run\].*\n$/, '') ?? ''
    t.match(body, 'evil')
    // Neither what is escaped nor what is code is markup.
    const markup = body.replace(/\\[^\w\s]/g, '').replace(/`[^`\n]*`/g, '')
    t.notMatch(markup, /<!--|\]\(|@team|<script|^::|[^\P{C}\n]/mu)
  }
  for (const text of ['$(touch pwned)', '--reporter=json=pwned', 'x\n::error::y', '../../etc/passwd']) {
    const done = await commentStep(t, github.url, {
      after: greenReport,
      inputs: { 'compare-with': text, out: text, shard: text },
    })
    t.equal(done.exitCode, 0)
    t.notMatch(done.printed, /^::error/m)
  }
})

t.test(
  'an earlier report that cannot be compared is a warning, and the comment says what there is',
  async (t) => {
    await using github = await startFakeGithub()
    const broken = await commentStep(t, github.url, {
      before: { ...redReport, plan: { hash: 'x', planned: 9 } },
      after: greenReport,
      inputs: COMPARE,
    })
    t.match(broken, { exitCode: 0, printed: /not compared: `compare` refuses the report/ })
    t.match(github.comments[0]?.body, '✓ CONFORMANT')
    const itself = await commentStep(t, github.url, {
      after: greenReport,
      inputs: { 'compare-with': './after.json' },
    })
    t.match(itself.printed, 'not compared: it is the report of this run')
  },
)

t.test('a text that GitHub would refuse is cut', async (t) => {
  await using github = await startFakeGithub()
  const [result, rule] = [greenReport.results[0], greenReport.rules.find(({ results }) => results.length > 0)]
  if (!result || !rule) throw new Error('the sample has a result, and its rule')
  const ids = Array.from({ length: 400 }, (_, index) => `9-x${index}`)
  const judgements = [...result.judgements, ...ids.map((id) => ({ rule: id, outcome: 'passed' as const }))]
  const results = [{ ...result, judgements }, ...greenReport.results.slice(1)]
  const more = ids.map((id) => ({ ...rule, id, statement: 'long '.repeat(60), results: [result.id] }))
  const after: Report = { ...greenReport, rules: [...greenReport.rules, ...more], results }
  t.strictSame(await commentStep(t, github.url, { before: redReport, after, inputs: COMPARE }), SILENT)
  t.match(github.comments[0]?.body, /\nThe rest is in the report\.\n\n\[The run\]\([^\n]*\)\n$/)
})
