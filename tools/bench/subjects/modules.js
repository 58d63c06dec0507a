// Loaded before what is counted: writes the paths of all modules that were loaded to the pipe 3 when it ends.
import { readFileSync, rmSync, writeSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const list = join(tmpdir(), `token-assay-modules-${process.pid}`)
register('./modules-hooks.js', import.meta.url, { data: { list } })
const { cache } = createRequire(import.meta.url)

process.on('exit', () => {
  const imported = readFileSync(list, 'utf8').trimEnd().split('\n')
  rmSync(list)
  const files = imported.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
  writeSync(3, JSON.stringify({ modules: new Set([...files, ...Object.keys(cache)]).size }))
})
