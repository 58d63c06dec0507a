import { at } from './dom.js'
import { showPart } from './show-part.js'

/** The command sends a beat every 15 s: without one the connection is dead, whatever the browser thinks. */
const SILENCE_MS = 40_000
const RETRY_MS = 5000

/** The id of the newest event that the page shows. */
let last = document.body.dataset.after ?? ''
let source: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows each part as it changes. The page says what it has seen, and gets what it missed. */
export function followEvents(): void {
  // A browser has few connections for one address: pages that no one looks at leave them to others.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') return connect()
    clearTimeout(timer)
    source?.close()
  })
  if (document.visibilityState === 'visible') connect()
}

function connect(): void {
  source?.close()
  const opened = new EventSource(`/events?after=${encodeURIComponent(last)}`)
  source = opened
  connectIn(SILENCE_MS)
  opened.onopen = onBeat
  opened.addEventListener('beat', onBeat)
  opened.onmessage = onEvent
  opened.onerror = () => {
    showLost(true)
    if (opened.readyState === EventSource.CLOSED) connectIn(RETRY_MS)
  }
}

function connectIn(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(connect, ms)
}

function onBeat(): void {
  showLost(false)
  connectIn(SILENCE_MS)
}

function onEvent({ data, lastEventId }: MessageEvent<string>): void {
  onBeat()
  const { part, value }: { readonly part: string; readonly value: string } = JSON.parse(data)
  last = lastEventId
  if (part === 'reset') location.reload()
  else if (part === 'title') document.title = value
  else showPart(part, value)
}

function showLost(isLost: boolean): void {
  const notice = at('connection')
  if (notice) notice.hidden = !isLost
}
