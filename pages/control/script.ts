/**
 * The page's one script. It asks for the state once a second, and does what the API's own methods do. Every text that came
 * from outside becomes the text of an element, never markup, with its hidden characters spelt out.
 */
export const SCRIPT = `'use strict'
{
  const EVERY_MS = 1000
  // Beyond, the oldest rows go: the page of a long day stays as quick as that of its first minute.
  const MAX_ROWS = 10000
  const FAULTS = {
    status: { kind: 'status', status: 503, headers: { 'Retry-After': '1' }, match: { path: '*/Token' }, times: 1 },
    delay: { kind: 'delay', ms: 2000, times: 1 },
    drop: { kind: 'drop', times: 1 },
    truncate: { kind: 'truncate', times: 1 },
    'malformed-json': { kind: 'malformed-json', times: 1 },
    drip: { kind: 'drip', bytes: 1, everyMs: 100, times: 1 },
  }
  const byId = (id) => document.getElementById(id)
  const list = byId('entries')
  const filter = byId('filter')
  const message = byId('message')
  const visible = (text) =>
    String(text).replace(/[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]|(?! )\\p{Zs}/gu, (character) => {
      const code = character.codePointAt(0)
      return code > 0xffff ? '\\\\u{' + code.toString(16) + '}' : '\\\\u' + code.toString(16).padStart(4, '0')
    })
  const element = (name, className, ...content) => {
    const made = document.createElement(name)
    if (className) made.className = className
    made.append(...content.map((part) => (part instanceof Node ? part : visible(part))))
    return made
  }
  const button = (words, label, action) => {
    const made = element('button', '', words)
    made.type = 'button'
    made.setAttribute('aria-label', label)
    made.addEventListener('click', action)
    return made
  }
  const say = (text, isBad = false) => {
    message.textContent = visible(text)
    message.className = isBad ? 'bad' : 'good'
  }
  const isoOf = (ms) => new Date(ms).toISOString().replace('T', ' ').slice(0, 23) + ' UTC'
  const plain = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

  let scope = ''
  try { scope = decodeURIComponent(location.hash.slice(1)) } catch {}
  let newest
  let oldest
  let rows = 0
  const pathOf = (path) => (scope === '' ? path : '/scopes/' + encodeURIComponent(scope) + path)

  // The journal
  const rowOf = (entry) => {
    const state = entry.refusal !== undefined || entry.status === 0 || entry.status >= 400 ? 'bad' : 'good'
    const summary = element(
      'summary', '',
      element('span', 'status ' + state, entry.status === 0 ? 'none' : entry.status),
      element('span', 'when', isoOf(entry.atMs).slice(11, 23)),
      element('span', 'wire', entry.method + ' ' + entry.path),
      element('span', 'side', [entry.userName, entry.refusal].filter((text) => text !== undefined).join(' · ')),
    )
    if (entry.reason !== undefined) summary.append(element('span', 'why', entry.reason))
    const details = element('details', '', summary)
    // Few are opened.
    details.addEventListener('toggle', () => {
      if (!details.open || details.childElementCount > 1) return
      const shown = element('dl', '')
      for (const [name, value] of Object.entries(entry))
        shown.append(element('dt', '', name), element('dd', 'wire', name === 'atMs' ? isoOf(value) : plain(value)))
      details.append(shown)
    })
    const row = element('li', '', details)
    row.refused = state === 'bad'
    row.entryId = entry.id
    return row
  }
  const words = () => filter.elements.words.value.toLowerCase().split(/\\s+/).filter(Boolean)
  const matches = (row, wanted) => {
    if (filter.elements.refused.checked && !row.refused) return false
    const text = wanted.length === 0 ? '' : row.firstChild.firstChild.textContent.toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
  const isFiltered = () => words().length > 0 || filter.elements.refused.checked
  const applyFilter = (some) => {
    const wanted = words()
    for (const row of some) {
      const hidden = !matches(row, wanted)
      if (row.hidden !== hidden) row.hidden = hidden
    }
    const shown = isFiltered() ? list.querySelectorAll('li:not([hidden])').length : rows
    filter.querySelector('output').textContent = isFiltered() ? shown + ' of ' + rows + ' shown' : rows + ' shown'
    byId('none').hidden = rows > 0
  }
  const forgetRows = () => {
    list.replaceChildren()
    newest = oldest = undefined
    rows = 0
  }
  const addRows = (entries, older) => {
    const made = entries.map(rowOf).reverse()
    if (made.length > 0) {
      if (older) list.append(...made)
      else list.prepend(...made)
      rows += made.length
      if (!older) newest = entries.at(-1)
      while (rows > MAX_ROWS) {
        list.lastChild.remove()
        rows -= 1
      }
      oldest = list.lastChild.entryId
    }
    applyFilter(made)
  }

  // The panels
  const setText = (id, text) => {
    if (byId(id).textContent !== text) byId(id).textContent = text
  }
  const seen = {}
  const changed = (name, value) => {
    const text = JSON.stringify(value)
    if (seen[name] === text) return false
    seen[name] = text
    return true
  }
  const fill = (id, items) => byId(id).replaceChildren(...items.map((parts) => element('li', '', ...parts)))
  const removing = (what, path) => button('Remove', 'Remove ' + visible(what), () => act('DELETE', path))
  const showClock = ({ nowMs, machineMs, wasMs }) => {
    setText('clock', isoOf(nowMs))
    setText('clock-short', isoOf(nowMs).slice(0, 19))
    const ahead = Math.round((nowMs - machineMs) / 1000)
    const stopped = wasMs !== undefined && wasMs === nowMs ? 'It is stopped. ' : ''
    const away = Math.abs(ahead) < 2 ? 'the time of the machine' : Math.abs(ahead).toLocaleString('en') + ' s ' + (ahead > 0 ? 'ahead of' : 'behind') + ' the machine'
    setText('clock-note', stopped + 'It shows ' + away + '.')
  }
  let wasMs
  const showState = (state) => {
    setText('url', visible(state.url))
    showClock({ ...state, wasMs })
    wasMs = state.nowMs
    if (changed('faults', state.faults)) {
      setText('faults-short', String(state.faults.length))
      fill('faults', state.faults.map(({ id, hits, ...fault }) => [
        element('code', 'wire', JSON.stringify(fault) + ' met ' + hits), removing('fault ' + id, '/faults/' + encodeURIComponent(id)),
      ]))
    }
    if (changed('hooks', state.hooks)) {
      byId('hooks-panel').hidden = state.hooks.length === 0
      setText('hooks-short', String(state.hooks.length))
      fill('hooks', state.hooks.map(({ id, ...hook }) => [
        element('code', 'wire', JSON.stringify(hook)), removing('hook ' + id, '/hooks/' + encodeURIComponent(id)),
      ]))
    }
    if (changed('accounts', state.accounts)) {
      setText('accounts-short', state.accounts.count.toLocaleString('en'))
      const more = state.accounts.count - state.accounts.list.length
      fill('accounts', [
        ...state.accounts.list.map(({ userName, email, userId }) => [
          element('span', 'wire', userName + (email === undefined ? '' : ' <' + email + '>'), element('span', 'note', ' ' + userId)),
          removing('account ' + userName, '/accounts/' + encodeURIComponent(userName)),
        ]),
        ...(more > 0 ? [['and ' + more.toLocaleString('en') + ' more']] : []),
      ])
    }
    if (changed('settings', [scope, state.settings]))
      document.querySelector('[data-json=settings]').elements.json.value = JSON.stringify(state.settings, null, 2)
    if (changed('scopes', [scope, state.scopes])) {
      setText('scopes-short', String(state.scopes.length))
      fill('scopes', state.scopes.map((name) => [
        element('span', 'wire', name), button('Remove', 'Remove scope ' + visible(name), () => act('DELETE', '/scopes/' + encodeURIComponent(name), undefined, true)),
      ]))
      const options = ['', ...state.scopes].map((name) => {
        const option = element('option', '', name === '' ? "the server's own" : name)
        option.value = name
        return option
      })
      byId('scope').replaceChildren(...options)
      byId('scope').value = scope
    }
  }

  // What is asked of the server
  const ask = async (method, path, body) => {
    const response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    let json
    try { json = text === '' ? undefined : JSON.parse(text) } catch {}
    if (response.ok) return json
    if (response.status === 401 || response.status === 403)
      throw new Error('The server does not know this page any more: open it again with its secret.')
    throw Object.assign(new Error(json?.detail ?? 'answered ' + response.status), { problem: json?.title })
  }
  let asking
  /** One at a time: a slow answer is not overtaken. */
  const refresh = () => (asking ??= read().finally(() => { asking = undefined }))
  let isLost = false
  const read = async () => {
    const of = scope
    const query = new URLSearchParams({ scope: of })
    if (newest !== undefined) {
      query.set('seen', newest.id)
      query.set('at', newest.atMs)
    }
    try {
      const state = await ask('GET', '/page/state?' + query)
      if (of !== scope) return
      if (isLost) say('Connected again.')
      isLost = false
      if (state.journal.isAnother) forgetRows()
      addRows(state.journal.entries, false)
      byId('older').hidden = oldest === undefined || oldest <= state.journal.first || rows >= MAX_ROWS
      showState(state)
    } catch (error) {
      if (of !== scope) return
      // It was removed, by this page or by a test.
      if (error.problem === 'unknown-scope') return choose('')
      if (!isLost) say(error instanceof TypeError ? 'Not connected to the server: trying again.' : error.message, true)
      isLost = true
    }
  }
  const act = async (method, path, body, ofServer = false) => {
    try {
      await ask(method, ofServer ? path : pathOf(path), body)
      say('Done: ' + method + ' ' + (ofServer ? path : pathOf(path)))
    } catch (error) {
      say(error.message, true)
    }
    await asking
    return refresh()
  }
  const choose = (name) => {
    scope = name
    history.replaceState(null, '', name === '' ? location.pathname : '#' + encodeURIComponent(name))
    byId('scope').value = name
    wasMs = undefined
    forgetRows()
    return refresh()
  }

  /** What a form asks for, as the API takes it. */
  const bodyOf = (form) => {
    if (form.dataset.json) return JSON.parse(form.elements.json.value)
    const given = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
    if ('seconds' in given) return { seconds: Number(given.seconds) }
    if (!('at' in given)) return given
    const atMs = Date.parse(given.at.trim().replace(' ', 'T') + (/Z$|[+-]\\d\\d:?\\d\\d$/.test(given.at) ? '' : 'Z'))
    if (Number.isNaN(atMs)) throw new Error('expected a time such as 2024-02-29 12:00:00')
    return { atMs }
  }
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    const form = event.target
    if (!form.dataset.do) return
    const [method, path] = form.dataset.do.split(' ')
    let body
    try {
      body = bodyOf(form)
    } catch (error) {
      say(error.message, true)
      return
    }
    if (form.elements.password) form.elements.password.value = ''
    void act(method, path, body, form.dataset.of === 'server')
  })
  document.addEventListener('click', (event) => {
    const pressed = event.target.closest('button[data-do]')
    if (!pressed) return
    const [method, path] = pressed.dataset.do.split(' ')
    void act(method, path)
  })
  let waiting = false
  filter.addEventListener('input', () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      applyFilter(list.children)
    })
  })
  byId('scope').addEventListener('change', (event) => void choose(event.target.value))
  byId('older').addEventListener('click', async () => {
    // Pressed twice, it would show the same entries twice.
    byId('older').disabled = true
    try {
      const { entries, first } = await ask('GET', '/page/older?' + new URLSearchParams({ scope, before: oldest }))
      addRows(entries, true)
      byId('older').hidden = entries.length === 0 || oldest <= first || rows >= MAX_ROWS
    } catch (error) {
      say(error.message, true)
    }
    byId('older').disabled = false
  })
  const kinds = document.querySelector('[data-json=fault]').elements
  for (const kind of Object.keys(FAULTS)) kinds.kind.append(element('option', '', kind))
  const preset = () => {
    kinds.json.value = JSON.stringify(FAULTS[kinds.kind.value], null, 2)
  }
  kinds.kind.addEventListener('change', preset)
  preset()
  if (matchMedia('(min-width: 60.01rem)').matches)
    for (const panel of document.querySelectorAll('.panel')) panel.open = panel.querySelector('#clock, #faults, #accounts') !== null
  const tick = async () => {
    // A page that no one looks at asks for nothing, and catches up when it is looked at.
    if (document.visibilityState === 'visible') await refresh()
    setTimeout(tick, EVERY_MS)
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void refresh()
  })
  void tick()
}
`
