import ts from 'typescript'

/** One place in the judge's text that can be switched, while it runs, to judge otherwise. */
export interface JudgeSite {
  readonly number: number
  /** File, function and what is done there: stays when lines move. */
  readonly id: string
  readonly file: string
  readonly functionName: string
  /** `silent`: what is broken holds. `inverted`: a comparison says the opposite. */
  readonly kind: 'silent' | 'inverted'
}

export interface Instrumented {
  readonly text: string
  readonly sites: readonly JudgeSite[]
}

/** Which site is switched in this process: none where it is undefined. */
const SWITCH = 'globalThis.tokenAssaySite'

/** Functions that word a finding, and decide nothing. */
const WORDING: readonly string[] = ['broken', 'aKind', 'messages', 'nearestString']

const COMPARISONS: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]

/**
 * Puts a switch at every finding that something is broken, and at every comparison but those with `undefined`, which ask
 * whether there is anything to judge. What only words a finding is left alone.
 * @param first the number of the first site
 */
export function instrument(file: string, text: string, first: number): Instrumented {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const sites: JudgeSite[] = []
  const edits: { readonly at: number; readonly text: string }[] = []
  const ids = new Map<string, number>()
  const add = (node: ts.Node, kind: JudgeSite['kind'], functionName: string): void => {
    const what = kind === 'silent' ? 'what is broken holds' : `not (${oneLine(node.getText(source))})`
    const name = `${file} ${functionName}: ${what}`
    const nth = (ids.get(name) ?? 0) + 1
    ids.set(name, nth)
    const number = first + sites.length
    sites.push({ number, id: nth === 1 ? name : `${name} #${nth}`, file, functionName, kind })
    const otherwise = kind === 'silent' ? "{ kind: 'holds' }" : `!(${node.getText(source)})`
    edits.push({ at: node.getStart(source), text: `(${SWITCH} === ${number} ? ${otherwise} : (` })
    edits.push({ at: node.getEnd(), text: '))' })
  }
  const visit = (node: ts.Node, functionName: string): void => {
    const within = nameOfFunction(node) ?? functionName
    if (WORDING.includes(within)) return
    if (isBroken(node)) add(node, 'silent', within)
    else if (ts.isBinaryExpression(node) && isComparison(node, source)) add(node, 'inverted', within)
    else ts.forEachChild(node, (child) => visit(child, within))
  }
  visit(source, '')
  // No site lies in another, so that no two edits share a place.
  const edited = edits.toSorted((a, b) => b.at - a.at).reduce(insert, text)
  return { text: edited, sites }
}

function insert(text: string, { at, text: added }: { readonly at: number; readonly text: string }): string {
  return text.slice(0, at) + added + text.slice(at)
}

/** `{ kind: 'broken', … }`, or a call of the function `broken` that makes one. */
function isBroken(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return ts.isIdentifier(node.expression) && node.expression.text === 'broken'
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (property) =>
        ts.isPropertyAssignment(property) &&
        ts.isStringLiteral(property.initializer) &&
        property.initializer.text === 'broken',
    )
  )
}

function isComparison({ operatorToken, left, right }: ts.BinaryExpression, source: ts.SourceFile): boolean {
  return (
    COMPARISONS.includes(operatorToken.kind) &&
    left.getText(source) !== 'undefined' &&
    right.getText(source) !== 'undefined'
  )
}

function nameOfFunction(node: ts.Node): string | undefined {
  return ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) ? node.name?.text : undefined
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
