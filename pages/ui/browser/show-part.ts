import { at } from './dom.js'
import { copyValue, isField, isTyped } from './fields.js'

/** Gives a part its new markup, which the command rendered and escaped. Focus, open details and what is typed stay. */
export function showPart(id: string, markup: string): void {
  const part = at(id)
  if (!part) return
  const focus = part.contains(document.activeElement) ? document.activeElement : null
  const selection = focus && selectionOf(focus)
  const details = [...part.querySelectorAll<HTMLDetailsElement>('details[id]')].map(({ id, open }) => ({
    id,
    open,
  }))
  const typed = [...part.querySelectorAll('input[id], select[id], textarea[id]')]
    .filter(isField)
    .filter((field) => field.type !== 'password' && isTyped(field))
  // A message beside a form stays until the form is sent again.
  const messages = [...part.querySelectorAll('.message[id]')].filter((one) => one.textContent !== '')
  part.innerHTML = markup
  for (const message of messages) if (at(message.id)?.textContent === '') at(message.id)?.replaceWith(message)
  for (const { id, open } of details) {
    const now = at(id)
    if (now instanceof HTMLDetailsElement) now.open = open
  }
  for (const field of typed) {
    const now = at(field.id)
    if (isField(now)) copyValue(field, now)
  }
  if (focus?.id) focusAgain(focus.id, selection)
}

type Selection = readonly [start: number, end: number] | null

/** The selection of a text field; null for any other element. */
function selectionOf(element: Element): Selection {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return null
  const { selectionStart, selectionEnd } = element
  return selectionStart === null || selectionEnd === null ? null : [selectionStart, selectionEnd]
}

function focusAgain(id: string, selection: Selection): void {
  const element = at(id)
  element?.focus({ preventScroll: true })
  if (element && selection && selectionOf(element))
    (element as HTMLInputElement | HTMLTextAreaElement).setSelectionRange(...selection)
}
