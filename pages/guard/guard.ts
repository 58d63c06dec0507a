import { SCRIPT } from './generated/browser.js'
import {
  type GuardedRequest,
  isFromOwnPage,
  isSame,
  KEY_HEADER,
  namesThisHost,
  newSecret,
  one,
} from './own-page.js'
import { emptyPage, type GuardAnswer, pageHeaders, refusal } from './page-headers.js'

export interface GuardOptions {
  readonly port: number
  /** The paths below `home` that a browser opens; it can give them no header, so the cookie is enough to read them. */
  readonly documents: RegExp
  /** What to do without a key: begins the sentence "… to use this page". */
  readonly remedy: string
}

export interface Guard {
  /** What a person opens, with the key. */
  readonly address: string
  /** The path below which everything is. It ends with a slash, and no one can guess it. */
  readonly home: string
  /**
   * Every request goes through here first.
   * @returns what to answer instead of the page: to a browser that does not have the cookie the page that gets it, to
   * anyone else a refusal; undefined where the request may pass
   */
  admit(request: GuardedRequest): GuardAnswer | undefined
}

const COOKIE = 'token-assay'
/** Where the key becomes the cookie. */
const ENTER = 'enter'

/**
 * Guards a page that a command serves to one person on this machine. A cookie goes to every port of its host, so this one
 * is for a path that no one can guess, and opens documents only. Every change and every feed needs the key as well, which
 * the page's script alone holds: it came in the fragment of the address, which a browser sends to no server.
 */
export function createGuard({ port, documents, remedy }: GuardOptions): Guard {
  const [path, key, session] = [newSecret(), newSecret(), newSecret()]
  const home = `/${path}/`
  const cookie = `${COOKIE}=${session}; Path=${home}; HttpOnly; SameSite=Strict`
  const refuse = (what: string): GuardAnswer => refusal(`${what} ${remedy} to use this page.`)
  const answerBelow = (place: string, { method, headers }: GuardedRequest): GuardAnswer | undefined => {
    const isOpened = cookiesIn(one(headers.cookie)).some((given) => isSame(given, session))
    if (method === 'GET' && documents.test(place)) return isOpened ? undefined : ENTRY
    if (!isSame(one(headers[KEY_HEADER]), key))
      return refuse(
        'This browser does not have the key of the page, or the command that served it has ended.',
      )
    if (method === 'POST' && place === ENTER)
      return { status: 204, headers: { ...pageHeaders(), 'Set-Cookie': cookie }, body: '' }
    return isOpened ? undefined : refuse('This browser keeps no cookie.')
  }
  return {
    address: `http://127.0.0.1${port === 80 ? '' : `:${port}`}${home}#key=${key}`,
    home,
    admit(request) {
      if (!namesThisHost(request, port))
        return refuse('This page is served only at the loopback address of this machine.')
      if (!isFromOwnPage(request)) return refuse('This page accepts no requests from other pages.')
      const [, first = '', place] = /^\/([^/?]*)\/([^?]*)/.exec(request.target) ?? []
      if (place === undefined || !isSame(first, path)) return refuse('Nothing is served here.')
      return answerBelow(place, request)
    },
  }
}

/** It has nothing to hide: its script gets the cookie for the key, and opens the page again. */
const ENTRY: GuardAnswer = {
  status: 200,
  headers: pageHeaders({ script: SCRIPT }),
  body: emptyPage(
    'Token Assay',
    `Open the whole address that the command printed: it ends with the key. This page needs JavaScript and cookies.</p><script>${SCRIPT}</script><p>`,
  ),
}

/** What has the cookie's name: a listener at another port may have planted one more. */
function cookiesIn(header = ''): readonly string[] {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.flatMap((pair) => (pair.startsWith(`${COOKIE}=`) ? [pair.slice(COOKIE.length + 1)] : []))
}
