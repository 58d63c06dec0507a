import type { EntryView, JournalPiece } from '../page-state.js'
import { byId, element, formatTime } from './dom.js'

/** Beyond, the oldest rows go: the page of a long day stays as quick as that of its first minute. */
const MAX_ROWS = 10000

const list = byId('entries', HTMLOListElement)
const filter = byId('filter', HTMLFormElement)
const older = byId('older', HTMLButtonElement)
const refusedOnly = filter.elements.namedItem('refused') as HTMLInputElement
const wordsField = filter.elements.namedItem('words') as HTMLInputElement

/** What a row shows, newest first, as the list has them. */
let rows: { readonly row: HTMLLIElement; readonly entry: EntryView; readonly text: string }[] = []

export function newestEntry(): EntryView | undefined {
  return rows[0]?.entry
}

export function oldestEntry(): EntryView | undefined {
  return rows.at(-1)?.entry
}

export function forgetRows(): void {
  list.replaceChildren()
  rows = []
}

/** Adds what came since, above the rows, or what came before them, below. */
export function addRows({ entries, first }: JournalPiece, where: 'above' | 'below'): void {
  const added = entries.map(rowOf).reverse()
  const elements = added.map(({ row }) => row)
  if (where === 'above') list.prepend(...elements)
  else list.append(...elements)
  rows = where === 'above' ? [...added, ...rows] : [...rows, ...added]
  for (const { row } of rows.splice(MAX_ROWS)) row.remove()
  const oldest = oldestEntry()
  older.hidden = oldest === undefined || oldest.id <= first || rows.length >= MAX_ROWS
  applyFilter(added)
}

function rowOf(entry: EntryView): (typeof rows)[number] {
  const state = isRefused(entry) ? 'bad' : 'good'
  const summary = element(
    'summary',
    '',
    element('span', `status ${state}`, entry.status === 0 ? 'none' : entry.status),
    element('span', 'when', formatTime(entry.atMs).slice(11, 23)),
    element('span', 'wire', `${entry.method} ${entry.path}`),
    element('span', 'side', [entry.userName, entry.refusal].filter((text) => text !== undefined).join(' · ')),
  )
  if (entry.reason !== undefined) summary.append(element('span', 'why', entry.reason))
  const details = element('details', '', summary)
  // Few are opened.
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(membersOf(entry))
  })
  return { row: element('li', '', details), entry, text: summary.textContent.toLowerCase() }
}

function isRefused({ refusal, status }: EntryView): boolean {
  return refusal !== undefined || status === 0 || status >= 400
}

function membersOf(entry: EntryView): HTMLDListElement {
  const pairs = Object.entries(entry).flatMap(([name, value]: [string, unknown]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [element('dt', '', name), element('dd', 'wire', name === 'atMs' ? formatTime(entry.atMs) : text)]
  })
  return element('dl', '', ...pairs)
}

function applyFilter(some: typeof rows): void {
  const words = wordsField.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const { row, entry, text } of some) {
    const matches = (!refusedOnly.checked || isRefused(entry)) && words.every((word) => text.includes(word))
    if (row.hidden === matches) row.hidden = !matches
  }
  const shown = rows.filter(({ row }) => !row.hidden).length
  const isFiltered = words.length > 0 || refusedOnly.checked
  const output = filter.querySelector('output')
  if (output) output.textContent = isFiltered ? `${shown} of ${rows.length} shown` : `${shown} shown`
  byId('none', HTMLElement).hidden = rows.length > 0
}

let isWaiting = false
filter.addEventListener('input', () => {
  if (isWaiting) return
  isWaiting = true
  requestAnimationFrame(() => {
    isWaiting = false
    applyFilter(rows)
  })
})
