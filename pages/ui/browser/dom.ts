export function at(id: string): HTMLElement | null {
  return document.getElementById(id)
}

export function closest<E extends Element>({ target }: Event, selector: string): E | null {
  return target instanceof Element ? target.closest<E>(selector) : null
}

/** Has a screen reader read this aloud. */
export function say(text: string): void {
  const status = at('heard')
  if (status) status.textContent = text
}
