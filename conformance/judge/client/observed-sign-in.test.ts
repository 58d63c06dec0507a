import { spawnSync } from 'node:child_process'
import t from 'tap'
import { howItEnded } from './observed-sign-in.js'

t.test('of a crash, what the runtime prints around the error is not shown', (t) => {
  const { stderr } = spawnSync(process.execPath, ['-e', 'new URL(`${undefined}/Token`)'], {
    encoding: 'utf8',
  })
  t.match(stderr, /\n +at .*\n.*\n?Node\.js v/s)
  t.match(
    howItEnded({ how: 'exit code 1', errors: stderr }),
    /^exit code 1; it wrote: TypeError: Invalid URL.* ⏎ code: 'ERR_INVALID_URL', ⏎ input: 'undefined\/Token'$/,
  )
  const lines = ['one', '', '}', 'two', 'three', 'four']
  t.equal(
    howItEnded({ how: 'exit code 2', errors: lines.join('\n') }),
    'exit code 2; it wrote: two ⏎ three ⏎ four',
  )
  t.end()
})
