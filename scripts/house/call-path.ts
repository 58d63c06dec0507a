import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** One function on the way from the command to the socket. */
export interface Hop {
  /** None: a library's, where the way ends. */
  readonly file?: string
  /** A function, a method, or what holds one. */
  readonly name: string
  /** The name that the one before calls it by, where that is another. */
  readonly as?: string
}

/** Where the way is not as it is written: a function that is not there, or does not call the next one. */
export function callPathProblems(root: string, hops: readonly Hop[]): readonly string[] {
  return hops.flatMap(({ file, name }, at) => {
    if (file === undefined) return []
    const bodies = bodiesOf(join(root, file), name)
    if (bodies.length === 0) return [`${file} has no function ${name}`]
    const next = hops[at + 1]
    if (next === undefined) return []
    const called = next.as ?? next.name
    return bodies.some((body) => calls(body, called)) ? [] : [`${name} in ${file} does not call ${called}`]
  })
}

/** Every declaration of that name that may be called, or that holds what is. */
function bodiesOf(path: string, name: string): readonly ts.Node[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    const declares =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isPropertyAssignment(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isClassDeclaration(node)
    if (declares && node.name?.getText(source) === name) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function calls(body: ts.Node, name: string): boolean {
  let isCalled = false
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const { expression } = node
      const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression
      if ((ts.isIdentifier(callee) || ts.isPrivateIdentifier(callee)) && callee.text === name) isCalled = true
    }
    ts.forEachChild(node, visit)
  }
  visit(body)
  return isCalled
}
