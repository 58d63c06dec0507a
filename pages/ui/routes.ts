import type { IncomingMessage, ServerResponse } from 'node:http'
import polka, { type Polka } from 'polka'
import { comparisonParts } from '../../reports/formats/compare/html.js'
import * as reportCode from '../../reports/formats/html/generated/browser.js'
import { renderHtml } from '../../reports/formats/html/html.js'
import { type Html, html } from '../../reports/formats/html/markup.js'
import { compareReports } from '../../reports/model/comparison.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import { type GuardAnswer, pageHeaders } from '../guard/page-headers.js'
import { historyView } from '../history/history-part.js'
import { fragment, json, notFound, page, plain, send } from './answers.js'
import { readForm } from './body.js'
import type { Changes } from './changes.js'
import { errorMessage } from './error-message.js'
import * as pageCode from './generated/browser.js'
import { pageOf, type ViewName } from './page.js'
import type { Ports } from './ports.js'
import { askedPart, runView, titleOf } from './run/run-part.js'
import type { PageSession } from './session.js'
import type { Setup } from './setup/setup.js'
import { setupView } from './setup/setup-part.js'

/** The views and reports, which a browser opens. They are all of one folder: their links are relative. */
export const DOCUMENTS = /^(?:run|history|compare|report(?:\/[\w-]*)?)?$/

/** Answers what the guard lets pass. */
export function routes(session: PageSession, ports: Ports, setup: Setup): Polka {
  const app = polka({
    onError: (error, _request, response) => {
      if (response.headersSent) response.destroy()
      else send(response, plain(500, errorMessage(error)))
    },
    onNoMatch: (_request, response) => send(response, notFound()),
  })
  addViews(app, session, setup)
  addReports(app, session, ports)
  addEvents(app, session)
  addChanges(app, session.changes)
  return app
}

function view({ feed }: PageSession, name: ViewName, title: string, content: Html): GuardAnswer {
  return page(pageOf(name, title, content, feed.lastId), pageCode)
}

function addViews(app: Polka, session: PageSession, setup: Setup): void {
  const { runner } = session
  app.get('/', (_request, response) =>
    send(response, view(session, 'setup', 'Set up · Token Assay', setupView(setup))),
  )
  app.get('/run', (_request, response) =>
    send(response, view(session, 'run', titleOf(runner), runView(runner, session.watched()))),
  )
  app.get('/run/rule', ({ query }, response) => {
    const part = askedPart(runner, (query.name ?? '').replace(/^rule\//, ''))
    send(response, part === undefined ? notFound() : fragment(part))
  })
}

function addReports(app: Polka, session: PageSession, ports: Ports): void {
  const entryOf = async (id: string | undefined) =>
    (await ports.history()).entries.find((entry) => entry.id === id)
  const reportPage = (report: Report | undefined): GuardAnswer =>
    report === undefined ? notFound() : page(renderHtml(report), reportCode)

  app.get('/history', async (_request, response) => {
    const { entries, problems } = await ports.history()
    const list = historyView(entries, { pageOf: ({ id }) => `report/${id}`, compares: true, problems })
    send(response, view(session, 'history', 'History · Token Assay', list))
  })
  app.get('/compare', async ({ query }, response) => {
    const [a, b] = [await entryOf(query.a), await entryOf(query.b)]
    if (a === undefined || b === undefined) return send(response, notFound())
    const columns = [a, b].map((entry) => ({
      label: entry.startedAt.slice(0, 19).replace('T', ' '),
      report: ports.readReport(entry),
    }))
    const { head, body } = comparisonParts(compareReports(columns))
    const back = html`<p class="hint back"><a href="history">Back to the history</a></p>`
    send(response, view(session, 'history', 'Comparison · Token Assay', html`${back}${head}${body}`))
  })
  app.get('/report', (_request, response) => send(response, reportPage(session.runner.report())))
  app.get('/report/:id', async ({ params }, response) => {
    const entry = await entryOf(params.id)
    send(response, reportPage(entry && ports.readReport(entry)))
  })
}

function addEvents(app: Polka, { feed }: PageSession): void {
  app.get('/events', ({ query }, response) => {
    response.writeHead(200, { ...pageHeaders({}, 'text/event-stream'), Connection: 'keep-alive' })
    const leave = feed.connect(response, query.after ?? '')
    if (leave === undefined) response.destroy()
    else response.on('close', leave)
  })
}

function addChanges(app: Polka, changes: Changes): void {
  for (const [path, change] of Object.entries(changes))
    app.post(path, async (request: IncomingMessage, response: ServerResponse) =>
      send(response, await attempt(request, change)),
    )
}

/** Misuse is a message beside the form. */
async function attempt(request: IncomingMessage, change: Changes[string]): Promise<GuardAnswer> {
  try {
    return json(await change(await readForm(request)))
  } catch (error) {
    if (error instanceof AssayError) return json({ message: error.message }, 400)
    throw error
  }
}
