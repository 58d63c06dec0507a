/** A rule or a result that the filter shows or hides. */
interface FilteredItem {
  readonly element: HTMLElement
  readonly state: string
  /** In lower case. */
  readonly text: string
}

/** Shows what matches the words and the states that are ticked, as a person types and ticks. */
export function addFilter(form: HTMLFormElement): void {
  const find = form.querySelector<HTMLInputElement>('input[type=search]')
  const toggles = [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
  const only = form.querySelector<HTMLButtonElement>('button.only')
  const isOnly = (): boolean => toggles.every(({ checked, value }) => checked === (value === 'failed'))
  let items: readonly FilteredItem[] | undefined
  let wasFiltering = false
  const apply = (): void => {
    items ??= readItems()
    const words = (find?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const states = new Set(toggles.filter(({ checked }) => checked).map(({ value }) => value))
    const isFiltering = words.length > 0 || states.size < toggles.length
    const shown = showItems(items, words, states)
    showGroups(isFiltering, isFiltering !== wasFiltering)
    wasFiltering = isFiltering
    if (only) only.ariaPressed = String(isOnly())
    const tally = form.querySelector('output')
    if (tally) tally.textContent = isFiltering ? `${shown} of ${items.length} rules and results` : ''
  }
  const applySoon = oncePerFrame(apply)
  form.addEventListener('input', applySoon)
  form.addEventListener('submit', (event) => event.preventDefault())
  only?.addEventListener('click', () => {
    const all = isOnly()
    for (const toggle of toggles) toggle.checked = all || toggle.value === 'failed'
    applySoon()
  })
  form.hidden = false
}

function readItems(): readonly FilteredItem[] {
  return [...document.querySelectorAll<HTMLElement>('.item')].map((element) => {
    const named = element.tagName === 'DETAILS' ? element.firstElementChild : element
    return {
      element,
      state: element.dataset.state ?? '',
      text: named?.textContent?.toLowerCase() ?? '',
    }
  })
}

/** @returns how many match */
function showItems(
  items: readonly FilteredItem[],
  words: readonly string[],
  states: ReadonlySet<string>,
): number {
  let shown = 0
  for (const { element, state, text } of items) {
    const matches = states.has(state) && words.every((word) => text.includes(word))
    if (element.hidden === matches) element.hidden = !matches
    if (matches) shown += 1
  }
  return shown
}

/** Hides groups and sections in which nothing matches. Groups open as a filter begins, and close as it ends. */
function showGroups(isFiltering: boolean, isTurn: boolean): void {
  const isEmpty = (element: Element): boolean => element.querySelector('.item:not([hidden])') === null
  for (const group of document.querySelectorAll<HTMLElement>('.group')) {
    group.hidden = isEmpty(group)
    if (isTurn && group instanceof HTMLDetailsElement) group.open = isFiltering
  }
  for (const section of document.querySelectorAll<HTMLElement>('main > section'))
    section.hidden = isFiltering && isEmpty(section)
}

function oncePerFrame(action: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      action()
    })
  }
}
