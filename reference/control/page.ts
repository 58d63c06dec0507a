import type { ControlPage } from '../../pages/control/page.js'
import type { GuardedRequest } from '../../pages/guard/guard.js'
import type { ReceivedRequest } from '../http/received-request.js'
import type { Reply } from '../service.js'

/** Where the page is on the control port, and what its script asks for apart from the API. */
export const PAGE = '/page'
export const PAGE_STATE = '/page/state'
export const PAGE_OLDER = '/page/older'

export interface PageOnDemand {
  readonly home: (request: ReceivedRequest) => Promise<Reply>
  /** Whether a request comes from the page, opened with the secret. */
  readonly isOpenedBy: (request: ReceivedRequest) => Promise<boolean>
}

/** The page, loaded when someone opens it first: a server whose page no one opens never pays for it. */
export function pageOnDemand(secret: string, port: () => number): PageOnDemand {
  let page: Promise<ControlPage> | undefined
  const load = (): Promise<ControlPage> => {
    page ??= import('../../pages/control/page.js').then(({ createControlPage }) =>
      createControlPage(port(), secret, PAGE),
    )
    return page
  }
  return {
    async home(request) {
      const { status, headers, body } = (await load()).home(guarded(request))
      return { answer: { status, headers: Object.entries(headers), body }, endpoint: PAGE }
    },
    // Programs send no cookie.
    isOpenedBy: async (request) =>
      request.headers.cookie !== undefined && (await load()).isOpenedBy(guarded(request)),
  }
}

function guarded({ method, path, query, headers }: ReceivedRequest): GuardedRequest {
  return { method, target: query === '' ? path : `${path}?${query}`, headers }
}
