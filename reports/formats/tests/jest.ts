import type { RuleTests } from './rule-tests.js'
import { escapeUnits, forComment, preamble, quoted, type TestLanguage, testFile } from './test-language.js'

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
    sent.on('error', reject)
    const wait = setTimeout(() => sent.destroy(new Error('no answer within 30 s')), 30_000)
    sent.on('close', () => clearTimeout(wait))
    sent.end(data)
  })
}

function show({ status, body }) {
  // A log is no place for a token, or for what a service echoes.
  let shown = body.toString().replace(/("\\w*token"\\s*:\\s*")[^"]+/g, '$1...')
  for (const secret of secrets) shown = shown.replaceAll(secret, '...')
  return \`\${status} with \${shown.slice(0, 500)}\`
}

function textOf({ body }) {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
}

function membersOf(answer) {
  const members = JSON.parse(textOf(answer))
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
  assert.ok(!Number.isNaN(time), \`no date: \${text}\`)
  return time / 1000
}`

const HELPERS: Readonly<Record<string, string>> = {
  'yields token': `function yieldsToken(answer) {
  assert.ok(tokenOf(answer), \`expected a token, found \${show(answer)}\`)
}`,
  'yields no token': `function yieldsNoToken(answer) {
  assert.ok(!tokenOf(answer), \`expected no token, found \${show(answer)}\`)
}`,
  'status is': `function statusIs(answer, status) {
  assert.strictEqual(answer.status, status, show(answer))
}`,
  'status is success': `function statusIsSuccess(answer) {
  assert.ok(answer.status >= 200 && answer.status <= 299, \`expected 2xx, found \${show(answer)}\`)
}`,
  'media type is': `function mediaTypeIs(answer, expected) {
  assert.strictEqual(mediaType(answer.headers['content-type']), mediaType(expected))
}`,
  'is json object': `function isJsonObject(answer) {
  membersOf(answer)
  const names = namesIn(answer)
  assert.strictEqual(new Set(names).size, names.length, \`a member comes twice: \${show(answer)}\`)
}`,
  'json equals': `function jsonEquals(answer, expected) {
  // What is compared would be printed.
  assert.ok(isDeepStrictEqual(JSON.parse(textOf(answer)), JSON.parse(expected)), \`expected \${expected}, found \${show(answer)}\`)
}`,
  'json includes': `function jsonIncludes(answer, expected) {
  for (const [name, value] of Object.entries(JSON.parse(expected)))
    assert.deepStrictEqual(memberOf(answer, name), value)
}`,
  'has member': `function hasMember(answer, name) {
  memberOf(answer, name)
}`,
  'has no member': `function hasNoMember(answer, name) {
  assert.ok(!Object.hasOwn(membersOf(answer), name), \`a member \${name}: \${show(answer)}\`)
}`,
  'member is text': `function memberIsText(answer, name) {
  assert.strictEqual(typeof memberOf(answer, name), 'string')
}`,
  'member is not empty': `function memberIsNotEmpty(answer, name) {
  assert.ok(memberOf(answer, name), show(answer))
}`,
  'member equals': `function memberEquals(answer, name, expected) {
  assert.strictEqual(memberOf(answer, name), expected)
}`,
  'member equals ignoring case': `function memberEqualsIgnoringCase(answer, name, expected) {
  assert.strictEqual(String(memberOf(answer, name)).toLowerCase(), expected.toLowerCase())
}`,
  'member is date': `function memberIsDate(answer, name) {
  const text = memberOf(answer, name)
  assert.strictEqual(text, new Date(seconds(text) * 1000).toUTCString())
}`,
  'member is seconds': `function memberIsSeconds(answer, name, lifetime) {
  const [, raw] = [...textOf(answer).matchAll(/"((?:[^"\\\\]|\\\\.)*)"\\s*:\\s*(\\d+)\\s*[,}]/gs)].find(([, own]) => own === name)?.slice(1) ?? []
  // As it is spelled, and as a member of the object itself.
  const isRight = [lifetime, lifetime - 1].includes(memberOf(answer, name)) && Number(raw) === memberOf(answer, name)
  assert.ok(isRight, \`expected \${lifetime}, found \${show(answer)}\`)
}`,
  'member follows': `function memberFollows(answer, name, earlier) {
  const names = namesIn(answer)
  assert.ok(names.includes(name) && names.indexOf(name) > names.indexOf(earlier), \`expected \${name} after \${earlier}: \${show(answer)}\`)
}`,
  'seconds between': `function secondsBetween(answer, first, last, expected, tolerance) {
  const found = seconds(memberOf(answer, last)) - seconds(memberOf(answer, first))
  assert.ok(Math.abs(found - expected) <= tolerance, \`expected \${expected}, found \${found}: \${show(answer)}\`)
}`,
  'is near response time': `function isNearResponseTime(answer, name, skew) {
  const { date } = answer.headers
  const now = date === undefined ? Date.now() / 1000 : seconds(date)
  assert.ok(Math.abs(seconds(memberOf(answer, name)) - now) <= skew + 1, \`expected about \${date}: \${show(answer)}\`)
}`,
  'is same answer as': `function isSameAnswerAs(answer, other) {
  const parts = [answer, other].map((one) => [
    one.status,
    mediaType(one.headers['content-type']),
    JSON.parse(textOf(one) || 'null'),
  ])
  assert.ok(isDeepStrictEqual(parts[0], parts[1]), \`\${show(answer)}, and \${show(other)}\`)
}`,
  'has no body': `function hasNoBody(answer) {
  assert.strictEqual(answer.body.length, 0, show(answer))
}`,
  'lacks header': `function lacksHeader(answer, name) {
  assert.strictEqual(answer.headers[name.toLowerCase()], undefined)
}`,
  'header equals': `function headerEquals(answer, name, expected) {
  assert.strictEqual(String(answer.headers[name.toLowerCase()]), expected)
}`,
  'header lacks': `function headerLacks(answer, name, text) {
  assert.ok(!String(answer.headers[name.toLowerCase()] ?? '').includes(text), show(answer))
}`,
}
