import { EDITED_SECTION } from '../../../conformance/evidence/describe.js'
import { passwordLabel } from '../../../conformance/target/account-binding.js'
import type { Deployment } from '../../../conformance/target/deployment.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import { type Case, type RequestTemplate, referencesIn } from '../../../spec/model/case.js'
import type { Json } from '../../../spec/model/json.js'
import { exchangesOf, type Judgement, type ReportExchange, type Result } from '../../../spec/model/report.js'
import type { Specification } from '../../../spec/model/specification.js'

const FORM = 'application/x-www-form-urlencoded'
const LABEL = /‹[^‹›]*›/g
/** Of a case that is named nowhere else, so that it cannot be mistaken for the suite's own. */
export const EDITED = 'edited'

/** The request that a judgement is about: the last one that is no control. */
export function judgedExchange(result: Result, judgement: Judgement): ReportExchange | undefined {
  const shown = exchangesOf(result, judgement)
  return shown.findLast(({ label }) => !label.startsWith('control')) ?? shown.at(-1)
}

/** A request as text, to be edited: without what the target adds to every one by itself. */
export function requestText({ request }: ReportExchange, deployment: Deployment): string {
  const own = ownParts(deployment)
  const { method, url, headers, body } = request
  const path = url.startsWith(deployment.shownBaseUrl) ? url.slice(deployment.shownBaseUrl.length) : url
  const lines = headers
    .filter(([name]) => !own.headers.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
  const text = body === undefined ? '' : 'text' in body ? body.text : ''
  const pairs = text.split('&').filter((pair) => !own.form.has(pair.split('=', 1)[0] ?? ''))
  const isForm = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith(FORM),
  )
  return [`${method} ${path}`, ...lines, '', isForm ? pairs.join('&') : text].join('\n')
}

function ownParts({ headers, tokenRequest }: Deployment) {
  const names = [...headers.map(([name]) => name), ...Object.keys(tokenRequest?.headers ?? {})]
  return {
    headers: new Set(names.map((name) => name.toLowerCase())),
    form: new Set(Object.keys(tokenRequest?.form ?? {})),
  }
}

/**
 * Reads an edited request: its first line, headers, an empty line, the body. `‹password of …›` is the password.
 * @throws AssayError for what is no request, or shows in ‹…› what is not known
 */
export function readRequest(text: string, { accounts: [main] }: Deployment): RequestTemplate {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').split('\n\n')
  const body = rest.join('\n\n')
  const [first = '', ...lines] = head.split('\n')
  const [, method, path] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/\S*)$/.exec(first.trim()) ?? []
  if (method === undefined || path === undefined)
    throw new AssayError('usage', 'expected a request with a first line such as `POST /Token`')
  const headers = lines.filter((line) => line.trim() !== '').map(readHeader)
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  const template = (part: string): string => {
    const [before = '', ...after] = part.replaceAll('$', () => '$$').split(`‹${passwordLabel(main)}›`)
    const filled = after.reduce((text, next) => {
      // What follows would be read as part of the name. A declared password is hidden wherever it is found.
      const asItIs = /^[\w.]/.test(next) ? main?.password.replaceAll('$', () => '$$') : undefined
      return `${text}${asItIs ?? '$account.password'}${next}`
    }, before)
    const [unknown] = filled.match(LABEL) ?? []
    if (unknown !== undefined)
      throw new AssayError(
        'usage',
        `${unknown} is how the report shows a secret: replace it with what to send`,
      )
    return filled
  }
  return {
    method,
    path: template(path),
    contentType: contentType === undefined ? null : template(contentType),
    headers: Object.fromEntries(others.map(([name, value]) => [name, template(value)])),
    ...(body === '' ? {} : bodyOf(body, contentType, template)),
  }
}

function readHeader(line: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff‹›]*)$/.exec(line) ?? []
  if (name !== undefined && value !== undefined) return [name, value.trim()]
  throw new AssayError('usage', 'expected headers such as `Content-Type: application/json`, one on each line')
}

/** A body without a label is sent byte by byte. In a form or in JSON a password must be encoded as its kind asks for. */
function bodyOf(body: string, contentType = '', template: (part: string) => string): RequestTemplate {
  const isLabelled = body.match(LABEL) !== null
  if (isLabelled && contentType.toLowerCase().startsWith(FORM))
    return {
      form: body.split('&').map((pair): [string, string] => {
        const [name = '', ...value] = pair.split('=')
        return [formText(name), template(formText(value.join('=')))]
      }),
    }
  const json = isLabelled ? jsonOf(body) : undefined
  return json === undefined ? { body: template(body) } : { json: mapTexts(json, template) }
}

function formText(spelled: string): string {
  try {
    return decodeURIComponent(spelled.replaceAll('+', ' '))
  } catch {
    return spelled
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mapTexts(json: Json, map: (text: string) => string): Json {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) =>
    typeof value === 'string' ? map(value) : value,
  )
}

/**
 * The specification with one case more: that of a result, with one of its requests edited. What its rules expect of the
 * answer stays.
 * @throws AssayError where its other requests have generated values, which are known to the case as a whole only
 */
export function withEdited(
  specification: Specification,
  testCase: Case,
  label: string,
  send: RequestTemplate,
): Specification {
  const named = testCase.steps.findIndex(({ name }) => name === label)
  const at = named >= 0 ? named : Math.max(0, Number(/^request (\d+)$/.exec(label)?.[1] ?? '1') - 1)
  const { forall = {}, account, when } = testCase
  const others = testCase.steps.filter((_, index) => index !== at)
  const generated = referencesIn(others, '').find(({ root }) => Object.hasOwn(forall, root))
  if (generated !== undefined)
    throw new AssayError(
      'usage',
      'other requests of this case have generated values, so it can only be run again as a whole',
    )
  const steps = testCase.steps.map((step, index) => {
    if (index !== at) return step
    const {
      register: _register,
      signIn: _signIn,
      property: _property,
      concurrency: _concurrency,
      ...own
    } = step
    return { ...own, send }
  })
  // Sent once: without what tries other inputs, counts failures, or looks at all answers of a run.
  const edited: Case = {
    id: EDITED,
    title: testCase.title,
    section: EDITED_SECTION,
    steps,
    ...(account === undefined ? {} : { account }),
    ...(when === undefined ? {} : { when }),
  }
  return { ...specification, cases: [...specification.cases, edited] }
}
