/**
 * The part of a k6 script that sends: plain JavaScript for k6, which has no `URLSearchParams` and no `fetch`. It reads the
 * constants that `render-script.ts` writes above it.
 */
export const SENDING = String.raw`
// A refusal is an answer, not a failed request.
const ANSWERS = http.expectedStatuses({ min: 200, max: 499 })

// Sends one step. Gives undefined where nothing came that could be judged; the check "answered" says so.
function send(one, template, scope, account) {
  const form = template.form === undefined ? undefined : pairs(template.form, scope)
  const headers = Object.assign({}, HEADERS)
  const usual = form !== undefined ? FORM : template.json !== undefined ? 'application/json' : null
  const contentType = template.contentType === undefined ? usual : template.contentType
  if (contentType !== null) headers['Content-Type'] = fill(contentType, scope)
  for (const name of Object.keys(template.headers || {})) headers[name] = fill(template.headers[name], scope)
  const query = template.query === undefined ? '' : '?' + encode(pairs(template.query, scope))
  const response = http.request(
    template.method || 'POST',
    BASE_URL + fill(template.path || '/Token', scope, encodeURIComponent) + query,
    bodyOf(template, form, scope),
    {
      headers,
      // Every request stands alone: no cookie of an earlier answer, no redirect, no grouping by URL.
      jar: new http.CookieJar(),
      redirects: 0,
      responseCallback: ANSWERS,
      responseType: 'text',
      tags: { name: (template.method || 'POST') + ' ' + (template.path || '/Token'), case: one.id },
      timeout: TARGET.timeoutMs,
    },
  )
  const busy = response.status === 429 || (response.status === 503 && header(response, 'retry-after'))
  const answered = response.status > 0 && !busy
  check(response, { answered: () => answered }, { case: one.id })
  if (!answered) return undefined
  const named = form === undefined ? undefined : form.find((pair) => pair[0] === 'username')
  return read(response, (named && ACCOUNTS.find((known) => known.userName === named[1])) || account)
}

function bodyOf(template, form, scope) {
  if (form !== undefined) return encode(form)
  if (template.json !== undefined)
    return JSON.stringify(template.json, (_, value) => (typeof value === 'string' ? fill(value, scope) : value))
  return template.body === undefined ? null : fill(template.body, scope)
}

// The references of a template: $account.userName, $input; $$ is a dollar sign.
function fill(text, scope, spell) {
  return text.replace(/\$\$|\$([A-Za-z]\w*)(?:\.(\w+))?/g, (match, variable, member) => {
    if (match === '$$') return '$'
    const bound = scope[variable]
    const value = typeof bound === 'object' ? bound[member] : bound
    const rest = typeof bound === 'object' || member === undefined ? '' : '.' + member
    return (spell === undefined ? String(value) : spell(String(value))) + rest
  })
}

function pairs(fields, scope) {
  const entries = Array.isArray(fields) ? fields : Object.keys(fields).map((name) => [name, fields[name]])
  return entries.map((pair) => [pair[0], fill(pair[1], scope)])
}

function encode(form) {
  const spell = (text) => encodeURIComponent(text).replace(/%20/g, '+')
  return form.map((pair) => spell(pair[0]) + '=' + spell(pair[1])).join('&')
}

function header(response, name) {
  const found = Object.keys(response.headers).find((key) => key.toLowerCase() === name)
  return found === undefined ? undefined : String(response.headers[found])
}

function read(response, account) {
  const text = typeof response.body === 'string' ? response.body : ''
  let json
  try {
    json = JSON.parse(text)
  } catch (_) {
    json = undefined
  }
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  const token = isObject && own(json, 'access_token') ? json.access_token : undefined
  const location = header(response, 'location') || ''
  return {
    account,
    status: response.status,
    contentType: header(response, 'content-type'),
    date: header(response, 'date'),
    receivedAt: Date.now(),
    text,
    json,
    members: isObject ? json : {},
    isObject,
    yieldsToken: isSomething(token) || /[?#&]access_token=[^&#]/.test(location),
  }
}

function isSomething(value) {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return typeof value === 'number' || value === true || (typeof value === 'string' && value !== '')
}

function own(object, name) {
  return Object.prototype.hasOwnProperty.call(object, name)
}
`
