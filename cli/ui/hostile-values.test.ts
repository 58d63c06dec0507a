import { join } from 'node:path'
import t from 'tap'
import { startPage } from '../../pages/ui/page-server.js'
import { createSetup } from '../../pages/ui/setup/setup.js'
import { enterUi } from '../../tests/fixtures/ui-page.js'
import { createDemonstration } from './demonstration.js'
import { createReportFiles } from './report-files.js'
import { saveTarget } from './save-target.js'
import { watchFolder } from './watch-folder.js'

/** What no field of the page holds when a person fills it in. */
const HOSTILE: readonly string[] = [
  '',
  'a\0b',
  '\ud800',
  'x'.repeat(5000),
  `${'a/'.repeat(3000)}a`,
  '\u0001\u001b[31m\u007f',
  '__proto__',
  '../../..',
  '/',
  '.',
  '%ff',
  '${__proto__}',
  '* &a [',
  'a: &a [*a]',
  '{"__proto__":{"polluted":1}}',
  '__proto__: { polluted: 1 }',
  'http://[::1',
  'POST /Token\nA: \0\n\nb',
]

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'setup/check': ['baseUrl', 'userName', 'password'],
  'setup/text': ['text'],
  'setup/registration': ['method', 'path', 'kind', 'body', 'cleanUp'],
  'setup/externalLogin': ['method', 'path', 'kind', 'body', 'account'],
  'setup/save': ['file', 'replace'],
  'run/again': ['rule'],
  'run/watch': ['folder'],
  'run/send': ['rule', 'result', 'label', 'text'],
  'run/start': ['includesUserId', 'tokenLifetime', 'value:X'],
}

t.test('whatever a field holds, the page says what is wrong with it, and is no bug', async (t) => {
  const folder = t.testdir({ 'a.yaml': '' })
  const text = 'baseUrl: http://127.0.0.1:1\naccounts: [{ userName: ann, password: "${X}" }]\n'
  const reports = createReportFiles(folder)
  const setup = createSetup({
    environment: {},
    probe: async () => ({ values: {}, lines: [] }),
    given: { file: join(folder, 'a.yaml'), text },
  })
  const demonstration = createDemonstration()
  const page = await startPage({
    port: 0,
    setup,
    ports: {
      saveTarget: (file, text, replace) => saveTarget(folder, file, text, replace),
      clearReport: () => undefined,
      saveReport: () => undefined,
      history: reports.list,
      readReport: reports.read,
      demonstrate: demonstration.target,
      watch: (name, onChange) => watchFolder(folder, name, onChange),
    },
  })
  t.teardown(() => page.close())
  const { ask, post } = await enterUi(page.address)
  const usual: Readonly<Record<string, string>> = {
    baseUrl: 'http://127.0.0.1:1',
    userName: 'ann',
    password: 'x',
    path: '/a',
    body: '{}',
    file: 'b.yaml',
    replace: 'yes',
    label: 'request',
    text: 'POST /Token',
  }
  const found: string[] = []
  for (const [path, fields] of Object.entries(FIELDS))
    for (const field of fields)
      for (const value of HOSTILE) {
        const values = {
          ...Object.fromEntries(fields.map((name) => [name, usual[name] ?? ''])),
          [field]: value,
        }
        const response = await post(path, values)
        const body = await response.text()
        const isRefused = path !== 'run/watch' || value === '.' || response.status === 400
        if (!isRefused || response.status >= 500 || /This is a bug|\n +at /.test(body))
          found.push(
            `${path} ${field} ${JSON.stringify(value).slice(0, 60)}: ${response.status} ${body.slice(0, 200)}`,
          )
        setup.setText(text)
        setup.saved(join(folder, 'a.yaml'))
      }
  const names = ['%00', '%ff', '%', '__proto__', 'x'.repeat(9000), '%ed%a0%80']
  for (const name of names)
    for (const path of [
      `run/rule?name=${name}`,
      `report/${name}`,
      `compare?a=${name}&b=${name}`,
      `history?x=${name}`,
      name,
      `run/${name}`,
    ]) {
      const response = await ask(path)
      const body = await response.text()
      if (response.status >= 500) found.push(`${path.slice(0, 60)}: ${response.status} ${body.slice(0, 200)}`)
    }
  for (const body of [
    '',
    'null',
    '[]',
    '1',
    '{"a":1}',
    '{',
    '"x"',
    '{"__proto__":"x"}',
    '{"folder":"a","folder":"\\u0000"}',
    '\xff',
  ]) {
    const response = await ask('run/watch', { method: 'POST', body })
    if (response.status >= 500) found.push(`${body}: ${response.status} ${await response.text()}`)
  }
  t.strictSame(found, [])
  t.notOk('polluted' in {})
})
