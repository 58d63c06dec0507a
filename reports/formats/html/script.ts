/** A function of a page's script: copies an element's text. @returns whether it could */
export const COPY = `  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text.textContent)
      return true
    } catch {
      // No permission, or an old browser: the older way, which leaves the text selected where it fails.
      getSelection().selectAllChildren(text)
      return document.execCommand('copy')
    }
  }
`

/**
 * The page's one script: the filter, and the buttons that copy. All else works without it. It reads texts, sets
 * `hidden` and texts of its own, and writes no markup.
 */
export const SCRIPT = `'use strict'
{
  const form = document.getElementById('filter')
  const filter = () => {
    const find = form.querySelector('input[type=search]')
    const toggles = [...form.querySelectorAll('input[type=checkbox]')]
    const only = form.querySelector('button.only')
    const tally = form.querySelector('output')
    const groups = [...document.querySelectorAll('.group')]
    const sections = [...document.querySelectorAll('main > section')]
    let items
    let was = false
    const read = () =>
      [...document.querySelectorAll('.item')].map((element) => ({
        element,
        state: element.dataset.state,
        text: (element.tagName === 'DETAILS' ? element.firstElementChild : element).textContent.toLowerCase(),
      }))
    const isOnly = () => toggles.every((toggle) => toggle.checked === (toggle.value === 'failed'))
    const apply = () => {
      items ??= read()
      const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean)
      const on = new Set(toggles.filter((toggle) => toggle.checked).map((toggle) => toggle.value))
      const filters = words.length > 0 || on.size < toggles.length
      let shown = 0
      for (const { element, state, text } of items) {
        const match = on.has(state) && words.every((word) => text.includes(word))
        if (element.hidden === match) element.hidden = !match
        if (match) shown += 1
      }
      for (const group of groups) {
        group.hidden = group.querySelector('.item:not([hidden])') === null
        // What is looked for is shown; without a filter all is as it was.
        if (filters !== was && group.tagName === 'DETAILS') group.open = filters
      }
      for (const section of sections)
        section.hidden = filters && section.querySelector('.item:not([hidden])') === null
      was = filters
      if (only) only.ariaPressed = String(isOnly())
      tally.textContent = filters ? shown + ' of ' + items.length + ' rules and results' : ''
    }
    let waiting = false
    const soon = () => {
      if (waiting) return
      waiting = true
      requestAnimationFrame(() => {
        waiting = false
        apply()
      })
    }
    form.addEventListener('input', soon)
    form.addEventListener('submit', (event) => event.preventDefault())
    only?.addEventListener('click', () => {
      const all = isOnly()
      for (const toggle of toggles) toggle.checked = all || toggle.value === 'failed'
      soon()
    })
    form.hidden = false
  }
  // A link leads to what the filter hides, too.
  const reveal = () => {
    let name = location.hash.slice(1)
    try { name = decodeURIComponent(name) } catch {}
    const target = document.getElementById(name)
    if (!target) return
    for (let up = target; up; up = up.parentElement) {
      up.hidden = false
      if (up.tagName === 'DETAILS') up.open = true
    }
    target.scrollIntoView()
  }
  addEventListener('hashchange', reveal)
  const heard = document.getElementById('heard')
${COPY}  const word = (button) => button.firstChild
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button.take')
    if (!button) return
    const copied = await copy(button.closest('.copy').querySelector('pre'))
    for (const other of document.querySelectorAll('button.take')) if (other !== button) word(other).data = 'Copy'
    word(button).data = copied ? 'Copied' : 'Selected'
    heard.textContent = copied ? 'Copied to the clipboard' : 'Selected: copy it with the keyboard'
  })
  document.documentElement.classList.add('scripted')
  if (form) filter()
  reveal()
}
`
