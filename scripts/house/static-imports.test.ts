/** What the package loads when it is imported: not what only few of its users need. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { loadedBy } from './static-imports.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

t.test('whoever imports the package loads no engine, and no native or heavy library', async (t) => {
  const { files, packages } = loadedBy(ROOT, ['index.ts'])
  t.ok(files.has('reference/server.ts'))
  t.notOk(files.has('conformance/run.ts'))
  t.notOk(files.has('reference/control/control-server.ts'), 'nor a control plane')
  t.strictSame([...packages], ['polka'])
})

t.test('serve without a configuration file loads no parser', async (t) => {
  const { packages } = loadedBy(ROOT, ['cli/serve/serve.ts'])
  t.strictSame([...packages], ['polka'])
})
