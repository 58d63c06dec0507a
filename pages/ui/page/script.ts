import { COPY } from '../../../reports/formats/html/script.js'

/**
 * The page's one script. It sends forms, shows parts as the command renders them, and keeps what a person types, opens and
 * looks at while it does. Everything that it puts into the page was rendered, and escaped, by the command.
 */
export const PAGE_SCRIPT = `'use strict'
{
  const at = (id) => document.getElementById(id)
  const heard = at('heard')
  const say = (text) => { heard.textContent = text }

  const isTyped = (field) =>
    field.type === 'radio' || field.type === 'checkbox'
      ? field.checked !== field.defaultChecked
      : field.tagName === 'SELECT'
        ? [...field.options].some((option) => option.selected !== option.defaultSelected)
        : field.value !== field.defaultValue
  const settle = (field) => {
    if (field.type === 'radio' || field.type === 'checkbox') field.defaultChecked = field.checked
    else if (field.tagName === 'SELECT') for (const option of field.options) option.defaultSelected = option.selected
    else field.defaultValue = field.value
  }
  const fieldsOf = (element) => [...element.querySelectorAll('input[id], select[id], textarea[id]')]

  // A part gets its new markup; focus, open details and what is typed stay.
  const show = (id, markup) => {
    const element = at(id)
    if (!element) return
    const active = element.contains(document.activeElement) ? document.activeElement : undefined
    const range = active && typeof active.selectionStart === 'number' ? [active.selectionStart, active.selectionEnd] : undefined
    const open = new Map([...element.querySelectorAll('details[id]')].map((one) => [one.id, one.open]))
    const typed = fieldsOf(element).filter((field) => field.type !== 'password' && isTyped(field))
    // What was said beside a form stays until the form is sent again.
    const said = [...element.querySelectorAll('.message[id]')].filter((one) => one.textContent !== '')
    element.innerHTML = markup
    for (const old of said) if (at(old.id)?.textContent === '') at(old.id).replaceWith(old)
    for (const [name, isOpen] of open) if (at(name)) at(name).open = isOpen
    for (const old of typed) {
      const field = at(old.id)
      if (!field) continue
      if ('checked' in field) field.checked = old.checked
      if (field.type !== 'radio' && field.type !== 'checkbox') field.value = old.value
    }
    const next = active?.id ? at(active.id) : undefined
    if (!next) return
    next.focus({ preventScroll: true })
    if (range && typeof next.selectionStart === 'number') next.setSelectionRange(...range)
  }

  const post = async (path, values) => {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(values),
    })
    try {
      return await response.json()
    } catch {
      return { message: 'This page is no longer served: open the address that the command prints.' }
    }
  }
  const tell = (place, text, isGood) => {
    if (!place) return say(text)
    place.textContent = text
    place.classList.toggle('good', isGood)
  }
  document.addEventListener('submit', async (event) => {
    event.preventDefault()
    const form = event.target
    const button = event.submitter
    const values = Object.fromEntries(new FormData(form, button))
    if (form.dataset.open) return location.assign(form.dataset.open + '?' + new URLSearchParams(values))
    if (form.getAttribute('aria-busy') === 'true') return
    const path = button?.dataset.post ?? form.dataset.post
    const place = form.querySelector('.message')
    form.setAttribute('aria-busy', 'true')
    tell(place, '', false)
    for (const field of form.elements) if (field.type !== 'password') settle(field)
    try {
      const { go, message, good } = await post(path, values)
      if (go && go !== location.pathname) return location.assign(go)
      const still = place?.isConnected ? place : place && at(place.id)
      if (message || good) tell(still, message ?? good, !message)
    } catch {
      tell(place, 'No answer: is the command still running?', false)
    } finally {
      form.setAttribute('aria-busy', 'false')
      for (const field of form.querySelectorAll('input[type=password]')) field.value = ''
    }
  })
  // What is changed by hand counts at once, for whatever is pressed next.
  document.addEventListener('change', async ({ target }) => {
    if (!target.dataset.live) return
    settle(target)
    const { message } = await post(target.dataset.live, { text: target.value })
    tell(at(target.dataset.message), message ?? '', false)
  })

  // A rule that has no part of its own yet is shown beside the others.
  document.addEventListener('click', async (event) => {
    const link = event.target.closest('a.cell')
    const name = link && decodeURIComponent(link.hash.slice(1))
    const beside = at('beside')
    if (!name || !beside) return
    const own = at(name)
    if (!own || beside.contains(own)) {
      event.preventDefault()
      const response = await fetch('/run/rule?name=' + encodeURIComponent(name))
      if (!response.ok) return
      beside.innerHTML = await response.text()
    }
    const item = at(name)
    for (let up = item; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true
    const first = item?.closest('details')?.querySelector('summary') ?? item?.querySelector('a')
    first?.focus()
    first?.scrollIntoView({ block: 'nearest' })
  })

  // Results are in the report.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#result/"]')
    if (!link || at(decodeURIComponent(link.hash.slice(1)))) return
    event.preventDefault()
    location.assign('/report' + link.hash)
  })

${COPY}  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button.take')
    if (!button) return
    const copied = await copy(button.closest('.copy').querySelector('pre'))
    button.firstChild.data = copied ? 'Copied' : 'Selected'
    say(copied ? 'Copied to the clipboard' : 'Selected: copy it with the keyboard')
  })

  // Events: the page says what it has seen, and gets what it missed.
  const lost = at('connection')
  let last = document.body.dataset.after
  let source
  let timer
  const later = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(connect, ms)
  }
  // The command sends a beat every 15 s: without one the connection is dead, whatever the browser thinks.
  const alive = () => {
    lost.hidden = true
    later(40000)
  }
  const connect = () => {
    source?.close()
    source = new EventSource('/events?after=' + encodeURIComponent(last))
    later(40000)
    source.onopen = alive
    source.addEventListener('beat', alive)
    source.onmessage = ({ data, lastEventId }) => {
      alive()
      const { part, value } = JSON.parse(data)
      if (part === 'reset') return location.reload()
      last = lastEventId
      if (part === 'title') document.title = value
      else show(part, value)
    }
    source.onerror = () => {
      lost.hidden = false
      if (source.readyState === EventSource.CLOSED) later(5000)
    }
  }
  // A browser has few connections for one address: pages that no one looks at leave them to others.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') return connect()
    clearTimeout(timer)
    source?.close()
  })
  document.documentElement.classList.add('scripted')
  if (document.visibilityState === 'visible') connect()
}
`
