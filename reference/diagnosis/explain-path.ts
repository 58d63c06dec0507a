import { type ReceivedRequest, scopeHeader } from '../http/received-request.js'
import { nearMiss, unescaped } from './near-miss.js'
import type { ServerFacts } from './parameters.js'

const endpoints = ['/Token', '/accounts', '/external-login']

export function explainPath({ path }: ReceivedRequest, { basePath }: ServerFacts): string {
  for (const endpoint of endpoints) {
    const miss = missOf(path, endpoint, basePath)
    if (miss !== undefined) return `the path ${miss}: it must be exactly ${basePath}${endpoint}`
  }
  return `nothing is served at this path: tokens are at ${basePath}/Token`
}

function missOf(path: string, endpoint: string, basePath: string): string | undefined {
  const wanted = basePath + endpoint
  const plain = unescaped(path) ?? path
  if (plain === wanted) return 'holds a % escape'
  if (plain === `${wanted}/`) return 'has a slash at its end'
  if (plain.replaceAll(/\/+/g, '/') === wanted) return 'has a slash twice'
  const miss = nearMiss(plain, wanted)
  if (miss !== undefined) return miss
  if (plain === endpoint) return 'lacks the base path'
  if (!plain.endsWith(endpoint)) return undefined
  return basePath === '' ? 'has something before it' : 'has another base path'
}

/** Where a request says the name of a scope that there is none of. */
export function explainScope({ path, headers }: ReceivedRequest, { basePath }: ServerFacts): string {
  const none = 'a scope that there is none of, or no more'
  if (path.startsWith(`${basePath}/scopes/`)) return `the path names ${none}`
  const name = String(headers[scopeHeader] ?? '')
  if (name === '') return 'the header Token-Assay-Scope is empty'
  // Node joins the lines of a header so.
  return name.includes(',')
    ? 'there is more than one header Token-Assay-Scope'
    : `the header Token-Assay-Scope names ${none}`
}
