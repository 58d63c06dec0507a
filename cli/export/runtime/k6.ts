import type { HeaderList } from '../../../spec/model/report.js'
import { play, type Received } from './play.js'
import type { PreparedRequest } from './request.js'
import type { Script } from './script.js'

/** The parts of k6 that a script uses: https://grafana.com/docs/k6/latest/javascript-api/ */
export interface K6 {
  readonly check: (
    value: unknown,
    sets: Readonly<Record<string, boolean>>,
    tags: Readonly<Record<string, string>>,
  ) => boolean
  readonly sleep: (seconds: number) => void
  readonly http: {
    readonly CookieJar: new () => object
    readonly expectedStatuses: (range: { readonly min: number; readonly max: number }) => unknown
    readonly request: (method: string, url: string, body: string | null, params: object) => K6Response
  }
}

interface K6Response {
  /** 0 where no answer came. */
  readonly status: number
  /** The values of a header that came more than once are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ArrayBuffer | null
}

/** What a k6 script does in one iteration. */
export function iterate(k6: K6, script: Script, virtualUser: number, iteration: number): void {
  const actions = play(script, virtualUser - 1 + iteration, iteration === 0, (name, passed, tags) =>
    k6.check(null, { [name]: passed }, tags),
  )
  for (let next = actions.next(); next.done !== true; ) {
    const action = next.value
    if ('waitMs' in action) k6.sleep(action.waitMs / 1000)
    next = actions.next('request' in action ? send(k6, action.request) : undefined)
  }
}

/** k6 sends `''` in chunks, and null with `Content-Length: 0`, as `token-assay run` does. */
function send(
  { http }: K6,
  { name, caseId, url, method, headers, body, timeoutMs }: PreparedRequest,
): Received {
  const response = http.request(method, url, body, {
    headers,
    // Each request is one of its own: no cookie of an earlier answer, no redirect, no grouping by URL.
    jar: new http.CookieJar(),
    redirects: 0,
    // A refusal is an answer, not a failed request.
    responseCallback: http.expectedStatuses({ min: 200, max: 499 }),
    // As text, what is no UTF-8 would be lost.
    responseType: 'binary',
    tags: { name, case: caseId },
    timeout: timeoutMs,
  })
  const { status } = response
  if (status === 0) return undefined
  return { status, headers: headerList(response), body: new Uint8Array(response.body ?? new ArrayBuffer(0)) }
}

/** k6 joins the values of a header that came several times. Two that are the same are one, as `token-assay run` has it. */
function headerList({ headers }: K6Response): HeaderList {
  return Object.entries(headers).map(([name, value]) => {
    const half = value.slice(0, (value.length - 2) / 2)
    return [name, value === `${half}, ${half}` ? half : value]
  })
}
