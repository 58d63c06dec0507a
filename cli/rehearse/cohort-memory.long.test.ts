import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import type { Rehearsal } from '../../spec/generated/types/rehearsal.js'
import { startCommand } from '../../tests/fixtures/command.js'
import { isNight } from '../../tests/fixtures/effort.js'
import { serve } from '../../tests/fixtures/serve.js'

const SMALL = 2000
const LARGE = isNight ? 100_000 : 10_000
/** What hides tokens has its own bound, far above these. */
const KNOWN_TOKENS = 100

/** Writes the bytes that the thread of the command had in use when they were most, garbage left out. */
const MEASURED = `data:text/javascript,${encodeURIComponent(
  `import { writeFileSync } from 'node:fs'
   import { isMainThread } from 'node:worker_threads'
   let most = 0
   const measure = () => {
     gc()
     const { heapUsed, external } = process.memoryUsage()
     most = Math.max(most, heapUsed + external)
   }
   if (!isMainThread) {
     setInterval(measure, 200).unref()
     process.on('exit', () => {
       measure()
       writeFileSync('peak', String(most))
     })
   }`,
)}`

t.test(`a cohort of ${LARGE} accounts takes the memory of one of ${SMALL}`, async (t) => {
  let tokens = 0
  const service = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url === '/me')
        return void response
          .writeHead(/^Bearer issued-\d+$/.test(request.headers.authorization ?? '') ? 200 : 401)
          .end()
      response.setHeader('Content-Type', 'application/json;charset=UTF-8')
      response.end(
        JSON.stringify({
          access_token: `issued-${tokens++ % KNOWN_TOKENS}`,
          token_type: 'bearer',
          expires_in: 1_209_599,
        }),
      )
    })
  })
  const baseUrl = `http://${await serve(t, service)}`
  const peaks: number[] = []
  for (const accounts of [SMALL, LARGE]) {
    const cwd = t.testdir({
      't.json': JSON.stringify({
        accounts: [{ userName: 'ann', password: 'Secret-1' }],
        resource: { path: '/me' },
        cohort: { file: 'accounts.csv', password: 'Secret-1', perSecond: 10_000 },
        deployments: { old: { baseUrl }, new: { baseUrl } },
      }),
    })
    const file = createWriteStream(join(cwd, 'accounts.csv'))
    file.write('userName,passwordHash\n')
    for (let at = 0; at < accounts; at++)
      if (!file.write(`user-${at}@example.com,${'x'.repeat(80)}\n`)) await once(file, 'drain')
    await once(file.end(), 'close')
    const { ended } = startCommand(['rehearse', '--target', 't.json', '--max-wait', '0'], {
      cwd,
      nodeFlags: ['--expose-gc', '--import', MEASURED],
    })
    const { exitCode, stdout, stderr } = await ended
    t.equal(exitCode, 0, stdout + stderr)
    const text = readFileSync(join(cwd, 'token-assay-report/rehearsal.json'), 'utf8')
    const { cohort }: Rehearsal = JSON.parse(text)
    t.match(cohort, { tried: accounts, both: accounts, unanswered: 0 })
    peaks.push(Number(readFileSync(join(cwd, 'peak'), 'utf8')))
  }
  const [small = 0, large = 0] = peaks
  t.comment(`peak ${small} bytes of ${SMALL} accounts, ${large} of ${LARGE}`)
  t.ok(small > 0 && large < 1.1 * small, `${large} bytes beside ${small}`)
})
