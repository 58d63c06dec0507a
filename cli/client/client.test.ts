import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { reporterNames } from '../../reports/formats/reporters.js'
import { report as validate } from '../../spec/generated/validators.js'
import { callCommand } from '../../tests/fixtures/call-command.js'

const CONTROLS = ['--only', 'client:request/plain', '--only', 'client:refusal/wrong-password', '--no-color']

/** A script of the shell as the client. */
function client(cwd: string, script: string, ...flags: string[]) {
  return callCommand(['client', ...CONTROLS, ...flags, '--', 'sh', '-c', script], { cwd })
}

/** Whether a process of that number runs. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const SIGN_IN = `
token=$(curl -sS "$TOKEN_ASSAY_URL/Token" -d grant_type=password --data-urlencode "username=$TOKEN_ASSAY_USER_NAME" \\
  --data-urlencode "password=$TOKEN_ASSAY_PASSWORD" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')
test -n "$token" && curl -sS --fail -o /dev/null -H "Authorization: Bearer $token" "$TOKEN_ASSAY_RESOURCE_URL"`

t.test('a command that signs in', async (t) => {
  const cwd = t.testdir({})
  const { exitCode, stdout, stderr } = await client(cwd, SIGN_IN, '--seed', '7')
  t.strictSame([exitCode, stderr], [0, ''], stdout)
  t.match(stdout, 'Report: token-assay-client-report/index.partial.html')
  const report = JSON.parse(
    readFileSync(join(cwd, 'token-assay-client-report', 'report.partial.json'), 'utf8'),
  )
  t.ok(validate(report), 'a report as any other')
  t.match(report, { seed: 7, verdict: 'conformant', target: { name: 'sh' } })
  t.match(report.results[0].exchanges[1].request.headers, [['host', /127/]])
  t.match(JSON.stringify(report), 'Bearer ‹access token›')
})

t.test('a command that goes on', async (t) => {
  const cwd = t.testdir({ once: {} })
  const goesOn = SIGN_IN.replace('&& curl', '&& for n in $(seq $TOKEN_ASSAY_FETCHES); do curl').concat(
    '; done',
  )
  const flags = ['--only', 'client:expiry/before-time', '--long-running', '--reporter', 'tap']
  const [{ exitCode, stdout }, once] = await Promise.all([
    client(cwd, goesOn, ...flags),
    client(`${cwd}/once`, SIGN_IN, ...flags),
  ])
  t.equal(exitCode, 0)
  t.match(stdout, /^ok \d+ - client\/client:expiry\/before-time(?! # SKIP)/m)
  t.match(once.stdout, /the resource answered 1 times by 200, where TOKEN_ASSAY_FETCHES asks for 4/)
})

t.test('each way of proving nothing is reported in one sentence', async (t) => {
  const cwd = t.testdir({})
  const cases: readonly (readonly [script: string, message: RegExp, ...flags: string[]])[] = [
    ['exit 0', /the client sent no request \(exit code 0\): does it use TOKEN_ASSAY_URL\?/],
    [
      `${SIGN_IN}; exit 0`,
      /the client reports a sign-in after a wrong password \(exit code 0\): fix that first/,
    ],
    [
      'sleep 60',
      /the client sent no request \(signal SIGKILL; it was ended after 1 seconds\)/,
      '--time-out',
      '1',
    ],
    ['yes', /sent no request \(signal SIGKILL; it was ended after 1 seconds\)/, '--time-out', '1'],
    [
      'sleep 60 & exit 0',
      /the client sent no request \(exit code 0; it left processes running, which were ended\)/,
    ],
    [
      'curl -sk "https${TOKEN_ASSAY_URL#http}/Token"; exit 1',
      /sent no request that can be read: TLS came to a port of plain HTTP: the URL must begin with http:/,
    ],
    [
      'curl -s "$TOKEN_ASSAY_RESOURCE_URL"; exit 1',
      /the client asked for no token: does it keep one from an earlier call\?/,
    ],
  ]
  for (const [script, message, ...flags] of cases) {
    const { exitCode, stdout } = await client(cwd, script, ...flags)
    t.equal(exitCode, 3)
    t.match(stdout.replace(/\s+/g, ' '), message)
  }
})

t.test('a client that does not take the plain answer is wrong', async (t) => {
  const { exitCode, stdout } = await client(t.testdir({}), `${SIGN_IN}; exit 3`)
  t.equal(exitCode, 1)
  t.match(stdout.replace(/\s+/g, ' '), /✗ NOT CONFORMANT: 1 rule is broken: client:answer-plain/)
  const denied = await client(t.testdir({}), `${SIGN_IN}; echo '{"signedIn":false}'`)
  t.match(denied.stdout.replace(/\s+/g, ' '), /actual exit code 0, and it printed that it is not signed in/)
})

t.test('nothing is left running, not even in a session of its own without an environment', async (t) => {
  const cwd = t.testdir({})
  // Its output is closed, so that no one waits for it; it waits for a writer that never comes.
  const detached = `exec >/dev/null 2>&1; mkfifo hold-$$
    setsid env -i sh -c 'echo $$ > pid-'$$'; read x < hold-'$$ &
    while ! test -s pid-$$; do :; done`
  const { exitCode, stdout } = await client(cwd, detached, '--only', 'client:request/plain')
  t.equal(exitCode, 3)
  if (process.platform !== 'linux') return
  t.match(stdout.replace(/\s+/g, ' '), 'it left processes running, which were ended')
  const left = readdirSync(cwd).filter((name) => name.startsWith('pid-'))
  t.ok(left.length >= 2, 'one of each call')
  for (const name of left) {
    const pid = readFileSync(join(cwd, name), 'utf8').trim()
    // What was killed takes a moment to end, and may wait for somebody to hear of it.
    while (isAlive(pid)) await setImmediate()
  }
})

t.test('the command has the variables that are documented, and none of our own', async (t) => {
  const cwd = t.testdir({})
  const ours = { TOKEN_ASSAY_CONTROL_SECRET: 'sixteen-characters-or-more', TOKEN_ASSAY_DEBUG: '1' }
  await callCommand(['client', ...CONTROLS, '--', 'sh', '-c', `env > env-$TOKEN_ASSAY_USER_NAME`], {
    cwd,
    env: { ...ours, TOKEN_ASSAY_PASSWORD: 'for-run-alone', OF_THE_USER: 'x' },
  })
  const seen = readFileSync(join(cwd, 'env-alice'), 'utf8')
  t.strictSame(seen.match(/^TOKEN_ASSAY_\w+/gm)?.sort(), [
    'TOKEN_ASSAY_CONCURRENCY',
    'TOKEN_ASSAY_FETCHES',
    'TOKEN_ASSAY_PASSWORD',
    'TOKEN_ASSAY_RESOURCE_URL',
    'TOKEN_ASSAY_SCENARIO',
    'TOKEN_ASSAY_URL',
    'TOKEN_ASSAY_USER_NAME',
  ])
  t.notMatch(seen, /for-run-alone|sixteen/)
  t.match(seen, /^OF_THE_USER=x$/m)
})

t.test('what it last wrote is shown where it ends otherwise than expected, without tokens', async (t) => {
  const cwd = t.testdir({})
  const wrong = `${SIGN_IN}; printf 'x\\n%0300d\\n\\033[2Jno expires_in in %s\\n' 0 "$token" >&2; exit 1`
  const { stdout } = await client(cwd, wrong)
  t.match(stdout.replace(/\s+/g, ' '), 'exit code 1; it wrote: x ⏎ 0000')
  t.match(stdout.replace(/\s+/g, ' '), '… ⏎ \\u001b[2Jno expires_in in ‹access token›')
  const token = `${SIGN_IN} && echo "{\\"userName\\":\\"$token\\"}"`
  const reported = await client(cwd, token, '--only', 'client:answer/there-is-a-userid')
  t.match(reported.stdout.replace(/\s+/g, ' '), /reports another user name.*‹access token›/)
  const deep = `${SIGN_IN} || exit 1; many() { head -c 100000 /dev/zero | tr '\\0' "$1"; }; echo "{\\"userName\\":$(many '[')$(many ']')}"`
  t.equal((await client(cwd, deep)).exitCode, 0, 'a line that is no report')
})

t.test('a failure is repeated by the command that is printed, and waived by a baseline', async (t) => {
  const takesNoUserId = SIGN_IN.replace('| sed', '| grep -v userId | sed')
  const cwd = t.testdir({ 'sign-in.sh': takesNoUserId })
  const only = ['--only', 'client:answer/there-is-a-userid', '--only', 'client:request/plain']
  const run = (...flags: readonly string[]) =>
    callCommand(['client', '--no-color', ...flags, '--', 'sh', 'sign-in.sh'], { cwd })
  const first = await run(...only)
  t.equal(first.exitCode, 1)
  const [line = ''] = /token-assay client .*/.exec(first.stdout) ?? []
  t.equal(line, 'token-assay client --replay client:answer/there-is-a-userid -- sh sign-in.sh')
  const again = await callCommand(line.split(' ').slice(1), { cwd })
  t.equal(again.exitCode, 1)
  t.match(again.stdout, line)

  const waived = await run(...only, '--baseline', 'known.yaml', '--update-baseline')
  t.equal(waived.exitCode, 0)
  t.match(waived.stderr, /^token-assay: known\.yaml: explain 1 entry by \d{4}-\d\d-\d\d .*\n$/)
  t.equal((await run(...only, '--baseline', 'known.yaml')).exitCode, 0)
  writeFileSync(join(cwd, 'sign-in.sh'), SIGN_IN)
  const mended = await run(...only, '--baseline', 'known.yaml')
  t.equal(mended.exitCode, 1)
  t.match(mended.stderr, /known\.yaml.*this no longer occurs: remove the entry/)
})

