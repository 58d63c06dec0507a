import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { readReport, startCommand } from '../../tests/fixtures/command.js'
import { startReference } from '../../tests/fixtures/reference.js'

t.test('watches without a terminal: what failed runs again after a change, until a signal', async (t) => {
  const server = await startReference(t)
  // Refused by everything that asks for a token.
  server.faults.add({ kind: 'status', status: 404, match: { path: '*/Token' } })
  const cwd = t.testdir({ src: { 'a.js': '' } })
  const { child, ended, saying } = startCommand(
    [
      'run',
      server.url,
      '--user-name',
      'ann',
      '--only',
      '4.1/password-grant',
      '--only',
      '1/exchange',
      '--watch',
      'src',
    ],
    { cwd, env: { TOKEN_ASSAY_PASSWORD: 'Secret-1' } },
  )
  await saying('stderr', 'Watching src (a signal ends it)')
  const { seed } = readReport(cwd)
  server.faults.clear()
  writeFileSync(join(cwd, 'src/a.js'), '1')
  await saying('stderr', '── changed: src/a.js ──')
  // The part passes, and then the whole.
  await saying('stderr', 'The failures pass now: running everything.')
  const report = await saying('stdout', 'CONFORMANT in the part that ran')
  t.match(report, 'NOT CONFORMANT')
  child.kill('SIGINT')
  const { exitCode, stderr } = await ended
  t.equal(exitCode, 130)
  t.match(stderr, 'Last whole run, at ')
  t.match(readReport(cwd), { target: { name: server.url }, seed }, 'with the inputs that failed')
})

t.test('what --watch refuses', async (t) => {
  const server = await startReference(t)
  const run = async (...flags: string[]) => {
    const { exitCode, stderr } = await callCommand(['run', server.url, '--user-name', 'ann', ...flags], {
      cwd: t.testdir({ src: {} }),
      env: { TOKEN_ASSAY_PASSWORD: 'Secret-1' },
    })
    return [exitCode, stderr]
  }
  t.strictSame(await run('--watch', 'lib'), [
    2,
    'token-assay: --watch lib: there is no such file or folder\n',
  ])
  t.match(await run('--watch', 'src', '--password-stdin'), [
    2,
    /comes from TOKEN_ASSAY_PASSWORD: it cannot be used with/,
  ])
  t.match(
    await run('--watch', 'src', '--only', 'no-such-case'),
    [2, /no-such-case/],
    'as the run itself does',
  )
})
