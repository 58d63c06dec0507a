import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { reporterNames } from '../../reports/formats/reporters.js'
import { AssayError } from '../../spec/model/assay-error.js'
import {
  assertWritable,
  clearOutputs,
  openOutput,
  refuseSharedFiles,
  removeFile,
  writeAtomic,
  writeNew,
} from './files.js'
import { clearFolder } from './output-folder.js'
import { readOutputs } from './outputs.js'

const usage = (message: string) => new AssayError('usage', message)

t.test('the console has standard output unless another reporter takes it', async (t) => {
  t.strictSame(readOutputs([]), [{ reporter: 'console' }])
  t.strictSame(readOutputs(['tap']), [{ reporter: 'tap' }])
  t.strictSame(readOutputs(['junit=a=b.xml']), [
    { reporter: 'junit', file: 'a=b.xml' },
    { reporter: 'console' },
  ])
  t.throws(() => readOutputs(['jnuit']), usage('unknown reporter `jnuit`: did you mean `junit`?'))
  t.throws(() => readOutputs(['x']), usage(`unknown reporter \`x\`: there are ${reporterNames.join(', ')}`))
  t.strictSame(readOutputs(['junit=/dev/stdout']), [{ reporter: 'junit' }], 'standard output by its name')
  t.throws(
    () => readOutputs(['junit=a.xml,json=b.json']),
    usage('--reporter takes one format: repeat it, as in --reporter json=FILE'),
  )
  t.throws(() => readOutputs(['tap=']), usage('--reporter tap= needs a file name after `=`'))
  t.throws(() => readOutputs(['tap', 'json', 'console=c']), {
    message: /^tap and json cannot both use standard output/,
  })
})

t.test('two reports in one file, however it is spelled', async (t) => {
  refuseSharedFiles(['out/report.json', 'report.json'])
  t.throws(
    () => refuseSharedFiles(['out/report.json', 'x', './out/../out/report.json']),
    usage('./out/../out/report.json is named twice: give each report its own file'),
  )
  refuseSharedFiles(['out/a', 'out/ab/*'], ['one.pem', './one.pem'])
  t.throws(
    () => refuseSharedFiles(['./a.yaml'], ['a.yaml']),
    usage('./a.yaml is named twice: give each report its own file'),
  )
  t.throws(
    () => refuseSharedFiles(['out/a', 'x', 'out/a/*']),
    usage('out/a is named as a file and as a folder: give each report its own'),
  )
})

t.test('files are made sure of before, and written whole', async (t) => {
  const folder = t.testdir({ file: '', deep: {} })
  const at = (...names: string[]) => join(folder, ...names)
  t.throws(() => assertWritable([at('a', 'b', 'x'), at('deep')]), {
    code: 'unwritable-file',
    message: /deep cannot be written: it is a folder$/,
  })
  t.notOk(existsSync(at('a')), 'no folder is left behind')
  t.throws(() => assertWritable([at('file', 'x')]), { code: 'unwritable-file' })
  symlinkSync('nowhere', at('gone'))
  t.throws(() => assertWritable([at('gone', 'x')]), { message: /gone is a link to what is not there$/ })

  writeFileSync(at('deep', 'report.json'), 'before')
  assertWritable([at('deep', 'report.json'), at('a', 'b', 'x')])
  t.equal(readFileSync(at('deep', 'report.json'), 'utf8'), 'before', 'what is there stays')
  writeAtomic(at('deep', 'report.json'), 'after')
  t.equal(readFileSync(at('deep', 'report.json'), 'utf8'), 'after')
  t.strictSame(readdirSync(at('deep')), ['report.json'])
  t.throws(() => writeAtomic(at('nowhere', 'x'), ''), { code: 'unwritable-file' })
})

t.test('a file that was put in the way is neither written to nor removed', async (t) => {
  const folder = t.testdir({ victim: 'mine', 'report.json.tmp': 'theirs' })
  const at = (name: string) => join(folder, name)
  symlinkSync(at('victim'), at('page.tmp'))
  for (const file of [at('report.json'), at('page')]) {
    assertWritable([file])
    writeAtomic(file, 'x')
  }
  t.equal(readFileSync(at('report.json.tmp'), 'utf8'), 'theirs')
  t.equal(readFileSync(at('victim'), 'utf8'), 'mine')
  t.strictSame(readdirSync(folder).length, 5, 'and nothing else is left')
})