t.test('every command that takes a report takes this one', async (t) => {
  const cwd = t.testdir({})
  await client(cwd, SIGN_IN, '--out', 'good')
  await client(cwd, SIGN_IN.replace('--data-urlencode "password=', '-d "password=x'), '--out', 'bad')
  const [good, bad] = ['good/report.partial.json', 'bad/report.partial.json']
  for (const reporter of reporterNames) {
    const { exitCode, stdout, stderr } = await callCommand(['report', good, '--reporter', reporter], { cwd })
    t.strictSame([exitCode, stderr], [0, ''], reporter)
    t.not(stdout, '')
    const direct = await client(cwd, SIGN_IN, '--reporter', `${reporter}=${reporter}.out`)
    t.equal(direct.exitCode, 0)
    t.not(readFileSync(join(cwd, `${reporter}.out`), 'utf8'), '')
  }
  const compared = await callCommand(['compare', good, bad, '--fail-on', 'regression'], { cwd })
  t.equal(compared.exitCode, 1)
  t.match(compared.stdout, 'client:request-password')
  for (const part of ['1/2', '2/2'])
    await client(cwd, SIGN_IN, '--seed', '3', '--shard', part, '--out', part[0] ?? '')
  const merged = await callCommand(
    ['merge', '1/report.partial.json', '2/report.partial.json', '--out', 'merged'],
    { cwd },
  )
  t.strictSame([merged.exitCode, merged.stderr], [0, ''])
  const { results } = JSON.parse(readFileSync(join(cwd, 'merged', 'report.partial.json'), 'utf8'))
  t.match(results, [{ outcome: 'passed' }, { outcome: 'passed' }])
})

