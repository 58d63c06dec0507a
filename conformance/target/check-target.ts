import { suggestion } from '../../spec/load/nearest.js'
import { type Finding, finding, type Located } from '../../spec/load/position.js'
import { referencesIn } from '../../spec/model/case.js'
import { pointerTo } from '../../spec/model/json.js'
import { passwordLabel } from './account-binding.js'
import type { Account, Deployment, TargetRequest } from './deployment.js'
import type { TargetSettings } from './target-input.js'

/** A base URL in its one spelling, or what is wrong with it; the text is not repeated, since it may hold a password. */
export type BaseUrl = { readonly baseUrl: string } | { readonly problem: string }

/**
 * Reads a base URL: http or https, with or without a path, one trailing slash dropped.
 * User name, password, query and fragment are refused, since every path is appended to it.
 */
export function readBaseUrl(text: string): BaseUrl {
  if (/[\s\p{Cc}]/u.test(text)) return { problem: 'expected a base URL without white space' }
  // The URL parser would take `http:example.com`, and swallow an empty query, fragment or user name.
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return { problem: 'expected a base URL such as http://127.0.0.1:5000 (http or https)' }
  const authority = text.replace(/^https?:\/\//i, '').split(/[/\\?#]/, 1)[0] ?? ''
  if (authority.includes('@')) return { problem: 'expected a base URL without user name and password' }
  if (text.includes('?')) return { problem: 'expected a base URL without a query' }
  if (text.includes('#')) return { problem: 'expected a base URL without a fragment' }
  return { baseUrl: new URL(text).href.replace(/\/$/, '') }
}

const PATH = /^\/[^\s\p{Cc}#]*$/u
/** Credentials in it would not be sent. */
const URL_TEMPLATE = /^https?:\/\/[^\s\p{Cc}#/?@]+(?:[/?][^\s\p{Cc}#]*)?$/iu
const PATH_EXPECTED = 'expected a path that begins with / and has no white space and no fragment'

/** What the schema cannot say of the merged settings of one deployment. */
export function* checkSettings(settings: TargetSettings, located: Located): Generator<Finding> {
  const at = (pointer: string, message: string): Finding => ({ position: located.at(pointer), message })

  if (settings.baseUrl === undefined) yield at('', 'expected the key "baseUrl", found none')
  else {
    const read = readBaseUrl(settings.baseUrl)
    if ('problem' in read) yield at('/baseUrl', read.problem)
  }

  const names = (settings.accounts ?? []).map(({ userName }) => userName)
  if (names.length === 0) yield at('/accounts', 'expected at least one account with a password, found none')
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index)
      yield at(`/accounts/${index}/userName`, 'expected each user name once, found one a second time')

  const account = settings.externalLogin?.account
  if (account !== undefined && !names.includes(account))
    yield at('/externalLogin/account', 'expected the user name of a declared account, found another name')

  const { accepted = [], rejected = [] } = settings.registration ?? {}
  const both = accepted.find((status) => rejected.includes(status))
  if (both !== undefined)
    yield at('/registration/rejected', `expected each status in one list, found ${both} in \`accepted\` too`)

  yield* checkHeaders(settings.headers, '/headers', located)
  yield* checkTokenRequest(settings.tokenRequest, located)
  for (const [pointer, request, names] of ownRequests(settings))
    if (request !== undefined) yield* checkRequest(request, pointer, names, located)
}

function* checkTokenRequest(
  { path, headers = {}, basic }: NonNullable<TargetSettings['tokenRequest']> = {},
  located: Located,
): Generator<Finding> {
  const at = (key: string) => located.at(`/tokenRequest/${key}`)
  if (path !== undefined && !PATH.test(path)) yield finding(at('path'), PATH_EXPECTED)
  yield* checkHeaders(headers, '/tokenRequest/headers', located)
  if (basic !== undefined && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
    yield finding(at('basic'), 'expected `basic` or an Authorization header, found both')
}

const registrationNames: readonly string[] = ['userName', 'email', 'password']
/** Those of the account that signs in. */
const externalNames: readonly string[] = ['userName', 'password']

type DeclaredRequest = readonly [
  pointer: string,
  request: Partial<TargetRequest> | undefined,
  names: readonly string[],
]

/** The target's own requests, with the `$names` that are known when each is sent. */
function ownRequests({ registration, externalLogin }: TargetSettings): readonly DeclaredRequest[] {
  const prepare = externalLogin?.prepare
  const captured = [...externalNames, ...Object.keys(prepare?.capture ?? {})]
  return [
    ['/registration/request', registration?.request, registrationNames],
    ['/registration/cleanUp', registration?.cleanUp, registrationNames],
    ['/externalLogin/prepare/request', prepare?.request, externalNames],
    ['/externalLogin/request', externalLogin?.request, captured],
    ['/externalLogin/withoutCallback', externalLogin?.withoutCallback, captured],
  ]
}

/** @param names the `$names` that it may use */
export function* checkRequest(
  request: Partial<TargetRequest>,
  pointer: string,
  names: readonly string[],
  located: Located,
): Generator<Finding> {
  const at = (place: string, message: string): Finding => ({ position: located.at(place), message })
  for (const { root, pointer: place } of referencesIn(request, pointer)) {
    if (names.includes(root)) continue
    const known = names.map((name) => `$${name}`).join(', ')
    const near = suggestion(root, names)
    // It may be a part of a secret with a dollar sign.
    const found = near === '' ? 'another name' : `"$${root}"${near}`
    yield at(place, `expected one of ${known} ($$ for a literal $), found ${found}`)
  }
  if (request.path !== undefined && !PATH.test(request.path)) yield at(`${pointer}/path`, PATH_EXPECTED)
  if (request.url !== undefined && !URL_TEMPLATE.test(request.url))
    yield at(
      `${pointer}/url`,
      'expected a URL such as http://127.0.0.1:6000/code (http or https, no user name, no fragment)',
    )
  yield* checkHeaders(request.headers, `${pointer}/headers`, located)
}

/** No line break or other control character, and none that HTTP/1.1 cannot carry. */
function* checkHeaders(
  headers: Readonly<Record<string, string>> = {},
  pointer: string,
  located: Located,
): Generator<Finding> {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      yield finding(
        located.at(pointerTo(pointer, name)),
        `expected a value for ${name} in Latin-1, without line breaks and control characters`,
      )
}

/** A warning for each base URL at which others on the network can read passwords: plain http, and not loopback. */
export function plainHttpWarnings(
  services: readonly Pick<Deployment, 'baseUrl' | 'shownBaseUrl'>[],
): readonly string[] {
  const remote = services.filter(({ baseUrl }) => new URL(baseUrl).protocol === 'http:' && isRemote(baseUrl))
  return remote.map(
    ({ shownBaseUrl }) =>
      `${shownBaseUrl} uses plain http: others on the network can read passwords and tokens`,
  )
}

/** Of passwords that look like a variable which was not taken from the environment. The text itself is not repeated. */
export function passwordWarnings(accounts: readonly Account[]): readonly string[] {
  const suspect = accounts.filter(({ password }) => /^\$[A-Za-z_][A-Za-z0-9_]*$/.test(password))
  return [...new Set(suspect.map(passwordLabel))].map(
    (label) =>
      `the ${label} looks like a variable without braces: \`$\{NAME}\` takes one from the environment`,
  )
}

/** Whether the way to it leaves this machine, as far as its name tells. */
export function isRemote(baseUrl: string): boolean {
  return !/^(?:localhost|127(?:\.\d+){3}|\[::1\]|.+\.localhost)$/.test(new URL(baseUrl).hostname)
}
