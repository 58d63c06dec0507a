import { ask } from '../../guard/browser/key.js'
import { at, closest, say } from './dom.js'
import { isField, settle } from './fields.js'

/** What the command answers to a form: where to go on, what is wrong, or what went well. */
interface FormAnswer {
  readonly go?: string
  readonly message?: string
  readonly good?: string
}

async function post(path: string, values: object): Promise<FormAnswer> {
  const response = await ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(values),
  })
  try {
    return await response.json()
  } catch {
    return { message: 'The command no longer knows this tab: open the address that it prints.' }
  }
}

function tell(place: Element | null | undefined, text: string, isGood = false): void {
  if (!place) say(text)
  else {
    place.textContent = text
    place.classList.toggle('good', isGood)
  }
}

async function submit(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const data = [...new FormData(form, button)].map(([name, value]) => [name, String(value)])
  const values: Readonly<Record<string, string>> = Object.fromEntries(data)
  if (form.dataset.open) return location.assign(`${form.dataset.open}?${new URLSearchParams(values)}`)
  if (form.getAttribute('aria-busy') === 'true') return
  const path = button?.dataset.post ?? form.dataset.post ?? ''
  const place = form.querySelector('.message')
  form.setAttribute('aria-busy', 'true')
  tell(place, '')
  for (const field of form.elements) if (isField(field) && field.type !== 'password') settle(field)
  try {
    const { go, message, good } = await post(path, values)
    if (go && new URL(go, location.href).pathname !== location.pathname) return location.assign(go)
    // The form may have been rendered again in the meantime.
    const now = place?.isConnected ? place : place && at(place.id)
    if (message || good) tell(now, message ?? good ?? '', !message)
    if (!message) hideFindings(form, false)
  } catch {
    tell(place, 'No answer: is the command still running?')
  } finally {
    form.setAttribute('aria-busy', 'false')
    for (const field of form.querySelectorAll<HTMLInputElement>('input[type=password]')) field.value = ''
  }
}

/** What the service showed, while what is typed would change it, and until it was checked. */
function hideFindings(form: HTMLFormElement | null, isHidden: boolean): void {
  const findings = at(form?.dataset.finds ?? '')
  if (findings) findings.hidden = isHidden
}

/** Sends forms, and fields that count as soon as they are changed, and shows the answers beside them. */
export function sendForms(): void {
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (event.target instanceof HTMLFormElement) void submit(event.target, event.submitter)
  })
  document.addEventListener('input', (event) => hideFindings(closest(event, 'form'), true))
  document.addEventListener('change', async ({ target: field }) => {
    if (!isField(field) || !field.dataset.live) return
    settle(field)
    const { message } = await post(field.dataset.live, { text: field.value })
    tell(at(field.dataset.message ?? ''), message ?? '')
  })
}
