import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { selfSigned } from '../../reference/tls/self-signed.js'
import { writeAtomic } from '../shared/files.js'
import { preparePortFiles, removePortFiles, type Written, writePortFiles } from './port-files.js'

const server = { port: 7, controlUrl: 'http://127.0.0.1:8' }

t.test('what an earlier run left is removed at the start, and its own files at the end', async (t) => {
  const folder = t.testdir({ port: '4711\n' })
  const files = { 'port-file': join(folder, 'port'), 'control-port-file': join(folder, 'control') }
  preparePortFiles(files)
  t.notOk(existsSync(files['port-file']))
  const written: Written = new Map()
  writePortFiles(files, server, written)
  t.equal(readFileSync(files['port-file'], 'utf8'), '7\n')
  t.equal(readFileSync(files['control-port-file'], 'utf8'), '8\n')
  removePortFiles(written)
  for (const file of Object.values(files)) t.notOk(existsSync(file))
  removePortFiles(written)
})

t.test('a file that another process wrote meanwhile stays', async (t) => {
  for (const write of [writeAtomic, writeFileSync]) {
    const file = join(t.testdir(), 'port')
    const written: Written = new Map()
    writePortFiles({ 'port-file': file }, server, written)
    // The same port, as of a server that took it over.
    write(file, '7\n')
    removePortFiles(written)
    t.equal(existsSync(file), true, write.name)
  }
})

t.test('what no earlier run can have left is refused, and stays', async (t) => {
  const { cert, key } = await selfSigned('localhost')
  const refused = {
    'port-file': ['a: 1\n', '4711\n4712\n', '123456\n', cert, '\u{1f600}', 'x'.repeat(200_000)],
    'control-port-file': ['notes'],
    'certificate-file': ['4711\n', key, cert + key, `${cert}notes`],
  } as const
  for (const [name, texts] of Object.entries(refused))
    for (const text of texts) {
      const folder = t.testdir({ own: text, port: '4711\n' })
      const own = join(folder, 'own')
      // Nothing is removed before all are looked at.
      const files = { 'port-file': join(folder, 'port'), [name]: own }
      t.throws(() => preparePortFiles(files), {
        code: 'usage',
        message: `--${name}: ${own} is there and holds something else: name a file that may be written over`,
      })
      t.equal(readFileSync(own, 'utf8'), text)
      t.equal(existsSync(join(folder, 'port')), true)
    }
  for (const [name, text] of [
    ['port-file', ''],
    ['port-file', '4711\r\n'],
    ['control-port-file', '\n'],
    ['certificate-file', ''],
    ['certificate-file', cert + cert],
  ] as const) {
    const file = join(t.testdir({ own: text }), 'own')
    preparePortFiles({ [name]: file })
    t.equal(existsSync(file), false, `${name}: ${text.slice(0, 20)}`)
  }
})

t.test('of a certificate that is in one file with its key, the certificate alone is written', async (t) => {
  const { cert, key } = await selfSigned('localhost')
  const file = join(t.testdir(), 'ca.pem')
  writePortFiles({ 'certificate-file': file }, { ...server, certificate: `${cert}${key}${cert}` }, new Map())
  const text = readFileSync(file, 'utf8')
  t.equal(text.replaceAll(/\s+/g, ''), (cert + cert).replaceAll(/\s+/g, ''))
  t.ok(new X509Certificate(text))
})
