import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { clearingRefusal, reportingRefusal } from './refusal.js'
import { clearReportOutput, reportOutput } from './report-output.js'

const YESTERDAY = 'conformant, yesterday'
const QUIET = { on: () => false, all: () => [] }
const crash = (): never => {
  throw new TypeError('my-password')
}

t.test(
  'a crash before a run begins leaves no report of yesterday, and one amid it leaves its own',
  async (t) => {
    const folder = t.testdir({ 'report.json': YESTERDAY, 'x.xml': YESTERDAY })
    const args = { ...QUIET, all: () => [`junit=${join(folder, 'x.xml')}`] }
    const output = reportOutput(args, folder)
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    await t.rejects(
      reportingRefusal(output, args, async () => crash()),
      TypeError,
    )
    t.match(JSON.parse(read('report.json')), {
      verdict: 'inconclusive',
      stops: [
        { cause: 'refused', message: /^The run did not start: token-assay ended by an error of its own/ },
      ],
    })
    t.match(read('x.xml'), 'The run did not start')
    t.notMatch(read('report.json') + read('x.xml'), /my-password/)
    const begun = async (): Promise<never> => {
      clearReportOutput(output)
      return crash()
    }
    await t.rejects(reportingRefusal(output, args, begun), TypeError)
    t.strictSame([read('report.json'), read('x.xml')], ['', ''])
  },
)

t.test('reports of other kinds are emptied', async (t) => {
  const file = join(t.testdir({ 'x.json': YESTERDAY }), 'x.json')
  await t.rejects(
    clearingRefusal([file], async () => crash()),
    TypeError,
  )
  t.equal(readFileSync(file, 'utf8'), '')
})