t.test('misuse', async (t) => {
  const cwd = t.testdir({})
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['client'], /client takes the command after `--`/],
    [['client', 'node', 'x.js'], /client takes the command after `--`/],
    [
      ['client', '--', './no-such-command'],
      /the command `\.\/no-such-command` of the client was not found: there is no such file, as seen from \//,
    ],
    [['client', '--', 'x'.repeat(300)], /the command `x+` of the client could not be started: ENAMETOOLONG/],
    [['client', '--', ''], /the command `` of the client could not be started: /],
    [['client', '--replay', 'client:request/pluss', '--', 'true'], /did you mean `client:request\/plus`/],
    [
      ['client', '--replay', 'client:request/plus', '--only', '*', '--', 'true'],
      /--replay names the one case to run: it cannot be used with --/,
    ],
    [['client', '--update-baseline', '--', 'true'], /--update-baseline needs --baseline FILE/],
    [['client', '--only', 'nothing', '--', 'true'], /no case, rule or result matches `nothing`/],
    [['client', '--time-out', '0', '--', 'true'], /--time-out takes a whole number from 1 to 3600/],
  ]
  for (const [args, message] of cases) {
    const { exitCode, stderr, stdout } = await callCommand(args, { cwd })
    t.strictSame([exitCode, stdout], [2, ''])
    t.match(stderr, message)
  }
})
