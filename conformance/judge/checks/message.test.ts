import t from 'tap'
import type { Expectation } from '../../../spec/model/expectation.js'
import type { HeaderList } from '../../../spec/model/report.js'
import { answer, context } from '../../fixtures/answers.js'
import { judge } from '../judge.js'

type Asked = Omit<Expectation, 'rule'>

const outcome = (asked: Asked, body: string, headers: HeaderList = []): string =>
  judge({ rule: '4.1-R1', ...asked }, answer(body, { headers }), context()).outcome

t.test('header: one field, all of its lines together', async (t) => {
  const rows: readonly (readonly [Asked['header'], HeaderList, string])[] = [
    [{ name: 'Pragma', equals: 'no-cache' }, [['pragma', 'no-cache']], 'passed'],
    [{ name: 'Pragma', equals: 'no-cache' }, [['Pragma', 'No-Cache']], 'failed'],
    [{ name: 'Pragma', equals: 'no-cache' }, [], 'failed'],
    [{ name: 'Cache-Control', has: 'no-store' }, [['Cache-Control', 'private, No-Store']], 'passed'],
    [
      { name: 'Cache-Control', has: 'no-store' },
      [
        ['Cache-Control', 'private'],
        ['cache-control', 'no-store'],
      ],
      'passed',
    ],
    [{ name: 'Cache-Control', has: 'no-store' }, [['Cache-Control', 'no-storehouse']], 'failed'],
    [
      { name: 'Content-Type', has: 'application/json' },
      [['Content-Type', 'application/json;charset=UTF-8']],
      'passed',
    ],
    [{ name: 'Location', lacks: 'access_token' }, [], 'passed'],
    [{ name: 'Location', lacks: 'access_token' }, [['Location', '/#access_token=x']], 'failed'],
    [
      { name: 'Set-Cookie', startsWith: 'b=' },
      [
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
      'passed',
    ],
    [{ name: 'Set-Cookie', startsWith: 'b=' }, [['Set-Cookie', 'a=1, b=2']], 'failed'],
    [{ name: 'Set-Cookie', startsWith: 'b=' }, [], 'failed'],
    [{ name: 'Server', absent: true }, [], 'passed'],
    [{ name: 'Server', absent: true }, [['Server', '']], 'failed'],
    [
      { name: 'B', absent: true, where: { name: 'A', equals: '1' } },
      [
        ['A', '1'],
        ['B', ''],
      ],
      'failed',
    ],
    [
      { name: 'B', absent: true, where: { name: 'A', equals: '1' } },
      [
        ['A', '2'],
        ['B', ''],
      ],
      'passed',
    ],
  ]
  for (const [header, headers, expected] of rows)
    t.equal(
      outcome({ ...(header && { header }) }, '{}', headers),
      expected,
      JSON.stringify([header, headers]),
    )
})

t.test('header: neither a cookie nor a token is shown', async (t) => {
  const judged = (header: NonNullable<Asked['header']>, headers: HeaderList): string =>
    JSON.stringify(judge({ rule: '4.1-R1', header }, answer('', { headers }), context()))
  t.notMatch(judged({ name: 'Set-Cookie', absent: true }, [['Set-Cookie', 'id=canary']]), 'canary')
  t.notMatch(
    judged({ name: 'Location', lacks: 'access_token' }, [['Location', '/#access_token=canary']]),
    'canary',
  )
})

t.test('compactJson: white space within strings alone', async (t) => {
  t.equal(outcome({ compactJson: true }, '{"a":"x y\\" z","b":[1,2]}'), 'passed')
  t.equal(outcome({ compactJson: true }, '{"a": 1}'), 'failed')
  t.equal(outcome({ compactJson: true }, '{"a":1}\n'), 'failed')
  t.equal(outcome({ compactJson: true }, 'no JSON'), 'cantTell')
})

t.test('hasString: a whole string, wherever it is', async (t) => {
  t.equal(outcome({ hasString: 'one two' }, '{"a":{"b":["one two"]}}'), 'passed')
  t.equal(outcome({ hasString: 'one two' }, '{"a":["one","two"]}'), 'failed')
})

t.test('emptyBody: not a byte', async (t) => {
  t.equal(outcome({ emptyBody: true }, ''), 'passed')
  t.equal(outcome({ emptyBody: true }, '""'), 'failed')
  t.equal(outcome({ emptyBody: true }, ' '), 'failed')
})

t.test('noDiagnostics: what a program prints of itself', async (t) => {
  const shown = [
    'Error: boom\n    at handle (/app/routes/token.js:17:9)',
    'System.NullReferenceException: Object reference not set\r\n   at Contoso.Token.Grant() in C:\\src\\Token.cs:line 42',
    '{"Message":"An error has occurred.","ExceptionType":"System.ArgumentNullException","StackTrace":"   at A.B()"}',
    'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in grant',
    '{"error":"java.lang.IllegalStateException: x"}',
    'You have an error in your SQL syntax near',
    '<b>Warning</b>: include(/var/www/html/token.php)',
  ]
  for (const text of shown) t.equal(outcome({ noDiagnostics: true }, text), 'failed', text)
  const silent = [
    '{"error":"invalid_grant","error_description":"The user name or password is incorrect."}',
    'Look at the manual: it has 3:2 odds.',
    'The server made an error: try again later.',
    '{"access_token":"at.b64/usr+home==","token_type":"bearer"}',
    '<p>Not Found: /api/Token</p>',
    '',
  ]
  for (const text of silent) t.equal(outcome({ noDiagnostics: true }, text), 'passed', text)
})
