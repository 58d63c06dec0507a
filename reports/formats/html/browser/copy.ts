/** Copies an element's text. @returns whether the browser let it; otherwise the text stays selected */
async function copy(text: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '')
    return true
  } catch {
    // No permission, or an old browser: the older way, which leaves the text selected where it fails.
    getSelection()?.selectAllChildren(text)
    return document.execCommand('copy')
  }
}

/** The buttons beside texts copy them. @param say what a screen reader reads aloud */
export function addCopyButtons(say: (text: string) => void): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button.take') : null
    const text = button?.closest('.copy')?.querySelector('pre')
    if (!button || !text) return
    const copied = await copy(text)
    for (const other of document.querySelectorAll('button.take')) name(other, 'Copy')
    name(button, copied ? 'Copied' : 'Selected')
    say(copied ? 'Copied to the clipboard' : 'Selected: copy it with the keyboard')
  })
}

/** The first word of a button; what follows it is for screen readers. */
function name(button: Element, word: string): void {
  if (button.firstChild !== null) button.firstChild.textContent = word
}
