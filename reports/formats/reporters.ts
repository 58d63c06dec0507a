import type { Report } from '../../spec/model/report.js'
import type { ConsoleOptions } from './console/console.js'
import type { ReportFile } from './shared/report-file.js'

/** What a renderer may want to know about where its text goes; most need nothing. */
export type ReporterOptions = ConsoleOptions

export interface Reporter {
  /** Of a file that holds it, without the dot. */
  readonly extension: string
  /** Loads the renderer on first use, so that a command starts with no more than it needs. */
  readonly render: (report: Report, options: ReporterOptions) => Promise<string>
}

export const reporters = {
  console: {
    extension: 'txt',
    render: async (report, options) => (await import('./console/console.js')).renderConsole(report, options),
  },
  json: {
    extension: 'json',
    render: async (report) => (await import('./json.js')).renderJson(report),
  },
  ndjson: {
    extension: 'ndjson',
    render: async (report) => (await import('./ndjson/ndjson.js')).renderNdjson(report),
  },
  junit: {
    extension: 'xml',
    render: async (report) => (await import('./junit.js')).renderJunit(report),
  },
  tap: {
    extension: 'tap',
    render: async (report) => (await import('./tap.js')).renderTap(report),
  },
  html: {
    extension: 'html',
    render: async (report) => (await import('./html/html.js')).renderHtml(report),
  },
  markdown: {
    extension: 'md',
    render: async (report) => (await import('./markdown/markdown.js')).renderMarkdown(report),
  },
  github: {
    extension: 'txt',
    render: async (report) => (await import('./github.js')).renderGithub(report),
  },
  ctrf: {
    extension: 'json',
    render: async (report) => (await import('./ctrf.js')).renderCtrf(report),
  },
  earl: {
    extension: 'jsonld',
    render: async (report) => (await import('./earl.js')).renderEarl(report),
  },
  badge: {
    extension: 'svg',
    render: async (report) => (await import('./badge.js')).renderBadge(report),
  },
  shields: {
    extension: 'json',
    render: async (report) => (await import('./shields.js')).renderShields(report),
  },
  sarif: {
    extension: 'sarif',
    render: async (report) => (await import('./sarif/sarif.js')).renderSarif(report),
  },
} as const satisfies Readonly<Record<string, Reporter>>

export interface FolderReporter {
  /** The names of its files. Those of an earlier call are removed, all others in the folder stay. */
  readonly owns: RegExp
  readonly render: (report: Report) => Promise<readonly ReportFile[]>
}

/** What is written as `NAME=FOLDER`. */
export const folderReporters = {
  allure: {
    owns: /^token-assay-[0-9a-f]{16}-result\.json$/,
    render: async (report) => (await import('./allure.js')).allureFiles(report),
  },
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
