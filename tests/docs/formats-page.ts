import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type FolderReporterName,
  folderReporterNames,
  folderReporters,
  isFolderReporter,
  type ReporterName,
  reporterNames,
  reporters,
} from '../../reports/formats/reporters.js'
import { gateOf } from '../../reports/formats/shared/gate.js'
import { readReport } from '../../reports/model/read-report.js'
import { groupBy } from '../../spec/model/items.js'
import type { Report } from '../../spec/model/report.js'

export const FORMATS_PAGE = fileURLToPath(new URL('../../docs/formats.md', import.meta.url))

/** The runs, and what each of them is. */
export const RUNS: Readonly<Record<string, string>> = {
  stopped: '`--max-duration` ended the run before its plan did',
  waived: 'One rule is broken, and an entry of the baseline waives it',
  stale: 'The service was fixed, and the entry is still there',
  unstable: 'One answer in twenty is a 500, for any request',
}

export function recordingOf(name: string): string {
  return fileURLToPath(new URL(`../../reports/fixtures/runs/${name}.ndjson`, import.meta.url))
}

/** What a format says about a run: what it counts, for a cell of the table, and the lines that name the cause. */
interface Format {
  readonly counts: (text: string) => string
  readonly says: (text: string) => readonly string[]
}

const number = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
const lines = (text: string, pattern: RegExp): readonly string[] =>
  text.split('\n').filter((line) => pattern.test(line))
const first = (text: string, pattern: RegExp): readonly string[] => lines(text, pattern).slice(0, 1)
const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Sections of the console that say why a run is not simply green, with its last figures and the verdict. */
function consoleWords(text: string): readonly string[] {
  const sections = text.split(/^── /m).filter((part) => /^(?:Cannot tell|Waived|Stale|Summary) /.test(part))
  return sections.flatMap((part) => {
    const [, ...body] = part.trimEnd().split('\n')
    const from = part.startsWith('Summary') ? body.findIndex((line) => /^\d+ cases/.test(line)) : 0
    return body.slice(from).filter((line) => line !== '')
  })
}

const verdictOfJson = (text: string): string => /"verdict": ?"(\w+)"/.exec(text)?.[1] ?? ''
const countsOfReport = (text: string): string => {
  const stale = number(text, /baseline\.yaml:\d+/g)
  return `${verdictOfJson(text)}${stale > 0 ? `, ${stale} stale` : ''}`
}
const markedVerdict = (text: string): string => /[✓✗?] [A-Z][A-Z ]+/.exec(text)?.[0].trim() ?? ''

