import { spawn, spawnSync } from 'node:child_process'
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readTextFile } from './read-text-file.js'

const PIPES = { kib: 64, code: 'malformed-file', pipes: true, patienceMs: 50 } as const
const isWindows = process.platform === 'win32' && 'there are no such files'

t.test('what is no file is refused at once, whatever it is', { skip: isWindows }, async (t) => {
  const cwd = t.testdir({ folder: {}, empty: '' })
  spawnSync('mkfifo', [join(cwd, 'pipe')])
  symlinkSync('/dev/zero', join(cwd, 'device'))
  symlinkSync('loop', join(cwd, 'loop'))
  symlinkSync('nowhere', join(cwd, 'broken'))
  for (const name of ['folder', 'pipe', 'device', 'loop', 'broken'])
    t.throws(() => readTextFile(join(cwd, name), 'a list'), {
      code: 'missing-file',
      message: /expected a list/,
    })
  writeFileSync(join(cwd, 'large'), '')
  truncateSync(join(cwd, 'large'), 2 ** 31)
  t.throws(() => readTextFile(join(cwd, 'large'), 'a list'), { message: /at most 1 MiB, found 2048 MiB/ })
})

t.test('a pipe where one may be given', { skip: isWindows }, async (t) => {
  const cwd = t.testdir({})
  const pipe = join(cwd, 'pipe')
  spawnSync('mkfifo', [pipe])
  t.equal(readTextFile(pipe, 'a list', PIPES), '', 'that no one writes to')
  t.throws(() => readTextFile('/dev/zero', 'a list', PIPES), { message: /at most 64 KiB, found more/ })
  const writeLate = `setTimeout(() => { const { writeSync } = fs, pipe = fs.openSync('${pipe}', 'w')
    writeSync(pipe, 'one, '); setTimeout(() => writeSync(pipe, 'two'), 100) }, 100)`
  const writer = spawn(process.execPath, ['-e', writeLate], { stdio: 'ignore' })
  t.teardown(() => writer.kill())
  t.equal(
    readTextFile(pipe, 'a list', { ...PIPES, patienceMs: 30_000 }),
    'one, two',
    'written late, in parts',
  )
  const stuck = spawn('sh', ['-c', `exec 3>'${pipe}'; printf part >&3; sleep 60`], { stdio: 'ignore' })
  t.teardown(() => stuck.kill())
  t.throws(() => readTextFile(pipe, 'a list', { ...PIPES, patienceMs: 3000 }), { code: 'missing-file' })
})