t.test('links are followed, and stay', async (t) => {
  const folder = t.testdir({ deep: { real: 'before' } })
  const at = (...names: string[]) => join(folder, ...names)
  chmodSync(at('deep', 'real'), 0o600)
  symlinkSync('deep/real', at('link'))
  symlinkSync('deep/new', at('broken'))
  symlinkSync('loop', at('loop'))
  assertWritable([at('link'), at('broken')])
  for (const name of ['link', 'broken']) {
    writeAtomic(at(name), 'after')
    t.ok(lstatSync(at(name)).isSymbolicLink())
    t.equal(readFileSync(at(name), 'utf8'), 'after')
  }
  t.equal(statSync(at('deep', 'real')).mode & 0o777, 0o600, 'what no one else could read stays so')
  t.throws(() => writeAtomic(at('loop'), ''), { code: 'unwritable-file' })
  t.strictSame(readdirSync(at('deep')), ['new', 'real'])
  symlinkSync('nowhere', at('planted'))
  t.throws(() => writeNew(at('planted'), 'x'), { code: 'EEXIST' })
  t.notOk(existsSync(at('nowhere')))
})

t.test('what an earlier call wrote is emptied, and nothing is made', async (t) => {
  const folder = t.testdir({ old: 'yesterday', link: t.fixture('symlink', 'old') })
  const at = (name: string): string => join(folder, name)
  chmodSync(at('old'), 0o600)
  clearOutputs([at('link'), at('new'), '/dev/stdout'])
  t.strictSame(readdirSync(folder), ['link', 'old'])
  t.equal(readFileSync(at('old'), 'utf8'), '')
  t.equal(statSync(at('old')).mode & 0o777, 0o600)
})

t.test('what is no regular file is written straight to', async (t) => {
  const folder = t.testdir({})
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  t.throws(() => writeAtomic(pipe, 'x'), { code: 'unwritable-file' }, 'a pipe without a reader does not hang')
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const bytes = Buffer.alloc(99)
  const read = () => bytes.toString('utf8', 0, readSync(reader, bytes))
  assertWritable([pipe])
  writeAtomic(pipe, ['on', 'e'])
  t.equal(read(), 'one')
  const output = openOutput(pipe)
  output.write('two')
  output.close()
  t.equal(read(), 'two')
  removeFile(pipe)
  t.ok(statSync(pipe).isFIFO(), 'it is there, and still a pipe')
  symlinkSync('/dev/full', join(folder, 'full'))
  t.throws(() => writeAtomic(join(folder, 'full'), 'x'), { message: /full cannot be written: ENOSPC/ })
  t.ok(statSync('/dev/full').isCharacterDevice())
})

t.test('a write that fails leaves nothing behind', async (t) => {
  const folder = t.testdir({ x: 'before' })
  const text = function* () {
    yield 'half'
    throw new Error('the disk is full')
  }
  t.throws(() => writeAtomic(join(folder, 'x'), text()), { message: /x cannot be written: the disk is full/ })
  t.strictSame(readdirSync(folder), ['x'])
  t.equal(readFileSync(join(folder, 'x'), 'utf8'), 'before')
})

t.test(
  'a link of another user in a shared folder is not followed',
  { skip: process.getuid?.() !== 0 },
  async (t) => {
    const folder = t.testdir({ own: {}, shared: {} })
    const shared = `${folder}/shared`
    chmodSync(shared, 0o1777)
    for (const name of ['file', 'folder', 'mine']) symlinkSync(`${folder}/own`, `${shared}/${name}`)
    for (const name of ['file', 'folder']) lchownSync(`${shared}/${name}`, 65_534, 65_534)
    for (const file of [`${shared}/file`, `${shared}/folder/report.json`])
      t.throws(() => assertWritable([file]), {
        code: 'unwritable-file',
        message: /is a link of another user/,
      })
    assertWritable([`${shared}/mine/report.json`])
    // Also where nothing was made sure of before, as where a refused run replaces what is there.
    writeFileSync(`${folder}/own/report.json`, 'precious')
    symlinkSync(`${folder}/own/report.json`, `${shared}/report`)
    lchownSync(`${shared}/report`, 65_534, 65_534)
    for (const write of [
      () => writeAtomic(`${shared}/report`, 'x'),
      () => writeAtomic(`${shared}/folder/report.json`, 'x'),
      () => openOutput(`${shared}/report`),
      () => clearFolder(`${shared}/folder`, /report/),
    ])
      t.throws(write, { code: 'unwritable-file', message: /is a link of another user/ })
    t.equal(readFileSync(`${folder}/own/report.json`, 'utf8'), 'precious')
  },
)
