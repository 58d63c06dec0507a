import type { ControlPageState } from '../page-state.js'
import { byId, element, formatTime, setText, visible } from './dom.js'

type Content = readonly unknown[]

const seen = new Map<string, string>()
let shownAtMs: number | undefined

/** Shows all but the journal. What did not change is left alone. @param scope '' for the server's own store */
export function showPanels(state: ControlPageState, scope: string): void {
  setText('url', visible(state.url))
  showClock(state)
  if (hasChanged('faults', state.faults)) showFaults(state.faults)
  if (hasChanged('hooks', state.hooks)) showHooks(state.hooks)
  if (hasChanged('accounts', state.accounts)) showAccounts(state.accounts)
  if (hasChanged('settings', [scope, state.settings]))
    byId('settings', HTMLTextAreaElement).value = JSON.stringify(state.settings, null, 2)
  if (hasChanged('scopes', [scope, state.scopes])) showScopes(state.scopes, scope)
}

/** Another store's clock does not show whether this one is stopped. */
export function forgetClock(): void {
  shownAtMs = undefined
}

function hasChanged(part: string, value: unknown): boolean {
  const text = JSON.stringify(value)
  if (seen.get(part) === text) return false
  seen.set(part, text)
  return true
}

function showClock({ nowMs, machineMs }: ControlPageState): void {
  setText('clock', formatTime(nowMs))
  setText('clock-short', formatTime(nowMs).slice(0, 19))
  const ahead = Math.round((nowMs - machineMs) / 1000)
  const distance = `${Math.abs(ahead).toLocaleString('en')} s ${ahead > 0 ? 'ahead of' : 'behind'} the machine`
  const stopped = shownAtMs === nowMs ? 'It is stopped. ' : ''
  setText('clock-note', `${stopped}It shows ${Math.abs(ahead) < 2 ? 'the time of the machine' : distance}.`)
  shownAtMs = nowMs
}

function showFaults(faults: ControlPageState['faults']): void {
  setText('faults-short', String(faults.length))
  const items = faults.map(({ id, hits, ...fault }) => [
    element('code', 'wire', `${JSON.stringify(fault)} met ${hits}`),
    removeButton(`fault ${id}`, `/faults/${encodeURIComponent(id)}`),
  ])
  fillList('faults', items)
}

function showHooks(hooks: ControlPageState['hooks']): void {
  byId('hooks-panel', HTMLElement).hidden = hooks.length === 0
  setText('hooks-short', String(hooks.length))
  const items = hooks.map(({ id, ...hook }) => [
    element('code', 'wire', JSON.stringify(hook)),
    removeButton(`hook ${id}`, `/hooks/${encodeURIComponent(id)}`),
  ])
  fillList('hooks', items)
}

function showAccounts({ count, list }: ControlPageState['accounts']): void {
  setText('accounts-short', count.toLocaleString('en'))
  const items = list.map(({ userName, email, userId }): Content => {
    const address = email === undefined ? '' : ` <${email}>`
    return [
      element('span', 'wire', `${userName}${address}`, element('span', 'note', ` ${userId}`)),
      removeButton(`account ${userName}`, `/accounts/${encodeURIComponent(userName)}`),
    ]
  })
  const more = count - list.length
  fillList('accounts', more > 0 ? [...items, [`and ${more.toLocaleString('en')} more`]] : items)
}

function showScopes(scopes: readonly string[], current: string): void {
  setText('scopes-short', String(scopes.length))
  const items = scopes.map((name) => {
    const remove = removeButton(`scope ${name}`, `/scopes/${encodeURIComponent(name)}`)
    remove.dataset.of = 'server'
    return [element('span', 'wire', name), remove]
  })
  fillList('scopes', items)
  const options = ['', ...scopes].map((name) => {
    const option = element('option', '', name === '' ? "the server's own" : name)
    option.value = name
    return option
  })
  const select = byId('scope', HTMLSelectElement)
  select.replaceChildren(...options)
  select.value = current
}

function fillList(id: string, items: readonly Content[]): void {
  byId(id, HTMLElement).replaceChildren(...items.map((parts) => element('li', '', ...parts)))
}

function removeButton(what: string, path: string): HTMLButtonElement {
  const made = element('button', '', 'Remove')
  made.type = 'button'
  made.ariaLabel = `Remove ${visible(what)}`
  made.dataset.do = `DELETE ${path}`
  return made
}
