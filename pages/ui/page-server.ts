import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import polka, { type Polka } from 'polka'
import { comparisonParts } from '../../reports/formats/compare/html.js'
import * as reportPage from '../../reports/formats/html/generated/browser.js'
import { renderHtml } from '../../reports/formats/html/html.js'
import { type Html, html } from '../../reports/formats/html/markup.js'
import { compareReports } from '../../reports/model/comparison.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import { createGuard, type GuardAnswer } from '../guard/guard.js'
import { pageHeaders } from '../guard/page-headers.js'
import { type FormValues, readForm } from './body.js'
import { SCRIPT, STYLE } from './generated/browser.js'
import { historyView } from './history/history-part.js'
import { pageOf, type View } from './page/page.js'
import type { Ports } from './ports.js'
import { askedPart, runView } from './run/run-part.js'
import { createSession, type Session } from './session.js'
import type { Setup } from './setup/setup.js'
import { setupView } from './setup/setup-part.js'

/** The page while it is served. */
export interface PageServer {
  /** With the key: what a person opens. */
  readonly address: string
  readonly port: number
  /** Stops what runs, disconnects all pages. */
  close(): Promise<void>
}

export interface PageOptions {
  readonly ports: Ports
  readonly setup: Setup
  /** 0: any that is free. */
  readonly port: number
}

const BEAT_MS = 15_000
const NOT_FOUND = 'There is no such page, or it is not there any more.'

/** Serves the page on the loopback address. @throws the system's error when it cannot listen */
export async function startPage({ ports, setup, port }: PageOptions): Promise<PageServer> {
  const session = createSession(ports, setup)
  const app = routes(session, ports, setup)
  const server = createServer((request, response) => {
    const { method = 'GET', url: target = '/', headers } = request
    const refused = guard.admit({ method, target, headers })
    if (refused !== undefined) answer(response, refused)
    // Polka's own listener calls it without the last parameter that its type asks for.
    else Reflect.apply(app.handler, app, [request, response])
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new TypeError('a port was asked for')
  // No request can have come before: this is the same turn of the loop.
  const guard = createGuard({ port: listening.port, remedy: 'Open the address that the command prints' })
  const beat = setInterval(() => session.feed.beat(), BEAT_MS).unref()
  return {
    address: guard.address,
    port: listening.port,
    async close() {
      clearInterval(beat)
      await session.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function routes(session: Session, ports: Ports, setup: Setup): Polka {
  const { feed, runner } = session
  const show = (response: ServerResponse, view: View, title: string, content: Html): void =>
    answer(response, {
      status: 200,
      headers: pageHeaders({ style: STYLE, script: SCRIPT }),
      body: pageOf(view, title, content, feed.lastId),
    })
  const showReport = (response: ServerResponse, report: Report): void =>
    answer(response, {
      status: 200,
      headers: pageHeaders({ style: reportPage.STYLE, script: reportPage.SCRIPT }),
      body: renderHtml(report),
    })
  const entryOf = async (id: string | undefined) =>
    (await ports.history()).entries.find((entry) => entry.id === id)

  const app = polka({
    onError: (error, _request, response) => fail(response, error),
    onNoMatch: (_request, response) => answer(response, plain(404, NOT_FOUND)),
  })
  app.get('/', (_request, response) => show(response, 'setup', 'Set up · Token Assay', setupView(setup)))
  app.get('/run', (_request, response) =>
    show(response, 'run', session.title(), runView(runner, session.watched())),
  )
  app.get('/run/rule', ({ query }, response) => {
    const part = askedPart(runner, (query.name ?? '').replace(/^rule\//, ''))
    answer(response, part === undefined ? plain(404, NOT_FOUND) : fragment(part))
  })
  app.get('/history', async (_request, response) => {
    const { entries, problems } = await ports.history()
    const view = historyView(entries, { pageOf: ({ id }) => `/report/${id}`, compares: true, problems })
    show(response, 'history', 'History · Token Assay', view)
  })
  app.get('/compare', async ({ query }, response) => {
    const chosen = [await entryOf(query.a), await entryOf(query.b)]
    const columns = chosen.flatMap((entry) =>
      entry === undefined
        ? []
        : [{ label: entry.startedAt.slice(0, 19).replace('T', ' '), report: ports.readReport(entry) }],
    )
    if (columns.length < 2) return answer(response, plain(404, NOT_FOUND))
    const { head, body } = comparisonParts(compareReports(columns))
    const back = html`<p class="hint back"><a href="/history">Back to the history</a></p>`
    show(response, 'history', 'Comparison · Token Assay', html`${back}${head}${body}`)
  })
  app.get('/report', (_request, response) => {
    const report = runner.report()
    if (report === undefined) answer(response, plain(404, NOT_FOUND))
    else showReport(response, report)
  })
  app.get('/report/:id', async ({ params }, response) => {
    const entry = await entryOf(params.id)
    if (entry === undefined) answer(response, plain(404, NOT_FOUND))
    else showReport(response, ports.readReport(entry))
  })
  app.get('/events', (request, response) => {
    const seen = request.headers['last-event-id'] ?? request.query.after ?? ''
    response.writeHead(200, { ...pageHeaders({}, 'text/event-stream'), Connection: 'keep-alive' })
    const leave = feed.connect(response, String(seen))
    if (leave === undefined) response.destroy()
    else response.on('close', leave)
  })
  for (const [path, change] of Object.entries(session.changes))
    app.post(path, async (request, response) => {
      const outcome = await attempt(request, change)
      answer(response, {
        status: 200,
        headers: pageHeaders({}, 'application/json'),
        body: JSON.stringify(outcome),
      })
    })
  return app
}

/** Misuse is a message beside the form. */
async function attempt(
  request: IncomingMessage,
  change: (values: FormValues) => Promise<object> | object,
): Promise<object> {
  try {
    return await change(await readForm(request))
  } catch (error) {
    if (error instanceof AssayError) return { message: error.message }
    throw error
  }
}

function fail(response: ServerResponse, error: unknown): void {
  const text =
    error instanceof AssayError ? error.message : 'This is a bug in token-assay, not in your service.'
  if (response.headersSent) response.destroy()
  else answer(response, plain(500, text))
}

function plain(status: number, text: string): GuardAnswer {
  return { status, headers: pageHeaders({}, 'text/plain;charset=UTF-8'), body: `${text}\n` }
}

function fragment(part: Html): GuardAnswer {
  return { status: 200, headers: pageHeaders(), body: part.markup }
}

function answer(response: ServerResponse, { status, headers, body }: GuardAnswer): void {
  response.writeHead(status, { ...headers }).end(body)
}
