import {
  isFromOwnPage,
  isSame,
  KEY_HEADER,
  namesThisHost,
  newSecret,
  one,
} from '../../pages/guard/own-page.js'
import type { ReceivedRequest } from '../http/received-request.js'
import type { Reply } from '../service.js'

/** Where the page is on the control port, and what its script asks for apart from the API. */
export const PAGE = '/page'
export const PAGE_KEY = '/page/key'
export const PAGE_STATE = '/page/state'
export const PAGE_OLDER = '/page/older'

export interface PageAccess {
  /** The page itself, loaded when someone opens it first: a server whose page no one opens never pays for it. */
  readonly home: (request: ReceivedRequest) => Promise<Reply>
  /**
   * What the page gets for the secret, and does everything with: it ends with this process, so a browser may keep it. It is
   * no cookie, which would go to every port of this host.
   */
  readonly key: string
  /** Whether a request comes from the page, opened with the secret. */
  readonly isOpenedBy: (request: ReceivedRequest) => boolean
}

export function pageAccess(port: () => number): PageAccess {
  const key = newSecret()
  return {
    key,
    async home(request) {
      const { controlPage } = await import('../../pages/control/page.js')
      const { status, headers, body } = controlPage(request, port())
      return { answer: { status, headers: Object.entries(headers), body }, endpoint: PAGE }
    },
    isOpenedBy: (request) =>
      isSame(one(request.headers[KEY_HEADER]), key) &&
      namesThisHost(request, port()) &&
      isFromOwnPage(request),
  }
}
