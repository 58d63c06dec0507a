import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { AssayError } from '../spec/assay-error.js'
import { prepareFiles, readOutputs, refuseSharedFiles, writeWhole } from './output.js'

const usage = (message: string) => new AssayError('usage', message)

t.test('the console has standard output unless another reporter takes it', async (t) => {
  t.strictSame(readOutputs([]), [{ reporter: 'console' }])
  t.strictSame(readOutputs(['tap']), [{ reporter: 'tap' }])
  t.strictSame(readOutputs(['junit=a=b.xml']), [
    { reporter: 'junit', file: 'a=b.xml' },
    { reporter: 'console' },
  ])
  t.throws(() => readOutputs(['jnuit']), usage('there is no reporter `jnuit`: did you mean `junit`?'))
  t.throws(
    () => readOutputs(['x']),
    usage(
      'there is no reporter `x`: there are console, json, ndjson, junit, tap, html, markdown, github, ctrf, earl, badge',
    ),
  )
  t.throws(() => readOutputs(['tap=']), usage('--reporter tap= needs the name of a file'))
  t.throws(() => readOutputs(['tap', 'json', 'console=c']), {
    message: /^tap and json cannot share standard/,
  })
})

t.test('two reports in one file, however it is spelled', async (t) => {
  refuseSharedFiles(['out/report.json', 'report.json'])
  t.throws(
    () => refuseSharedFiles(['out/report.json', 'x', './out/../out/report.json']),
    usage('out/report.json cannot hold two reports: give each a file of its own'),
  )
})

t.test('files are made sure of before, and written whole', async (t) => {
  const folder = t.testdir({ file: '', deep: {} })
  const at = (...names: string[]) => join(folder, ...names)
  t.throws(() => prepareFiles([at('a', 'b', 'x'), at('deep')]), {
    code: 'unwritable-file',
    message: /deep cannot be written: it is a directory$/,
  })
  t.notOk(existsSync(at('a')), 'no folder is left behind')
  t.throws(() => prepareFiles([at('file', 'x')]), { code: 'unwritable-file' })

  writeFileSync(at('deep', 'report.json'), 'before')
  prepareFiles([at('deep', 'report.json'), at('a', 'b', 'x')])
  t.equal(readFileSync(at('deep', 'report.json'), 'utf8'), 'before', 'what is there stays')
  writeWhole(at('deep', 'report.json'), 'after')
  t.equal(readFileSync(at('deep', 'report.json'), 'utf8'), 'after')
  t.strictSame(readdirSync(at('deep')), ['report.json'])
  t.throws(() => writeWhole(at('nowhere', 'x'), ''), { code: 'unwritable-file' })
})
