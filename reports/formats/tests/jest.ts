import type { RuleTests } from './rule-tests.js'
import {
  escapeUnits,
  forComment,
  PLAIN_NAME,
  PLAIN_TEXT,
  preamble,
  quoted,
  type TestLanguage,
  testFile,
} from './test-language.js'

const quote = (text: string): string => quoted(text, escapeUnits)

const JAVASCRIPT: TestLanguage = {
  quote,
  indent: '  ',
  functionName: (words) => words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
  repeat: (literal, times) => `${literal}.repeat(${times})`,
  run: { lower: 'RUN', upper: 'RUN.toUpperCase()' },
  plus: ' + ',
  context: '',
  none: 'undefined',
  pairs: (pairs) => `[${pairs.map(([name, value]) => `[${name}, ${value}]`).join(', ')}]`,
  sending: (answer, call) => `const ${answer} = await ${call}`,
  statement: (call) => (call.startsWith('send(') ? `await ${call}` : call),
  test: ({ rule, statement, title, message, skip }, _, lines) =>
    [
      `// ${forComment(title)}`,
      ...(message === '' ? [] : [`// It failed: ${forComment(message)}`]),
      ...(skip === undefined ? [] : [`// Skipped: ${forComment(skip)}`]),
      `test${skip === undefined ? '' : '.skip'}(${quote(`${rule}: ${statement}`)}, async () => {`,
      ...lines.map((line) => `  ${line}`),
      '})',
    ].join('\n'),
  file: (suite, tests, helpers) =>
    `${[
      preamble(suite, 'Jest, or `node --test`, runs this file.')
        .map((line) => `// ${line}`.trimEnd())
        .join('\n'),
      CORE,
      ...helpers.flatMap((name) => HELPERS[name] ?? []),
      ...tests,
    ].join('\n\n')}\n`,
}

/** A file for Jest; Node's own test runner, Vitest with globals and Mocha run it too, but for `test` in Mocha. */
export function renderJest(suite: RuleTests): string {
  return testFile(suite, JAVASCRIPT)
}

const CORE = `const assert = require('node:assert')
const { randomBytes } = require('node:crypto')
const http = require('node:http')
const https = require('node:https')
const { isDeepStrictEqual } = require('node:util')
const test = globalThis.test ?? require('node:test')

const RUN = randomBytes(3).toString('hex')
const secrets = new Set()

