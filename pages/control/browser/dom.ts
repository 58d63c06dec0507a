const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu

/** The text with its hidden characters spelled out. */
export function visible(text: unknown): string {
  return String(text).replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** An element of the page's own markup. @param type its class @throws TypeError where it is none */
export function byId<E extends HTMLElement>(id: string, type: abstract new () => E): E {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new TypeError(`#${id} is not in the page`)
}

/** Changes a text only where it differs, so that a selection in it stays. */
export function setText(id: string, text: string): void {
  const shown = byId(id, HTMLElement)
  if (shown.textContent !== text) shown.textContent = text
}

/** A new element: texts become text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...content: readonly unknown[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.append(...content.map((part) => (part instanceof Node ? part : visible(part))))
  return made
}

/** Shows a message, and has a screen reader read it aloud. */
export function say(text: string, isBad = false): void {
  const message = byId('message', HTMLElement)
  message.textContent = visible(text)
  message.className = isBad ? 'bad' : 'good'
}

/** `2024-02-29 12:00:00.000 UTC` */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().replace('T', ' ').slice(0, 23)} UTC`
}
