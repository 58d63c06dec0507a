import t from 'tap'
import { assess } from '../../conformance/assess/assess.js'
import { assessTarget } from '../../conformance/assess/assess-target.js'
import { alice, bob, startService } from '../../conformance/fixtures/service.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { renderConsole } from '../../reports/formats/console/console.js'
import { renderGithub } from '../../reports/formats/github.js'
import { renderHtml } from '../../reports/formats/html/html.js'
import { renderJunit } from '../../reports/formats/junit.js'
import { renderMarkdown } from '../../reports/formats/markdown/markdown.js'
import { renderTap } from '../../reports/formats/tap.js'
import { reconcile } from '../../reports/model/reconcile.js'
import { report as validReport } from '../../spec/generated/validators.js'
import { type RequirementSet, type Shipped, withAdvice } from '../../spec/load/advice.js'
import { loadSpecification } from '../../spec/load/specification.js'
import type { Report } from '../../spec/model/report.js'
import { verdictOf } from '../../spec/model/verdict.js'
import { callCommand } from '../fixtures/call-command.js'

const specification = loadSpecification()
const RULE = '2.1-token_type'
const CASE = '4.1/method-get-query'

/** The set of a release that had all of today but for that rule, or that case. */
function setWithout(gone: string): Shipped {
  const cases = specification.cases.flatMap(({ id, steps }) => {
    const rules = steps.flatMap(({ expect = [] }) => expect.map(({ rule }) => rule))
    const own = [...new Set(rules)].filter((rule) => rule !== gone)
    return id === gone || own.length === 0 ? [] : [[id, own] as const]
  })
  const set: RequirementSet = { recommended: [], cases: Object.fromEntries(cases) }
  return { profiles: {}, sets: { '0.9': set } }
}

const wrongType = await startService(t, { behaviour: { tokenType: () => 'Bearer' } })
const byQuery = await startService(t, {
  behaviour: {
    acceptsMethod: () => true,
    acceptsMediaType: () => true,
    formBytes: ({ method, body, query }) => (method === 'GET' ? Buffer.from(query) : body),
    // What advice draws is not held against the rules that gate.
    deliver: (answer, { method }) => {
      const body = String(answer.body).replace('"bearer"', method === 'GET' ? '"Bearer"' : '"bearer"')
      return { kind: 'answer', answer: { ...answer, body } }
    },
  },
})

async function judge(url: string, gone?: string): Promise<Report> {
  const target = resolveTarget({ baseUrl: url, accounts: [alice, bob] })
  const report = await assessTarget(target, {
    ...{ seed: 1, runs: 2, only: ['2.1/token-response', '4.1/method-get*', '4.1/password-grant'] },
    ...(gone === undefined
      ? {}
      : { specification: withAdvice(specification, { requirements: '0.9' }, setWithout(gone)) }),
  })
  t.strictSame(reconcile(report), [])
  t.ok(validReport(report), 'it has the promised format')
  return report
}

const exitCode = ({ results, rules }: Report): number => verdictOf(results, rules).exitCode
const plain = { color: false, width: 100 }

