export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function isField(element: unknown): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

function isTicked(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === 'radio' || field.type === 'checkbox')
}

/** Whether a person changed it since it was rendered, or settled. */
export function isTyped(field: Field): boolean {
  if (isTicked(field)) return field.checked !== field.defaultChecked
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  return field.value !== field.defaultValue
}

/** What it holds was sent: it no longer counts as typed. */
export function settle(field: Field): void {
  if (isTicked(field)) field.defaultChecked = field.checked
  else if (field instanceof HTMLSelectElement)
    for (const option of field.options) option.defaultSelected = option.selected
  else field.defaultValue = field.value
}

/** Gives a field what another one holds. */
export function copyValue(from: Field, to: Field): void {
  if (isTicked(from) && isTicked(to)) to.checked = from.checked
  else to.value = from.value
}
