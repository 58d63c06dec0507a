import t from 'tap'
import { assessClient } from '../../conformance/assess/client/assess-client.js'
import type { ClientOptions } from '../../conformance/assess/client/options.js'
import type { ClientEnd, SignInReport } from '../../conformance/judge/client/observed-sign-in.js'
import { type ClientParts, clientWith } from '../../prove/suite/clients/sign-in-faults.js'
import { renderConsole } from '../../reports/formats/console/console.js'

/** What a team reads of its client. @param always what it reports, whatever it was answered */
async function reportOn(
  parts: Partial<ClientParts>,
  options: ClientOptions,
  always?: Pick<ClientEnd, 'signedIn' | 'reported'>,
) {
  const signIn = clientWith(parts)
  const report = await assessClient(
    (environment, signal) =>
      signIn(environment, signal).then(
        (reported) => ({ signedIn: true, how: 'exit code 0', reported }),
        () => ({ signedIn: false, how: `exit code ${always === undefined ? 1 : 0}`, ...always }),
      ),
    { seed: 1, name: './sign-in', reproduce: (replay) => `again ${replay}`, ...options },
  )
  return { report, text: renderConsole(report, { color: false, width: 100 }) }
}

const judgementsOf = ({ report }: Awaited<ReturnType<typeof reportOn>>, rule: string) =>
  report.results.flatMap(({ judgements }) => judgements.filter((one) => one.rule === rule))

t.test('a request is shown with the path that it was sent to', async (t) => {
  const only = ['client:request/base-path*']
  const { text } = await reportOn({ path: () => '/../../Token' }, { only })
  t.match(text, /sent {7}POST http:\/\/127\.0\.0\.1:\d+\/Token\n/)
  t.notMatch(text, /POST \S+\/accounts/)
  const right = await reportOn({}, { only })
  const [urls] = right.report.results.map(({ exchanges }) => exchanges.map(({ request }) => request.url))
  t.match(urls?.[0], /^http:\/\/127\.0\.0\.1:\d+\/accounts\/v1\/Token$/)
})

t.test('a time of expiry: both that are accepted are shown, and the plain answer first', async (t) => {
  const plus = (seconds: number) => ({
    reported: (answer: Record<string, unknown>): SignInReport => ({
      expiresAt: new Date(Date.now() + (Number(answer.expires_in) + seconds) * 1000).toISOString(),
    }),
  })
  const only = ['client:request/plain', 'client:answer/the-token-is-issued-in-*']
  const { text, report } = await reportOn(plus(3600), { only })
  t.match(text, / {2}in {9}client:request\/plain: /)
  const [plain, january] = report.results
    .flatMap(({ judgements }) => judgements)
    .filter(({ outcome }) => outcome === 'failed')
  const [, expires = '', own = ''] =
    /^(\S+) \(`\.expires`\), or (\S+) \(its clock plus `expires_in`\)$/.exec(plain?.expected ?? '') ?? []
  const hours = [expires, own].map((one) => (Date.parse(plain?.actual ?? '') - Date.parse(one)) / 3_600_000)
  t.strictSame(hours.map(Math.round), [1, 1], 'an hour late by either')
  const year = new Date().getUTCFullYear() + 1
  t.match(january?.expected, `${year}-01-23T12:00:00Z (\`.expires\`), or 20`)
  t.equal((await reportOn(plus(0), { only })).report.verdict, 'conformant', 'its own clock')
  const written = {
    reported: (answer: Record<string, unknown>) => ({ expiresAt: String(answer['.expires']) }),
  }
  t.equal((await reportOn(written, { only })).report.verdict, 'conformant', '.expires')
})

t.test('a sign-in after a wrong password is what to fix first', async (t) => {
  const reason = 'the client reports a sign-in after a wrong password (exit code 0): fix that first'
  const options = {
    only: ['client:request/plain', 'client:refusal/*'],
    skip: ['client:refusal/silence', 'client:refusal/drip'],
  }
  // It may be a script that always ends so: no rule is broken, and it is shown what is meant.
  const ends = await reportOn({}, options, { signedIn: true })
  t.equal(ends.report.verdict, 'inconclusive')
  t.strictSame(
    new Set(ends.report.results.flatMap(({ judgements }) => judgements.flatMap((one) => one.reason ?? []))),
    new Set([reason]),
  )
  t.match(ends.text.replace(/\s+/g, ' '), `? ${reason} in client:refusal/wrong-password: `)
  t.match(ends.text, /sent {7}POST http:\/\/127\.0\.0\.1:\d+\/Token\n/)
  t.match(ends.text, /came back {2}400 /)
  t.match(ends.text, '  repeat     again client:refusal/wrong-password\n')
  // What it says itself is its own word.
  const says = await reportOn({}, options, { signedIn: true, reported: { signedIn: true } })
  t.equal(says.report.verdict, 'nonconformant')
  t.match(judgementsOf(says, 'client:refusal-other')[0], {
    outcome: 'failed',
    message: 'the client reports that it is signed in',
    reproduce: 'again client:refusal/wrong-password',
  })
  t.equal(says.text.split('again client:refusal/wrong-password').length, 2, 'shown once')
  t.match(judgementsOf(says, 'client:refusal-documented')[0], { outcome: 'cantTell', reason })
  const honest = await reportOn({}, options, { signedIn: false, reported: { signedIn: false } })
  t.equal(honest.report.verdict, 'conformant', 'exit code 0, and the truth in its report')
})

t.test('the request that a redirect leads to another host is shown, without the password', async (t) => {
  const { text, report } = await reportOn({ redirect: 'follow' }, { only: ['client:request-redirect'] })
  t.equal(report.verdict, 'conformant', 'advice')
  const [first = '', second = ''] = text.split('sent       ').slice(1)
  t.match(first, /^token: POST http:\/\/127\.0\.0\.1:(\d+)\/Token\n.*came back {2}307/s)
  t.match(
    second,
    /^other host: POST http:\/\/127\.0\.0\.1:\d+\/Token\n.*password=‹password›.*came back {2}200/s,
  )
  const [, location = ''] = /Location: (\S+)/.exec(first) ?? []
  t.ok(second.startsWith(`other host: POST ${location}\n`), 'the host that was named')
  t.notMatch(second, 'Correct-7-horses')
})

t.test('a case is called by its own name, and a client has no address', async (t) => {
  const { text } = await reportOn({ method: 'PUT' }, { only: ['client:request/*'] })
  t.notMatch(text, 'client/client:')
  t.match(text, /^token-assay \S+: \.\/sign-in\n/)
})
