/**
 * The script of the report's page: the filter, and the buttons that copy. All else works without it. It reads texts, sets
 * `hidden` and texts of its own, and writes no markup.
 */
import './report.css'
import { addCopyButtons } from './copy.js'
import { addFilter } from './filter.js'

/** A link also leads to what the filter hides. */
function reveal(): void {
  const target = document.getElementById(nameIn(location.hash))
  if (!target) return
  for (let up: HTMLElement | null = target; up; up = up.parentElement) {
    up.hidden = false
    if (up instanceof HTMLDetailsElement) up.open = true
  }
  target.scrollIntoView()
}

function nameIn(hash: string): string {
  const name = hash.slice(1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

addEventListener('hashchange', reveal)
addCopyButtons((text) => {
  const status = document.getElementById('heard')
  if (status) status.textContent = text
})
document.documentElement.classList.add('scripted')
const form = document.getElementById('filter')
if (form instanceof HTMLFormElement) addFilter(form)
reveal()
