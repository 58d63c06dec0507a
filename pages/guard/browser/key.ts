/**
 * The key of the page. It came in the fragment of the address, or for a secret that was typed, and goes to this page's own
 * server alone. A tab keeps it until it is closed, and gives it to other tabs of the page.
 */
const NAME = `token-assay ${location.pathname.split('/')[1] ?? ''}`
const IN_ADDRESS = /^#key=([\w-]{43})$/

const tabs = new BroadcastChannel(NAME)
let key = sessionStorage.getItem(NAME)
let onKey: () => void = () => undefined

function hold(given: string): void {
  key = given
  sessionStorage.setItem(NAME, given)
  onKey()
}

/** For this tab and the others. */
export function keepKey(given: string): void {
  tabs.postMessage(given)
  hold(given)
}

export function forgetKey(): void {
  key = null
  sessionStorage.removeItem(NAME)
}

export function hasKey(): boolean {
  return key !== null
}

/** @param call now where the tab has the key, and whenever it gets one */
export function whenKeyed(call: () => void): void {
  onKey = call
  if (key !== null) call()
  else tabs.postMessage(null)
}

/** Asks this page's own server, with the key. */
export function ask(
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
) {
  // A redirection could lead to another origin.
  return fetch(path, { ...init, redirect: 'error', headers: { ...headers, 'Token-Assay-Key': key ?? '' } })
}

/** For a page at a path that no one can guess: elsewhere any link could replace the key. Out of the address bar at once. */
export function takeKeyFromAddress(): void {
  const take = (): void => {
    const [, given] = IN_ADDRESS.exec(location.hash) ?? []
    if (given === undefined) return
    history.replaceState(null, '', location.pathname + location.search)
    keepKey(given)
  }
  take()
  // The address that the command printed, opened in a tab that shows the page already.
  addEventListener('hashchange', take)
}

tabs.onmessage = ({ data }: MessageEvent<string | null>) => {
  if (data !== null) hold(data)
  else if (key !== null) tabs.postMessage(key)
}
