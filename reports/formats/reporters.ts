import type { Report } from '../../spec/model/report.js'
import type { ConsoleOptions } from './console/console.js'
import type { ReportFile } from './shared/report-file.js'
import type { RuleTests } from './tests/rule-tests.js'

/** What a renderer may want to know about where its text goes; most need nothing. */
export type ReporterOptions = ConsoleOptions

export interface Reporter {
  /** Of a file that holds it, without the dot. */
  readonly extension: string
  /** Loads the renderer on first use, so that a command starts with no more than it needs. */
  readonly render: (report: Report, options: ReporterOptions) => Promise<string>
}

const textIn = (extension: string, render: Reporter['render']): Reporter => ({ extension, render })

export const reporters = {
  console: textIn('txt', async (...asked) => (await import('./console/console.js')).renderConsole(...asked)),
  json: textIn('json', async (report) => (await import('./json.js')).renderJson(report)),
  ndjson: textIn('ndjson', async (report) => (await import('./ndjson/ndjson.js')).renderNdjson(report)),
  junit: textIn('xml', async (report) => (await import('./junit.js')).renderJunit(report)),
  tap: textIn('tap', async (report) => (await import('./tap.js')).renderTap(report)),
  html: textIn('html', async (report) => (await import('./html/html.js')).renderHtml(report)),
  markdown: textIn('md', async (report) => (await import('./markdown/markdown.js')).renderMarkdown(report)),
  github: textIn('txt', async (report) => (await import('./github.js')).renderGithub(report)),
  ctrf: textIn('json', async (report) => (await import('./ctrf.js')).renderCtrf(report)),
  earl: textIn('jsonld', async (report) => (await import('./earl.js')).renderEarl(report)),
  badge: textIn('svg', async (report) => (await import('./badge.js')).renderBadge(report)),
  shields: textIn('json', async (report) => (await import('./shields.js')).renderShields(report)),
  sarif: textIn('sarif', async (report) => (await import('./sarif/sarif.js')).renderSarif(report)),
} as const satisfies Readonly<Record<string, Reporter>>

export interface FolderReporter {
  /** The names of its files. Those of an earlier call are removed, all others in the folder stay. */
  readonly owns: RegExp
  readonly render: (report: Report) => Promise<readonly ReportFile[]>
}

/** Broken rules as tests in one language: a file of this name. */
function tests(name: string, render: (suite: RuleTests) => Promise<string>): FolderReporter {
  return {
    owns: new RegExp(`^${name.replaceAll('.', '\\.')}$`),
    render: async (report) => {
      const { ruleTests } = await import('./tests/rule-tests.js')
      const suite = ruleTests(report)
      // A file without a test is an error to most of them.
      return suite.tests.length === 0 ? [] : [{ name, text: await render(suite) }]
    },
  }
}

/** What is written as `NAME=FOLDER`. */
export const folderReporters = {
  allure: {
    owns: /^token-assay-[0-9a-f]{16}-result\.json$/,
    render: async (report) => (await import('./allure.js')).allureFiles(report),
  },
  'tests-pytest': tests('test_token_assay.py', async (suite) =>
    (await import('./tests/pytest.js')).renderPytest(suite),
  ),
  'tests-jest': tests('token-assay.test.cjs', async (suite) =>
    (await import('./tests/jest.js')).renderJest(suite),
  ),
  'tests-junit': tests('TokenAssayTest.java', async (suite) =>
    (await import('./tests/junit5.js')).renderJunit5(suite),
  ),
  'tests-go': tests('token_assay_test.go', async (suite) => (await import('./tests/go.js')).renderGo(suite)),
} as const satisfies Readonly<Record<string, FolderReporter>>

export type FolderReporterName = keyof typeof folderReporters

export const isFolderReporter = (name: string): name is FolderReporterName =>
  Object.hasOwn(folderReporters, name)

export const folderReporterNames: readonly FolderReporterName[] =
  Object.keys(folderReporters).filter(isFolderReporter)

export type ReporterName = keyof typeof reporters

const isReporterName = (name: string): name is ReporterName => Object.hasOwn(reporters, name)

/** What `--reporter` takes for one file; also what an unknown name is compared with to suggest the nearest. */
export const reporterNames: readonly ReporterName[] = Object.keys(reporters).filter(isReporterName)
