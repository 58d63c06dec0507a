import { readFileSync } from 'node:fs'
import t from 'tap'
import { FORMATS_PAGE, formatsPage } from './formats-page.js'

const page = readFileSync(FORMATS_PAGE, 'utf8')

t.test('docs/formats.md is what the formats say', async (t) => {
  t.equal(page, await formatsPage(), 'else `npm run docs:formats`')
})

t.test('what a gate reads is red where the exit code is not 0, and nowhere else', async (t) => {
  const rows = new Map(
    Array.from(page.matchAll(/^\|(.*)\|$/gm), ([, row = '']) => {
      const [name = '', ...cells] = row.split('|')
      return [name.replaceAll('`', ''), cells]
    }),
  )
  t.strictSame(rows.get(''), ['stopped', 'waived', 'stale', 'unstable'])
  t.strictSame(rows.get('exit code of run'), ['3', '0', '1', '3'], 'as promised')
  const green: Readonly<Record<string, RegExp>> = {
    console: /^✓/,
    json: /^conformant$/,
    ndjson: /^conformant$/,
    junit: /failures=0 errors=0$/,
    tap: /^0 not ok/,
    html: /^✓/,
    markdown: /^✓/,
    github: /^0 error, 0 warning$/,
    ctrf: /^0 failed, 0 other, 0 pending/,
    allure: /^0 failed, 0 broken/,
    badge: /: conformant,/,
    shields: /, brightgreen$/,
    sarif: /^0 error, 0 warning/,
  }
  for (const [format, pattern] of Object.entries(green))
    t.strictSame(
      rows.get(format)?.map((cell) => pattern.test(cell)),
      [false, true, false, false],
      format,
    )
})
