// A page of AngularJS in Chromium, of another origin than the service's.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { TOKEN_ASSAY_URL, TOKEN_ASSAY_USER_NAME, TOKEN_ASSAY_PASSWORD, TOKEN_ASSAY_RESOURCE_URL } = process.env
const given = { TOKEN_ASSAY_URL, TOKEN_ASSAY_USER_NAME, TOKEN_ASSAY_PASSWORD, TOKEN_ASSAY_RESOURCE_URL }
const files = {
  '/': ['text/html', '<!doctype html><body><script src=/angular.js></script><script src=/page.js></script>'],
  '/angular.js': ['text/javascript', readFileSync('/usr/share/javascript/angular.js/angular.min.js')],
  '/page.js': ['text/javascript', readFileSync(new URL('angularjs-page.js', import.meta.url))],
  '/given': ['application/json', JSON.stringify(given)],
}

const profile = mkdtempSync(join(tmpdir(), 'angularjs-'))
const server = createServer(async (request, response) => {
  if (request.url === '/done') {
    const report = JSON.parse((await request.setEncoding('utf8').toArray()).join(''))
    response.end()
    // Once none of its processes has the output any more, none writes into the profile.
    process.kill(-browser.pid, 'SIGKILL')
    await once(browser, 'close')
    rmSync(profile, { recursive: true })
    console.log(JSON.stringify(report))
    process.exit(report.signedIn ? 0 : 1)
  }
  const [type, content] = files[request.url] ?? ['text/plain', '']
  response.writeHead(200, { 'Content-Type': type }).end(content)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const browser = spawn(
  'chromium',
  [
    ...[
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-extensions',
      '--disable-background-networking',
    ],
    `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/`,
  ],
  { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
)
for (const output of [browser.stdout, browser.stderr]) output.resume()
