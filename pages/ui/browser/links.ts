import { ask } from '../../guard/browser/key.js'
import { at, closest } from './dom.js'

const nameIn = (link: HTMLAnchorElement): string => decodeURIComponent(link.hash.slice(1))

/** A rule that has no part of its own yet is shown beside the others. Results are in the report. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = closest<HTMLAnchorElement>(event, 'a.cell')
    const beside = at('beside')
    if (link?.hash && beside) void openRule(event, nameIn(link), beside)
  })
  document.addEventListener('click', (event) => {
    const link = closest<HTMLAnchorElement>(event, 'a[href^="#result/"]')
    if (!link || at(nameIn(link))) return
    event.preventDefault()
    location.assign(`report${link.hash}`)
  })
}

async function openRule(event: Event, name: string, beside: HTMLElement): Promise<void> {
  const shown = at(name)
  if (!shown || beside.contains(shown)) {
    event.preventDefault()
    const response = await ask(`run/rule?name=${encodeURIComponent(name)}`)
    if (!response.ok) return
    beside.innerHTML = await response.text()
  }
  const item = at(name)
  for (let up = item; up; up = up.parentElement) if (up instanceof HTMLDetailsElement) up.open = true
  const first = item?.closest('details')?.querySelector('summary') ?? item?.querySelector('a')
  first?.focus()
  first?.scrollIntoView({ block: 'nearest' })
}
