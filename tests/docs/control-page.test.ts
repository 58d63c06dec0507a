/** What docs/control.md shows works as it is written, answers included, and it shows all that there is. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { endpoints } from '../../reference/control/endpoints.js'
import { controlErrorCodes } from '../../reference/control-error.js'
import { matching } from '../../reference/service.js'
import { blocksOf, installedIn, typescriptOf } from '../fixtures/page.js'
import { runAsUser } from '../fixtures/run-as-user.js'

const PAGE = 'docs/control.md'
const text = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8')
const blocks = blocksOf(PAGE)
const requests = blocks.filter(({ language }) => language === 'bash')
const answers = requests.map((request) => blocks[blocks.indexOf(request) + 1])

t.jobs = 2

t.test('every request is answered as shown', async (t) => {
  const mark = '== the next block =='
  const program = requests.map((block) => `${block.text}\nprintf '%s\\n' '${mark}'\n`).join('')
  const folder = installedIn(t, { 'program.sh': program })
  const { exitCode, stdout, stderr } = await runAsUser('bash', ['program.sh'], folder)
  t.equal(exitCode, 0, 'ran', { stderr })
  const came = stdout
    .replaceAll('\r', '')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .split(`${mark}\n`)
  t.equal(came.pop(), '')
  for (const [index, shown] of answers.entries()) {
    const request = requests[index]?.text ?? ''
    const read = shown?.language === 'json' ? parsed : (answer: string) => answer.trimEnd()
    const asShown = read(shown?.text ?? '')
    t.match(shown?.language, /^(json|text)$/, 'an answer is below the request', { request })
    t.strictSame(elided(read(came[index] ?? ''), asShown), asShown, request.trim())
  }
  t.notMatch(stdout + stderr, /Correct-horse|Wrong-horse/)
})

t.test('every endpoint is asked, and every word explained', async (t) => {
  const shell = requests.map((block) => block.text).join('\n')
  const asked = [...shell.matchAll(/control (GET|POST|PATCH|DELETE) (\/\S*)/g)]
  const missing = endpoints.filter(
    ({ method, path }) =>
      !path.startsWith('/scopes/:scope/') &&
      !asked.some(([, by, at = '']) => by === method && matching(path).test(at)),
  )
  t.strictSame(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  )
  t.ok(asked.length > 25)
  for (const code of controlErrorCodes) t.match(text, `| \`${code}\` |`)
})

t.test('the parts in TypeScript make one program', async (t) => {
  const { exitCode, stdout, stderr } = await runAsUser(...typescriptOf(t, PAGE))
  t.strictSame({ exitCode, stdout, stderr }, { exitCode: 0, stdout: '', stderr: '' })
})

/** An answer, as JSON, and its status. */
function parsed(answer: string): { readonly body: unknown; readonly status: string } {
  const lines = answer.trim().split('\n')
  const status = lines.pop() ?? ''
  const body = lines.join('\n')
  return { body: body === '' ? undefined : JSON.parse(body), status }
}

/** What came, with `…` where the page has one and it stands for what came. */
function elided(came: unknown, shown: unknown): unknown {
  if (typeof came === 'string' && typeof shown === 'string') {
    const [start = '', end] = shown.split('…')
    return end !== undefined && came.startsWith(start) && came.endsWith(end) ? shown : came
  }
  if (Array.isArray(came))
    return came.map((item, index) => elided(item, Array.isArray(shown) ? shown[index] : undefined))
  if (typeof came !== 'object' || came === null) return came
  const members = new Map(Object.entries(shown ?? {}))
  return Object.fromEntries(
    Object.entries(came).map(([name, value]) => [name, elided(value, members.get(name))]),
  )
}
