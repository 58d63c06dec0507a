/** The element of an id. */
export function at(id: string): HTMLElement | null {
  return document.getElementById(id)
}

/** The nearest element around the target of an event that matches, or the target itself. */
export function closest<E extends Element>({ target }: Event, selector: string): E | null {
  return target instanceof Element ? target.closest<E>(selector) : null
}

/** Has a screen reader read this aloud. */
export function say(text: string): void {
  const status = at('heard')
  if (status) status.textContent = text
}