function environment(name) {
  const value = process.env[name]
  assert.ok(value, \`set the environment variable \${name}: the head of this file says what it holds\`)
  if (name.startsWith('TOKEN_ASSAY_BASE_URL')) {
    assert.ok(/^https?:\\/\\/./.test(value), \`\${name}: expected http:// or https:// before the host\`)
    return value.replace(/\\/$/, '')
  }
  for (const spelled of [value, inForm(value), inJson(value)]) secrets.add(spelled)
  return value
}

function inForm(value) {
  return new URLSearchParams([['', value]]).toString().slice(1)
}

function inJson(value) {
  return JSON.stringify(value).slice(1, -1)
}

function send(method, url, headers, body) {
  const { protocol, hostname, port, host } = new URL(url)
  const path = url.slice(url.indexOf('/', protocol.length + 2)) || '/'
  const data = body === undefined ? undefined : Buffer.from(body)
  const list = ['Host', host, ...headers.flat(), ...(data ? ['Content-Length', String(data.length)] : [])]
  return new Promise((resolve, reject) => {
    const { request } = protocol === 'https:' ? https : http
    const name = hostname.replace(/^\\[|\\]$/g, '')
    const sent = request({ method, hostname: name, port, path, headers: list, agent: false }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => 
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    // The error itself has what came.
    sent.on('error', ({ message }) => reject(new Error(hidden(message))))
    const wait = setTimeout(() => sent.destroy(new Error('no answer within 30 s')), 30_000)
    sent.on('close', () => clearTimeout(wait))
    sent.end(data)
  })
}

function hidden(text) {
  const longestFirst = [...secrets].sort((one, other) => other.length - one.length)
  return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, '...'), text)
}

const PLAIN = /^(?:${PLAIN_TEXT.replaceAll('/', '\\/')})$/

/** It, where it is a short word, an error code, a media type or a date: a log is no place for what a service echoes. */
function plain(text = 'none') {
  return PLAIN.test(text) ? hidden(text) : '...'
}

function show({ status, body }) {
  const text = body.toString()
  try {
    JSON.parse(text)
  } catch {
    return \`\${status} with \${text.length} characters that are no JSON\`
  }
  const shown = text.slice(0, 1000).replace(/"((?:[^"\\\\]|\\\\.)*)"?(\\s*:)?/g, (_, inner, colon = '') => {
    const isShown = colon === '' ? PLAIN.test(inner) : /^${PLAIN_NAME}$/.test(inner)
    return \`"\${isShown ? inner : '...'}"\${colon}\`
  })
  return \`\${status} with \${hidden(shown)}\`
}

function textOf({ body }) {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
}

function valueOf(answer) {
  try {
    return JSON.parse(textOf(answer))
  } catch {
    // The error of a parser shows what it cannot read.
    assert.fail(\`no JSON: \${show(answer)}\`)
  }
}

function membersOf(answer) {
  const members = valueOf(answer)
  assert.ok(typeof members === 'object' && members !== null && !Array.isArray(members), \`no JSON object: \${show(answer)}\`)
  return members
}

function memberOf(answer, name) {
  const members = membersOf(answer)
  assert.ok(Object.hasOwn(members, name), \`no member \${name}: \${show(answer)}\`)
  return members[name]
}

/** The names of the object's own members, in their order. */
function namesIn(answer) {
  const names = []
  let depth = 0
  const tokens = textOf(answer).matchAll(/("(?:[^"\\\\]|\\\\.)*")\\s*(:)?|[{}[\\]]/gs)
  for (const [token, text, colon] of tokens) {
    if (text === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (colon !== undefined && depth === 1) names.push(JSON.parse(text))
  }
  return names
}

function tokenOf(answer) {
  const inLocation = /access_token=[^&#\\s]/.test(answer.headers.location ?? '')
  try {
    return JSON.parse(textOf(answer))?.access_token || inLocation
  } catch {
    return inLocation
  }
}

function mediaType(value = '') {
  const [essence, ...parameters] = value.toLowerCase().replaceAll('"', '').split(';').map((part) => part.trim())
  return [essence, ...parameters.filter((part) => part !== '').sort()].join(';')
}

function seconds(text) {
  const time = Date.parse(text)
  assert.ok(!Number.isNaN(time), \`no date: \${plain(String(text))}\`)
  return time / 1000
}`

// `assert.strictEqual` prints both of its values: only whether they are right is asserted.
const helper = (signature: string, isRight: string, expected: string, ...before: readonly string[]): string =>
  [
    `function ${signature} {`,
    ...before.map((line) => `  ${line}`),
    `  assert.ok(${isRight}, \`expected ${expected}, found \${show(answer)}\`)`,
    '}',
  ].join('\n')

const HELPERS: Readonly<Record<string, string>> = {
  'yields token': helper('yieldsToken(answer)', 'tokenOf(answer)', 'a token'),
  'yields no token': helper('yieldsNoToken(answer)', '!tokenOf(answer)', 'no token'),
  'status is': helper('statusIs(answer, status)', 'answer.status === status', '${status}'),
  'status is success': helper(
    'statusIsSuccess(answer)',
    'answer.status >= 200 && answer.status <= 299',
    '2xx',
  ),
  'media type is': helper(
    'mediaTypeIs(answer, expected)',
    'mediaType(found) === mediaType(expected)',
    '${expected} and not ${plain(found)}',
    "const found = answer.headers['content-type']",
  ),
  'is json object': helper(
    'isJsonObject(answer)',
    'new Set(names).size === names.length',
    'each member once',
    'membersOf(answer)',
    'const names = namesIn(answer)',
  ),
  'json equals': helper(
    'jsonEquals(answer, expected)',
    'isDeepStrictEqual(valueOf(answer), JSON.parse(expected))',
    '${expected}',
  ),
  'json includes': helper(
    'jsonIncludes(answer, expected)',
    'Object.entries(JSON.parse(expected)).every(([name, value]) => isDeepStrictEqual(memberOf(answer, name), value))',
    '${expected}',
  ),
  'has member': `function hasMember(answer, name) {
  memberOf(answer, name)
}`,
  'has no member': helper(
    'hasNoMember(answer, name)',
    '!Object.hasOwn(membersOf(answer), name)',
    'no member ${name}',
  ),
  'member is text': helper(
    'memberIsText(answer, name)',
    "typeof memberOf(answer, name) === 'string'",
    'a text in ${name}',
  ),
  'member is not empty': helper(
    'memberIsNotEmpty(answer, name)',
    'memberOf(answer, name)',
    'a value in ${name}',
  ),
  'member equals': helper(
    'memberEquals(answer, name, expected)',
    'memberOf(answer, name) === expected',
    '${name} to be ${expected}',
  ),
  'member equals ignoring case': helper(
    'memberEqualsIgnoringCase(answer, name, expected)',
    'String(memberOf(answer, name)).toLowerCase() === expected.toLowerCase()',
    '${name} to be ${expected}',
  ),
  'member is date': helper(
    'memberIsDate(answer, name)',
    'text === again',
    '${name} to be ${again}',
    'const text = memberOf(answer, name)',
    'const again = new Date(seconds(text) * 1000).toUTCString()',
  ),
  'member is seconds': helper(
    'memberIsSeconds(answer, name, lifetime)',
    '[lifetime, lifetime - 1].includes(memberOf(answer, name)) && Number(raw) === memberOf(answer, name)',
    '${lifetime}',
    // As it is spelled, and as a member of the object itself.
    'const [, raw] = [...textOf(answer).matchAll(/"((?:[^"\\\\]|\\\\.)*)"\\s*:\\s*(\\d+)\\s*[,}]/gs)].find(([, own]) => own === name)?.slice(1) ?? []',
  ),
  'member follows': helper(
    'memberFollows(answer, name, earlier)',
    'names.includes(name) && names.indexOf(name) > names.indexOf(earlier)',
    '${name} after ${earlier}',
    'const names = namesIn(answer)',
  ),
  'seconds between': helper(
    'secondsBetween(answer, first, last, expected, tolerance)',
    'Math.abs(found - expected) <= tolerance',
    '${expected} seconds and not ${found}',
    'const found = seconds(memberOf(answer, last)) - seconds(memberOf(answer, first))',
  ),
  'is near response time': helper(
    'isNearResponseTime(answer, name, skew)',
    'Math.abs(seconds(memberOf(answer, name)) - now) <= skew + 1',
    '${name} about ${new Date(now * 1000).toUTCString()}',
    'const { date } = answer.headers',
    'const now = date === undefined ? Date.now() / 1000 : seconds(date)',
  ),
  'is same answer as': helper(
    'isSameAnswerAs(answer, other)',
    'isDeepStrictEqual(parts[0], parts[1])',
    '${show(other)}',
    'const parts = [answer, other].map((one) => [',
    '  one.status,',
    "  mediaType(one.headers['content-type']),",
    '  one.body.length === 0 ? null : valueOf(one),',
    '])',
  ),
  'has no body': helper('hasNoBody(answer)', 'answer.body.length === 0', 'no body'),
  'lacks header': helper(
    'lacksHeader(answer, name)',
    '!Object.hasOwn(answer.headers, name.toLowerCase())',
    'no header ${name}',
  ),
  'header equals': helper(
    'headerEquals(answer, name, expected)',
    'found === expected',
    '${name}: ${expected} and not ${plain(found)}',
    'const found = String(answer.headers[name.toLowerCase()])',
  ),
  'header lacks': helper(
    'headerLacks(answer, name, text)',
    "!String(answer.headers[name.toLowerCase()] ?? '').includes(text)",
    '${name} without ${text}',
  ),
}
