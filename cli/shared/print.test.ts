import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { callCommand } from '../../tests/fixtures/call-command.js'
import { callProblems, outputProblems } from '../../tests/fixtures/judge-output.js'
import { explain } from '../command-line.js'
import { EXIT } from './command.js'
import { CLEAR_LINE, show } from './print.js'

/** As a name of a file, an account or a target: it moves the cursor, conceals, reorders, and gives orders to a CI service. */
const NAME = 'x\u001b[2J\u001b[8m\u001b]0;x\u0007\u202e\u2066\u009b2J\r\n::error::x\n##[group]y'

t.test('no name given to a command reaches the terminal as it is', async (t) => {
  const cwd = t.testdir({ [NAME]: {}, other: {} })
  const call = async (...args: readonly string[]): Promise<number | null> => {
    const ended = await callCommand(args, { cwd, env: { TOKEN_ASSAY_PASSWORD: NAME } })
    t.strictSame(callProblems(ended), [], args.join(' '))
    return ended.exitCode
  }
  const server = 'http://127.0.0.1:1'
  const report = join('other', 'report.partial.json')
  t.equal(await call('run', '--embedded', '--only', '2.1/*', '--out', 'other'), 0)
  const hostile = {
    ...JSON.parse(readFileSync(join(cwd, report), 'utf8')),
    [NAME]: 1,
    [`${NAME}2`]: { [NAME]: NAME },
  }
  mkdirSync(join(cwd, NAME, 'in'))
  writeFileSync(join(cwd, NAME, `${NAME}.json`), JSON.stringify(hostile))
  writeFileSync(join(cwd, NAME, 'in', 'broken.json'), '{"schemaVersion": 1, "suite": \u001b[2J\u009b')
  writeFileSync(join(cwd, NAME, 'target.json'), JSON.stringify({ name: NAME, baseUrl: server, [NAME]: NAME }))

  t.equal(await call('run', '--embedded', '--only', '2.1/*', '--out', NAME), 0)
  t.equal(
    await call('report', report, '--reporter', `json=${NAME}/r.json`, '--reporter', `html=${NAME}/r.html`),
    0,
  )
  t.equal(await call('board', NAME, '--out', join('other', NAME)), 0)
  t.equal(await call('compare', report, join(NAME, 'report.partial.json')), 0)
  t.equal(await call('merge', report, '--out', NAME), 2)
  t.equal(await call('init', '--user-name', NAME, '--out', join('other', `${NAME}.yaml`)), 0)
  t.equal(await call('export', 'k6', server, '--user-name', NAME, '--out', `${NAME}.js`), 0)
  const script = await callCommand(['export', 'k6', server, '--user-name', NAME], { cwd })
  // The tabs of code.
  t.strictSame(outputProblems(script.stdout.replaceAll('\t', ' ')), [])
  const refused = [
    [NAME],
    ...[
      'run',
      'ui',
      'client',
      'proxy',
      'serve',
      'init',
      'report',
      'compare',
      'board',
      'diff',
      'merge',
    ].flatMap((name) => [
      [name, NAME, NAME],
      [name, `--${NAME}`],
    ]),
    ...['prove', 'export', 'list', 'explain'].flatMap((name) => [
      [name, NAME],
      [name, `--${NAME}`, NAME],
    ]),
    ['run', '--target', NAME],
    ['run', '--target', join(NAME, 'target.json')],
    ['run', '--embedded', '--only', NAME],
    ['run', server, '--user-name', NAME, '--only', NAME],
    ['run', '--embedded', '--baseline', NAME],
    ['run', '--embedded', '--reporter', NAME],
    ['run', '--embedded', '--cases', NAME],
    ['report', join(NAME, `${NAME}.json`)],
    ['compare', report, report, '--fail-on', NAME],
    ['client', '--replay', NAME, '--', 'true'],
    ['client', '--only', '1/*', '--', `./${NAME}`],
    ['serve', '--port', NAME],
    ['serve', '--config', NAME],
    ['serve', '--port', '0', '--port-file', NAME],
    ['serve', '--mutant', NAME],
    ['proxy', server, '--host', NAME],
    ['diff', '--old', NAME, '--new', NAME],
    ['diff', '--old', server, '--new', server, '--user-name', NAME, '--accepted', NAME],
    ['prove', '--mutant', NAME],
    ['prove', '--check', NAME],
    ['list', 'rules', '--profile', NAME],
  ]
  for (const args of refused) t.not(await call(...args), 0, JSON.stringify(args))
})

t.test('our own colours and the removal of a line are left of what is shown, and nothing else', (t) => {
  const written = t.capture(process.stderr, 'write', () => true)
  const shown = (text: string, color: boolean): string => {
    show(text, 'stderr', color)
    return String(written().at(-1)?.args[0])
  }
  t.equal(shown(`${CLEAR_LINE}\u001b[31mred\u001b[39m\n`, true), `${CLEAR_LINE}\u001b[31mred\u001b[39m\n`)
  t.equal(shown('\u001b[31mred', false), '\\u001b[31mred')
  t.strictSame(outputProblems(shown(`a${CLEAR_LINE}\n::error::${NAME}`, false)), [])
  t.end()
})

t.test('a name that is too long or leads in circles is no bug of the tool', async (t) => {
  const cwd = t.testdir({ loop: t.fixture('symlink', 'loop') })
  const server = 'http://127.0.0.1:1'
  for (const name of ['loop', 'loop/x', 'x'.repeat(300)])
    for (const args of [
      ['report', name],
      ['compare', name, name],
      ['merge', name],
      ['board', name],
      ['run', '--target', name],
      ['run', '--embedded', '--baseline', name],
      ['run', '--embedded', '--cases', name],
      ['run', '--embedded', '--only', '2.1/*', '--out', name],
      ['run', '--embedded', '--watch', name],
      ['run', server, '--user-name', 'alice', '--ca', name],
      ['serve', '--config', name],
      ['serve', '--port', '0', '--port-file', name],
      ['diff', '--old', server, '--new', server, '--user-name', 'alice', '--accepted', name],
      ['export', 'k6', '--target', name],
      ['init', '--out', name],
      ['prove', '--check', name],
      ['client', '--', `./${name}`],
    ]) {
      const { exitCode, stderr } = await callCommand(args, {
        cwd,
        env: { TOKEN_ASSAY_PASSWORD: 'Correct-7-horses' },
      })
      t.equal(exitCode, 2, `${args.join(' ')}: ${stderr}`)
    }
})

t.test('neither is a working folder that is gone', (t) => {
  const printed = t.capture(process.stderr, 'write', () => true)
  const gone = Object.assign(new Error('ENOENT: process.cwd failed'), { code: 'ENOENT', syscall: 'uv_cwd' })
  t.equal(explain(gone), EXIT.misuse)
  t.equal(printed()[0]?.args[0], 'token-assay: the working directory is not there any more\n')
  t.end()
})