t.test('a rule that came after the release that gates is advice in every format', async (t) => {
  t.equal(exitCode(await judge(wrongType.url)), 1, 'without a release it gates')
  const held = await judge(wrongType.url, RULE)
  t.equal(exitCode(held), 0)
  t.match(held, { verdict: 'conformant', requirements: '0.9', counts: { advisory: held.counts.failed } })
  t.equal(held.rules.find(({ id }) => id === RULE)?.advisory, true)
  const console = renderConsole(held, plain)
  t.match(console, /── Advisory \(does not affect the verdict\) ─+\n\n~ 2\.1-token_type: /)
  t.notMatch(console, 'Broken rules')
  t.match(console, /✓ CONFORMANT in the part that ran: .*1 advisory rule not followed/)
  t.match(renderGithub(held), /^::notice title=advice%3A 2\.1-token_type is not followed::/m)
  t.notMatch(renderGithub(held), '::error')
  t.match(renderJunit(held), /failures="0" errors="0"[\s\S]*<skipped message="advisory: 2\.1-token_type: /)
  t.match(renderMarkdown(held), '## Advisory (does not affect the verdict)\n\n### 2.1-token\\_type')
  t.match(renderHtml(held), /data-state="advisory">\n<summary>.*<b>2\.1-token_type<\/b>/)
  t.match(renderTap(held), /^not ok .* # TODO 2\.1-token_type/m)
})

t.test('so is a later case of an old rule', async (t) => {
  t.match(await judge(byQuery.url), { verdict: 'nonconformant' })
  const held = await judge(byQuery.url, CASE)
  t.equal(exitCode(held), 0)
  t.match(renderConsole(held, plain), /~ 4\.1-method: /)
  const failed = held.results.flatMap(({ case: id, judgements }) =>
    judgements.flatMap(({ outcome, advisory }) => (outcome === 'failed' ? [[id, advisory]] : [])),
  )
  t.strictSame(new Map(failed as [string, true | undefined][]).get(CASE), true)
})

t.test('a profile or a release that there is not is misuse', async (t) => {
  const misuses = [
    [['--profile', 'katnaa'], /there is no profile `katnaa`: /],
    [['--gate', 'x'], /there is no profile `x`: /],
    [['--requirements', '7.7'], /there is no set of requirements `7\.7`: /],
  ] as const
  for (const [flags, says] of misuses) {
    const { exitCode, stderr } = await callCommand(['run', '--embedded', ...flags], { cwd: t.testdir() })
    t.equal(exitCode, 2)
    t.match(stderr, says)
  }
})

t.test('a profile is advice, with its source, and gates where it is asked to', async (t) => {
  const server = await startService(t)
  const run = (...flags: readonly string[]) =>
    callCommand(['run', server.url, '--user-name', alice.userName, '--only', 'rfc6749:*', ...flags], {
      cwd: t.testdir(),
      env: { TOKEN_ASSAY_PASSWORD: alice.password },
    })
  const advised = await run('--only', '4.1/password-grant', '--profile', 'rfc6749')
  t.equal(advised.exitCode, 0, advised.stderr)
  t.match(
    advised.stdout,
    /~ rfc6749:token-empty-parameters: .*\n(?:.*\n)?.*rfc6749#section-3\.2: “Parameters sent without/,
  )
  const gating = await run('--gate', 'rfc6749')
  t.equal(gating.exitCode, 1)
  t.match(gating.stdout, /Broken rules[\s\S]*✗ rfc6749:token-empty-parameters/)
  const [, pasted = ''] = /^ +token-assay (run .* --replay \S*rfc6749:\S*)$/m.exec(gating.stdout) ?? []
  const repeat = (command: string) =>
    callCommand(command.replaceAll("'", '').split(' '), {
      cwd: t.testdir(),
      env: { TOKEN_ASSAY_PASSWORD: alice.password },
    })
  const again = await repeat(pasted)
  t.equal(again.exitCode, 1, again.stderr)
  t.match(again.stdout, '✗ rfc6749:token-empty-parameters', 'what is printed can be pasted as it is')
  const repeated = await repeat(pasted.replace(' --gate rfc6749', ''))
  t.match(repeated.stdout, /~ rfc6749:/, 'the profile comes with the case')
  const alone = await run('--profile', 'rfc6749')
  t.equal(alone.exitCode, 3)
  t.match(alone.stdout, /INCONCLUSIVE: only advisory rules were judged/)
})

t.test('advice that is not kept stops no run', async (t) => {
  const server = await startService(t)
  const target = { baseUrl: server.url, accounts: [alice] }
  const report = await assess(target, {
    ...{ seed: 1, bail: true, profiles: ['rfc6749'], only: ['4.1/password-grant', 'rfc6749:*'] },
  })
  t.equal(report.counts.advisory, 1)
  t.strictSame(
    report.results.filter(({ reason }) => reason === 'bail'),
    [],
  )
})

t.test('a replay at which no input is ends the run with the reason', async (t) => {
  const replay = 'default/8/password-of-any-characters@1:3:4:99999:2'
  const { exitCode, stdout, stderr } = await callCommand(['run', '--embedded', '--replay', replay], {
    cwd: t.testdir(),
  })
  t.equal(exitCode, 2)
  t.equal(stdout, '')
  t.match(
    stderr,
    /--replay: no input is at `3:4:99999:2`; take the whole text that is shown under a failure\n$/,
  )
})
