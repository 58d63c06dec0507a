import { ask, hasKey, takeKeyFromAddress, whenKeyed } from '../../guard/browser/key.js'
import { at } from './dom.js'
import { showPart } from './show-part.js'

/** The command sends a beat every 15 s: without one the connection is dead, whatever the browser thinks. */
const SILENCE_MS = 40_000
const RETRY_MS = 1000

/** The id of the newest event that the page shows. */
let last = at('main')?.dataset.after ?? ''
let connection = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows each part as it changes. The page says what it has seen, and gets what it missed. */
export function followEvents(): void {
  const turn = (): void => {
    disconnect()
    showNotice('keyless', !hasKey())
    // A browser has few connections for one address: pages that no one looks at leave them to others.
    if (hasKey() && document.visibilityState === 'visible') void connect()
  }
  document.addEventListener('visibilitychange', turn)
  takeKeyFromAddress()
  showNotice('keyless', !hasKey())
  whenKeyed(turn)
}

function disconnect(): void {
  clearTimeout(timer)
  connection.abort()
}

async function connect(): Promise<void> {
  disconnect()
  connection = new AbortController()
  const { signal } = connection
  connectIn(SILENCE_MS)
  // However it ended, it is begun again.
  await readEvents(signal).catch(() => undefined)
  if (signal.aborted) return
  showNotice('connection', true)
  connectIn(RETRY_MS)
}

function connectIn(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(connect, ms)
}

async function readEvents(signal: AbortSignal): Promise<void> {
  const { ok, body } = await ask(`events?after=${encodeURIComponent(last)}`, { signal })
  if (!ok || !body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let left = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const events = (left + piece.value).split('\n\n')
    left = events.pop() ?? ''
    events.forEach(onEvent)
  }
}

/** A part that changed; anything else shows that the connection lives. */
function onEvent(text: string): void {
  showNotice('connection', false)
  connectIn(SILENCE_MS)
  const [, id, data] = /^id: (\S+)\ndata: (.+)$/.exec(text) ?? []
  if (id === undefined || data === undefined) return
  const { part, value }: { readonly part: string; readonly value: string } = JSON.parse(data)
  last = id
  if (part === 'reset') location.reload()
  else if (part === 'title') document.title = value
  else showPart(part, value)
}

function showNotice(id: 'connection' | 'keyless', isShown: boolean): void {
  const notice = at(id)
  if (notice) notice.hidden = !isShown
}
