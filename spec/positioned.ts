import { type Document, isAlias, LineCounter, parseDocument, visit } from 'yaml'
import { AssayError } from './assay-error.js'
import { jsonErrorOffset } from './json-error-offset.js'
import { locate } from './locate.js'
import { type Finding, formatFindings, type Located, type Position } from './position.js'
import type { Json } from './types.js'

/** The text of a YAML or JSON file as a value that knows where each of its parts stands. */
export interface Positioned extends Located {
  readonly file: string
  readonly value: Json
}

/** Beyond this many resolved aliases a document is taken for an attack ("billion laughs"). */
const maxAliasCount = 100

/** The parser recurses, and gives up at some 700 levels. */
const maxDepth = 200

/**
 * Reads YAML 1.2, or strict JSON where the name ends in `.json`. Duplicate keys, keys that are no strings, tags,
 * several documents and aliases that contain themselves are refused, so that the value is plain JSON data.
 * @param file the name that messages carry
 * @throws AssayError `malformed-file`, with file:line:column; never quoting the text, which may hold passwords
 */
export function readPositioned(file: string, text: string): Positioned {
  const lines = new LineCounter()
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
  const language = file.endsWith('.json') ? 'JSON' : 'YAML'
  const strict = language === 'JSON' ? strictJsonProblem(text) : undefined
  const document = parse(file, text, lines)
  const problems = strict === undefined ? problemsOf(document, language) : [strict]
  const findings = problems.map(({ offset, message }): Finding => ({ position: position(offset), message }))
  if (findings.length > 0) throw new AssayError('malformed-file', formatFindings(findings))

  return {
    file,
    value: toJson(document, file),
    at: (pointer) => position(locate(document, pointer).value),
    keyAt: (pointer) => position(locate(document, pointer).key),
  }
}

interface Problem {
  readonly offset: number
  readonly message: string
}

function strictJsonProblem(text: string): Problem | undefined {
  const offset = jsonErrorOffset(text)
  if (offset === undefined) return undefined
  const found = offset < text.length ? 'what stands here' : 'the end of the file'
  return { offset, message: `expected JSON, found ${found}` }
}

function parse(file: string, text: string, lineCounter: LineCounter): Document {
  if (nestsTooDeep(text))
    throw new AssayError('malformed-file', `${file}: expected at most ${maxDepth} levels of nesting`)
  return parseDocument(text, {
    version: '1.2',
    uniqueKeys: true,
    stringKeys: true,
    prettyErrors: false,
    // `silent` would also keep silent about a second document.
    logLevel: 'error',
    lineCounter,
  })
}

/**
 * Whether nesting might exhaust the parser's stack, which at worst takes the process with it. Counts brackets and
 * leading block marks without reading what is quoted: no file of ours comes near it either way.
 */
function nestsTooDeep(text: string): boolean {
  if (new RegExp(`^[ \\t?:-]{${maxDepth}}`, 'm').test(text)) return true
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1))
    if (depth > maxDepth) return true
  }
  return false
}

const noTag = 'expected no tag, found one (a text that begins with ! is written in quotes)'
const noAnchor =
  'expected an anchor before its alias, found none (a text that begins with * is written in quotes)'

const problemTexts: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'expected each key once, found it a second time'],
  ['MULTIPLE_DOCS', 'expected one document, found another'],
  ['TAG_RESOLVE_FAILED', noTag],
])

/** The library's messages end in, or quote, what stands there. */
function withoutText(message: string): string {
  return message.replace(/: .*$/s, '').replaceAll(/"[^"]*"|'[^']*'/g, '…')
}

function problemsOf(document: Document, language: string): readonly Problem[] {
  const problems: Problem[] = [...document.errors, ...document.warnings].map(({ code, pos, message }) => ({
    offset: pos[0],
    message: problemTexts.get(code) ?? `expected ${language}, found: ${withoutText(message)}`,
  }))
  if (problems.length > 0) return problems
  visit(document, {
    Node(_, node, path) {
      const offset = node.range?.[0] ?? 0
      if (isAlias(node)) {
        const target = node.resolve(document)
        if (target === undefined) problems.push({ offset, message: noAnchor })
        else if (path.includes(target))
          problems.push({ offset, message: 'expected no alias inside its own anchor' })
      } else if (node.tag !== undefined) {
        problems.push({ offset, message: noTag })
      }
    },
  })
  return problems
}

function toJson(document: Document, file: string): Json {
  try {
    // `toJS` is typed any; tags and other keys than strings are refused above, so what is left is JSON data.
    return document.toJS({ maxAliasCount }) as Json
  } catch (cause) {
    throw new AssayError('malformed-file', `${file}: expected at most ${maxAliasCount} uses of aliases`, {
      cause,
    })
  }
}
