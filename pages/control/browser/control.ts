/**
 * The script of the control page. It asks for the state once a second, and does what the API's own methods do. Every text that
 * came from outside becomes the text of an element, never markup, with its hidden characters spelled out.
 */
import './control.css'
import { hasKey } from '../../guard/browser/key.js'
import { byId } from './dom.js'
import { unlock } from './enter.js'
import { sendForms } from './forms.js'
import { chooseScope, refresh, showOlder } from './server.js'

const EVERY_MS = 1000

/** A page that no one looks at asks for nothing, and catches up when it is looked at. */
const isLookedAt = (): boolean => document.visibilityState === 'visible'

async function tick(): Promise<void> {
  if (isLookedAt() && hasKey()) await refresh()
  setTimeout(tick, EVERY_MS)
}

function scopeInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

sendForms()
const scope = byId('scope', HTMLSelectElement)
scope.addEventListener('change', () => void chooseScope(scope.value))
const older = byId('older', HTMLButtonElement)
older.addEventListener('click', async () => {
  // Pressed twice, it would show the same entries twice.
  older.disabled = true
  await showOlder()
  older.disabled = false
})
if (matchMedia('(min-width: 60.01rem)').matches)
  for (const panel of document.querySelectorAll<HTMLDetailsElement>('.panel'))
    panel.open = panel.querySelector('#clock, #faults, #accounts') !== null
document.addEventListener('visibilitychange', () => {
  if (isLookedAt() && hasKey()) void refresh()
})
unlock(() => void chooseScope(scopeInAddress()))
setTimeout(tick, EVERY_MS)
