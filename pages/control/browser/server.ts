import { ask as askWithKey } from '../../guard/browser/key.js'
import type { ControlPageState, JournalPiece } from '../page-state.js'
import { byId, say } from './dom.js'
import { lock } from './enter.js'
import { addRows, forgetRows, newestEntry, oldestEntry } from './journal.js'
import { forgetClock, showPanels } from './panels.js'

/** The store that is shown: the name of its scope; '': the server's own. */
let scope = ''
let isLost = false
let asking: Promise<void> | undefined

class RefusedError extends Error {
  readonly problem: string | undefined
  constructor(message: string, problem?: string) {
    super(message)
    this.problem = problem
  }
}

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await askWithKey(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const json = readJson(await response.text())
  if (response.ok) return json
  if (response.status === 401) lock('The server no longer knows this page: enter its secret again.')
  throw new RefusedError(json?.detail ?? `answered ${response.status}`, json?.title)
}

function readJson(text: string): { readonly detail?: string; readonly title?: string } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Asks for what changed, and shows it. One at a time: a slow answer is not overtaken. */
export function refresh(): Promise<void> {
  asking ??= read().finally(() => {
    asking = undefined
  })
  return asking
}

async function read(): Promise<void> {
  const of = scope
  try {
    const state = (await ask('GET', `/page/state?${stateQuery()}`)) as ControlPageState
    if (of !== scope) return
    if (isLost) say('Connected again.')
    isLost = false
    if (state.journal.isAnother) forgetRows()
    addRows(state.journal, 'above')
    showPanels(state, scope)
  } catch (error) {
    if (of === scope) await onFailure(error)
  }
}

function stateQuery(): URLSearchParams {
  const newest = newestEntry()
  return new URLSearchParams({
    scope,
    ...(newest && { seen: String(newest.id), at: String(newest.atMs) }),
  })
}

async function onFailure(error: unknown): Promise<void> {
  // It was removed, by this page or by a test.
  if (error instanceof RefusedError && error.problem === 'unknown-scope') return chooseScope('')
  if (!isLost)
    say(
      error instanceof TypeError ? 'Lost the connection to the server: trying again.' : messageOf(error),
      true,
    )
  isLost = true
}

/** Does what a method of the API does, then shows what changed. @param path of a store, unless it is `ofServer` */
export async function act(method: string, path: string, body?: unknown, ofServer = false): Promise<void> {
  const whole = ofServer || scope === '' ? path : `/scopes/${encodeURIComponent(scope)}${path}`
  try {
    await ask(method, whole, body)
    say(`Done: ${method} ${whole}`)
  } catch (error) {
    say(messageOf(error), true)
  }
  await asking
  return refresh()
}

/** Shows another store. */
export function chooseScope(name: string): Promise<void> {
  scope = name
  history.replaceState(null, '', name === '' ? location.pathname : `#${encodeURIComponent(name)}`)
  byId('scope', HTMLSelectElement).value = name
  forgetClock()
  forgetRows()
  return refresh()
}

/** Shows entries of the journal before those that are shown. */
export async function showOlder(): Promise<void> {
  const before = String(oldestEntry()?.id ?? 0)
  try {
    addRows(
      (await ask('GET', `/page/older?${new URLSearchParams({ scope, before })}`)) as JournalPiece,
      'below',
    )
  } catch (error) {
    say(messageOf(error), true)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
