import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
} from 'yaml'
import { AssayError } from '../model/assay-error.js'
import { pointerSegments } from '../model/json.js'
import { formatFindings, type Positioned, positionsIn } from './position.js'
import { readPositionedJson } from './positioned-json.js'
import { type Bounds, DEFAULT_BOUNDS, refuseDeepYaml } from './text-bounds.js'
import { NO_TAG, type YamlProblem, yamlValue } from './yaml-value.js'

/**
 * Reads YAML 1.2, or strict JSON where the name ends in `.json`. Duplicate keys, keys that are no strings, tags,
 * several documents and aliases that contain themselves are refused, so that the value is plain JSON data.
 * @param file the name that messages carry
 * @param bounds how much it may hold
 * @throws AssayError `malformed-file`, with file:line:column; never quoting the text, which may hold passwords
 */
export function readPositioned(file: string, text: string, bounds: Bounds = DEFAULT_BOUNDS): Positioned {
  if (file.toLowerCase().endsWith('.json')) return readPositionedJson(file, text, bounds)
  refuseDeepYaml(file, text)
  const position = positionsIn(file, text)
  const document = parse(text)
  const refuse = (problems: readonly YamlProblem[]): void => {
    if (problems.length === 0) return
    const findings = problems.map(({ offset, message }) => ({ position: position(offset), message }))
    throw new AssayError('malformed-file', formatFindings(findings))
  }
  refuse(libraryProblems(document))
  const { value, problems } = yamlValue(document, file, bounds)
  refuse(problems)
  return {
    file,
    value,
    at: (pointer) => position(locate(document, pointer).value),
    keyAt: (pointer) => position(locate(document, pointer).key),
  }
}

const problemTexts: ReadonlyMap<string, string> = new Map([
  ['MULTIPLE_DOCS', 'expected one document, found another'],
  ['TAG_RESOLVE_FAILED', NO_TAG],
])

/** The library's messages end in, or quote, the text. */
function withoutText(message: string): string {
  return message.replace(/: .*$/s, '').replaceAll(/"[^"]*"|'[^']*'/g, '…')
}

function libraryProblems({ errors, warnings }: Document): readonly YamlProblem[] {
  return [...errors, ...warnings].map(({ code, pos, message }) => ({
    offset: pos[0],
    message: problemTexts.get(code) ?? `expected YAML, found: ${withoutText(message)}`,
  }))
}

/** The library makes an error object for each of what may be a million mistakes: without a stack that takes a third of the time. */
function parse(text: string): Document {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parseDocument(text, {
      version: '1.2',
      // Its search takes a quadratic time.
      uniqueKeys: false,
      stringKeys: true,
      prettyErrors: false,
      // `silent` would also keep silent about a second document.
      logLevel: 'error',
    })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Offsets of the key and of the value that a pointer names, or of the deepest part of it that is there. */
function locate(document: Document, pointer: string): { readonly key: number; readonly value: number } {
  let node = resolve(document, document.contents)
  let value = node?.range?.[0] ?? 0
  let key = value
  for (const segment of pointerSegments(pointer)) {
    const found = child(node, segment)
    if (found === undefined) return { key, value }
    key = found.key
    node = resolve(document, found.node)
    value = found.node?.range?.[0] ?? key
  }
  return { key, value }
}

function child(
  node: Node | undefined,
  segment: string,
): { readonly key: number; readonly node: Node | null } | undefined {
  if (!isCollection(node)) return undefined
  if (isSeq(node)) {
    const item = node.items[Number(segment)]
    return isNode(item) ? { key: item.range?.[0] ?? 0, node: item } : undefined
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(
    (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === segment,
  )
  if (pair === undefined || !isScalar(pair.key)) return undefined
  return { key: pair.key.range?.[0] ?? 0, node: isNode(pair.value) ? pair.value : null }
}

function resolve(document: Document, node: unknown): Node | undefined {
  if (isAlias(node)) return node.resolve(document)
  return isNode(node) ? node : undefined
}
