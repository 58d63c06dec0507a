import { type Document, isCollection, parseDocument } from 'yaml'
import { readPositioned } from '../../../spec/load/positioned.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import { isMap, type Json } from '../../../spec/model/json.js'

/** The variable that a new target takes its password from. */
export const PASSWORD = 'TOKEN_ASSAY_PASSWORD'
/** The name that messages about the text carry until it is saved. */
export const UNSAVED = 'token-assay.yaml'
/** Characters: as much as a target file may hold is more than a person reads in a page. */
const MAX_CHARACTERS = 128 * 1024

/** What a target's text says, before variables are filled in. */
export type TargetShape = { readonly [key: string]: Json }
/** A place in a target: keys and indices from the top. */
export type TargetPath = readonly (string | number)[]
/** What is to be at a place; undefined: nothing. */
export type TargetChange = readonly [path: TargetPath, value: unknown]

/** A target of what a person typed: no more than is needed. */
export function newTarget(baseUrl: string, userName: string): string {
  const start = `# The service that \`token-assay run\` tests. \${NAME} is an environment variable: use it for secrets.
# Rules about what is not declared here are not applicable; they do not fail.
name: service
baseUrl: service
accounts:
  - userName: alice
    password: "\${${PASSWORD}}"
`
  return changeTarget(start, [
    [['name'], nameOf(baseUrl)],
    [['baseUrl'], baseUrl],
    [['accounts', 0, 'userName'], literal(userName)],
  ])
}

function nameOf(baseUrl: Json | undefined): string | undefined {
  const isUrl = typeof baseUrl === 'string' && URL.canParse(baseUrl)
  return isUrl ? literal(new URL(baseUrl).host) : undefined
}

/** The text with the name of its own URL, where the name was that of the URL before. */
export function followUrl(before: TargetShape, text: string): string {
  const { name, baseUrl } = readShape(text)
  const now = nameOf(baseUrl)
  const follows = name !== undefined && name === before.name && name === nameOf(before.baseUrl)
  return follows && now !== undefined && now !== name ? changeTarget(text, [[['name'], now]]) : text
}

/** The text with other values at these places; comments and all else stay. @throws AssayError where it is no target */
export function changeTarget(text: string, changes: readonly TargetChange[]): string {
  readShape(text)
  const document = parseDocument(text, { version: '1.2', logLevel: 'error' })
  for (const [path, value] of changes) apply(document, path, value)
  return document.toString({ lineWidth: 0 })
}

function apply(document: Document, path: TargetPath, value: unknown): void {
  if (value !== undefined) {
    checkParents(document, path)
    document.setIn(path, document.createNode(value))
  } else if (document.hasIn(path)) document.deleteIn(path)
}

/** What somebody wrote there is not replaced unseen. */
function checkParents(document: Document, path: TargetPath): void {
  let name = ''
  for (const [at, key] of path.slice(0, -1).entries()) {
    name += typeof key === 'number' ? `[${key}]` : `${name && '.'}${key}`
    const parent = path.slice(0, at + 1)
    if (!document.hasIn(parent) || isCollection(document.getIn(parent))) continue
    const expected = typeof path[at + 1] === 'number' ? 'a list' : 'a map'
    throw new AssayError('bad-target', `${name} in the text: expected ${expected}, so correct it first`)
  }
}

/**
 * What the text says, before variables are filled in.
 * @throws AssayError where it is not YAML, not a map, or too long
 */
export function readShape(text: string, file = UNSAVED): TargetShape {
  if (text.length > MAX_CHARACTERS)
    throw new AssayError('bad-target', `${file}: expected at most ${MAX_CHARACTERS} characters, found more`)
  const { value } = readPositioned(file, text)
  if (isMap(value)) return value
  throw new AssayError('bad-target', `${file}: expected a map of the keys of a target`)
}

/** A text that was typed, or that a service sent: `${` in it is no variable. */
export function literal(text: string): string {
  return text.replaceAll('${', () => '$${')
}
