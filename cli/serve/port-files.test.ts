import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writeAtomic } from '../shared/files.js'
import { preparePortFiles, removePortFiles, type Written, writePortFiles } from './port-files.js'

const server = { port: 7, controlUrl: 'http://127.0.0.1:8' }

t.test('what an earlier run left is removed at the start, and its own files at the end', async (t) => {
  const folder = t.testdir({ port: 'old' })
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