const FORMATS: Readonly<Record<ReporterName | FolderReporterName, Format>> = {
  console: { counts: markedVerdict, says: consoleWords },
  json: { counts: countsOfReport, says: jsonWords },
  // The tests of its last line say again what is stale.
  ndjson: { counts: (text) => countsOfReport(text.split(',"tests":')[0] ?? ''), says: () => [] },
  junit: {
    counts: (text) => /tests="\d+" failures="\d+" errors="\d+"/.exec(text)?.[0].replaceAll('"', '') ?? '',
    says: (text) => [
      ...first(text, /<failure /),
      ...first(text, /<error type="(?!untested)/),
      ...first(text, /<error type="untested/),
      ...first(text, /<skipped message="waived/),
    ],
  },
  tap: {
    counts: (text) =>
      `${number(text, /^not ok .*$/gm) - number(text, /^not ok .* # TODO/gm)} not ok, ${number(text, /# TODO/g)} TODO, ${number(text, /# SKIP/g)} SKIP`,
    says: (text) => [
      ...first(text, /^not ok .* # TODO/),
      ...first(text, /^not ok (?!.*# TODO)/),
      ...first(text, /^ +(?:reason|message|- rule): /),
      ...lines(text, /^# [a-z]+, seed|^Bail out/),
    ],
  },
  html: {
    counts: (text) => plain(/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? ''),
    says: (text) => Array.from(/<p class="why">.*?<\/p>/s.exec(text) ?? [], plain),
  },
  markdown: {
    counts: (text) => text.split('\n')[0]?.replace('## ', '') ?? '',
    says: (text) => first(text, /^[^|#\s]/),
  },
  github: {
    counts: (text) =>
      ['error', 'warning']
        .map((level) => `${number(text, RegExp(`^::${level} `, 'gm'))} ${level}`)
        .join(', '),
    says: (text) => lines(text, /^::(?:error|warning)/),
  },
  ctrf: {
    counts: (text) =>
      ['failed', 'other', 'pending', 'skipped']
        .map((name) => `${new RegExp(`"${name}": (\\d+)`).exec(text)?.[1]} ${name}`)
        .join(', '),
    says: (text) => ['failed', 'other', 'skipped'].flatMap((status) => ctrfTest(text, status)).slice(0, 1),
  },
  earl: {
    counts: (text) =>
      ['failed', 'cantTell', 'untested']
        .map((name) => `${number(text, RegExp(`"earl:${name}"`, 'g'))} ${name}`)
        .join(', '),
    says: (text) => earlWords(text).slice(0, 1),
  },
  allure: {
    counts: (text) =>
      ['failed', 'broken', 'skipped']
        .map((status) => `${number(text, new RegExp(`"status": "${status}"`, 'g'))} ${status}`)
        .join(', '),
    says: (text) => ['failed', 'broken', 'skipped'].flatMap((status) => allureTest(text, status)).slice(0, 1),
  },
  'tests-pytest': testsIn(/^def test_/gm),
  'tests-jest': testsIn(/^test(?:\.skip)?\(/gm),
  'tests-junit': testsIn(/^ +@Test$/gm),
  'tests-go': testsIn(/^func Test/gm),
  badge: { counts: (text) => /<title>(.*)<\/title>/.exec(text)?.[1] ?? '', says: () => [] },
  shields: {
    counts: (text) => Object.values<string>(JSON.parse(text)).slice(2).join(', '),
    says: () => [],
  },
  sarif: {
    counts: (text) =>
      ['error', 'warning', 'note']
        .map((level) => `${sarifResults(text).filter((one) => one.level === level).length} ${level}`)
        .join(', '),
    says: (text) =>
      sarifResults(text).map(
        ({ ruleId, level, message }) => `${level}: ${ruleId}: ${message.text.split('\n').join(' ')}`,
      ),
  },
}

function jsonWords(text: string): readonly string[] {
  const { verdict, counts, limits, trouble, stops, baseline }: Report = JSON.parse(text)
  const shown = { verdict, counts, limits, trouble, stops, baseline }
  return Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`],
  )
}

interface SarifResult {
  readonly ruleId: string
  readonly level: string
  readonly message: { readonly text: string }
}

const sarifResults = (text: string): readonly SarifResult[] => JSON.parse(text).runs[0].results

/** The first assertion of each outcome that is not simply good. */
function earlWords(text: string): readonly string[] {
  const { '@graph': nodes }: { '@graph': readonly { result?: { outcome: string; info?: string } }[] } =
    JSON.parse(text)
  return ['failed', 'cantTell', 'untested'].flatMap((name) => {
    const found = nodes.find(({ result }) => result?.outcome === `earl:${name}`)?.result
    return found === undefined ? [] : [JSON.stringify(found)]
  })
}

/** A file of tests for what is broken, and no file where nothing is. */
function testsIn(pattern: RegExp): Format {
  return { counts: (text) => `${number(text, pattern)} tests`, says: () => [] }
}

/** The first test of Allure with a status that is not merely inapplicable. */
function allureTest(text: string, status: string): readonly string[] {
  const tests: readonly {
    status: string
    name: string
    statusDetails: { message?: string; trace?: string }
  }[] = JSON.parse(text)
  const found = tests.find(
    ({ statusDetails, ...test }) => test.status === status && (status !== 'skipped' || statusDetails.trace),
  )
  return found === undefined ? [] : [`${status}: ${found.name}: ${found.statusDetails.message ?? ''}`]
}

/** The first test of a status that is not merely inapplicable. */
function ctrfTest(text: string, status: string): readonly string[] {
  const {
    results,
  }: {
    results: { tests: readonly { status: string; rawStatus?: string; name: string; message?: string }[] }
  } = JSON.parse(text)
  const found = results.tests.find((test) => test.status === status && test.rawStatus !== 'inapplicable')
  return found === undefined ? [] : [`${status}: ${found.name}: ${found.message ?? ''}`]
}

const MAX_LINES = 12
const MAX_WIDTH = 130

/** The block of what a format says, empty where it says nothing. */
function wordsOf(format: ReporterName | FolderReporterName, text: string): string {
  const words = FORMATS[format].says(text)
  if (words.length === 0) return ''
  const shown = words
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH)} …` : line.trimEnd()))
  const more = words.length > MAX_LINES ? ['…'] : []
  return ['```text', ...shown, ...more, '```'].join('\n')
}

/** The code that `run` ended with, from its report alone. */
export function exitCodeOf(report: Report): 0 | 1 | 3 {
  const { effectOf, problems } = gateOf(report)
  const effects = new Set([...report.results.map(effectOf), ...problems.map(({ effect }) => effect)])
  if (effects.has('broken')) return 1
  return effects.has('inconclusive') || effects.has('stopped') ? 3 : 0
}

/** `docs/formats.md`: each recorded run in every format. */
export async function formatsPage(): Promise<string> {
  const names = Object.keys(RUNS)
  const reports = names.map((name) => readReport(recordingOf(name)))
  const options = { color: false, width: 120 }
  const formats = [...reporterNames, ...folderReporterNames]
  const textOf = async (format: ReporterName | FolderReporterName, report: Report): Promise<string> =>
    isFolderReporter(format)
      ? `[${(await folderReporters[format].render(report)).map(({ text }) => text).join()}]`
      : reporters[format].render(report, options)
  const texts = await Promise.all(
    formats.map((format) => Promise.all(reports.map((report) => textOf(format, report)))),
  )
  const rows = formats.map((format, index) => [
    `\`${format}\``,
    ...(texts[index] ?? []).map((text) => FORMATS[format].counts(text)),
  ])
  const table = [
    ['', ...names],
    ['---', ...names.map(() => '---')],
    ['exit code of `run`', ...reports.map((report) => String(exitCodeOf(report)))],
    ...rows,
  ].map((cells) => `|${cells.map((cell) => cell.replaceAll('|', '\\|')).join('|')}|`)
  const sections = names.flatMap((name, at) => [
    `## ${name}`,
    '',
    `${RUNS[name]}.`,
    '',
    ...Array.from(
      groupBy(formats, (format) => wordsOf(format, texts[formats.indexOf(format)]?.[at] ?? '')),
      ([words, same]) => (words === '' ? '' : `${same.map((one) => `\`${one}\``).join(', ')}\n\n${words}\n`),
    ).filter((part) => part !== ''),
  ])
  return `${[HEAD, ...table, '', ...sections].join('\n').trimEnd()}\n`
}

const HEAD = `# What every format says

This page shows four recorded runs that are not simply green or red. No format is green unless the exit code is 0, and no format
that a gate reads is red if it is. The table shows the counts of each format; the words are below it, with long lines cut.
\`ndjson\` ends in a line with the content of \`json\`.

\`npm run docs:formats\` renders this page again, and a test compares it with the formats. \`npm run docs:formats -- --record\`
makes new recordings.
`

/** The page as it is now. */
export function writtenPage(): string {
  return readFileSync(FORMATS_PAGE, 'utf8')
}
