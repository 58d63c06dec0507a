/** What docs/containers.md gives the command is what the command takes, and its Compose file is one. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { command } from '../../cli/serve/serve.js'
import { startReferenceServer } from '../../reference/server.js'
import { serve } from '../fixtures/serve.js'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/containers.md')
const run = promisify(execFile)

t.test('its flags are those of serve, and each language has the same', async (t) => {
  const blocks = [...page.matchAll(/```(yaml|typescript|java|csharp)\n(.*?)```/gs)]
  t.equal(blocks.length, 4)
  for (const [, language, text = ''] of blocks) {
    const flags = [...text.matchAll(/--[a-z-]+/g)].map(([flag]) => flag)
    for (const flag of flags) t.match(command.usage, new RegExp(`^  ${flag} `, 'm'), `${language}: ${flag}`)
    for (const flag of ['--host', '--control-port', '--control-host', '--control-remote'])
      t.ok(flags.includes(flag), `${language} has ${flag}`)
  }
  const compose = parse(/```yaml\n(.*?)```/s.exec(page)?.[1] ?? '')
  t.equal(compose.services.web.depends_on.accounts.condition, 'service_healthy')
})

t.test('the health check of the image, by HTTP and by HTTPS', async (t) => {
  const check = /^ {2}CMD \["node", "-e", "(.*)"\]$/m.exec(read('Dockerfile'))?.[1] ?? ''
  const passes = (env: Record<string, string>): Promise<boolean> =>
    run(process.execPath, ['-e', check], { env }).then(
      () => true,
      () => false,
    )
  const plain = await serve(
    t,
    createServer((_, response) => response.writeHead(404).end()),
  )
  t.equal(await passes({ TOKEN_ASSAY_URL: `http://${plain}` }), true)
  t.equal(await passes({ TOKEN_ASSAY_PORT: plain.split(':')[1] ?? '' }), true)
  await using secure = await startReferenceServer({ tls: 'self-signed', hashing: 'fast' })
  t.equal(await passes({ TOKEN_ASSAY_URL: secure.url }), true)
  t.equal(await passes({ TOKEN_ASSAY_PORT: String(secure.port) }), true)
  t.equal(await passes({ TOKEN_ASSAY_URL: 'http://127.0.0.1:1' }), false)
})
