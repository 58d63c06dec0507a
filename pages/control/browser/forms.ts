import { byId, element, say } from './dom.js'
import { act } from './server.js'

/** Faults to begin with, by kind. */
const FAULTS: Readonly<Record<string, object>> = {
  status: {
    kind: 'status',
    status: 503,
    headers: { 'Retry-After': '1' },
    match: { path: '*/Token' },
    times: 1,
  },
  delay: { kind: 'delay', ms: 2000, times: 1 },
  drop: { kind: 'drop', times: 1 },
  truncate: { kind: 'truncate', times: 1 },
  'malformed-json': { kind: 'malformed-json', times: 1 },
  drip: { kind: 'drip', bytes: 1, everyMs: 100, times: 1 },
}

/** What a form or a button says of the method that it stands for: `data-do="POST /clock/advance"`. */
function doAs({ dataset }: HTMLElement, body?: unknown): void {
  const [method = '', path = ''] = (dataset.do ?? '').split(' ')
  void act(method, path, body, dataset.of === 'server')
}

/** What a form asks for, as the API takes it. @throws Error for what is no JSON, or no time */
function bodyOf(form: HTMLFormElement): unknown {
  const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
  const { json, seconds, at } = values
  if ('json' in form.dataset) return JSON.parse(String(json ?? ''))
  if (seconds !== undefined) return { seconds: Number(seconds) }
  if (at === undefined) return values
  const time = String(at).trim().replace(' ', 'T')
  const atMs = Date.parse(`${time}${/Z$|[+-]\d\d:?\d\d$/.test(time) ? '' : 'Z'}`)
  if (Number.isNaN(atMs)) throw new Error('expected a time such as 2024-02-29 12:00:00')
  return { atMs }
}

function onSubmit(event: SubmitEvent): void {
  event.preventDefault()
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.dataset.do) return
  try {
    const body = bodyOf(form)
    for (const field of form.querySelectorAll<HTMLInputElement>('input[type=password]')) field.value = ''
    doAs(form, body)
  } catch (error) {
    say(String(error instanceof Error ? error.message : error), true)
  }
}

/** Forms and buttons do what they say, and a kind of fault is shown as JSON to begin with. */
export function sendForms(): void {
  document.addEventListener('submit', onSubmit)
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[data-do]') : null
    if (button) doAs(button)
  })
  const kind = byId('fault-kind', HTMLSelectElement)
  kind.append(...Object.keys(FAULTS).map((name) => element('option', '', name)))
  const showFault = (): void => {
    byId('fault', HTMLTextAreaElement).value = JSON.stringify(FAULTS[kind.value], null, 2)
  }
  kind.addEventListener('change', showFault)
  showFault()
}
