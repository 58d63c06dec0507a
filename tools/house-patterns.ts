import { analyse } from 'scslre'
import ts from 'typescript'

/**
 * The regular expressions in a file that take more than linear time on some texts, each with its line: services and clients
 * choose the texts. Of a quoted string that does not end, or an expression put together while running, it knows nothing.
 */
export function slowPatternsOf(file: ts.SourceFile): readonly string[] {
  const slow: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && isSlow(node.text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      slow.push(`${line + 1}: ${node.text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return slow
}

function isSlow(literal: string): boolean {
  const end = literal.lastIndexOf('/')
  return analyse({ source: literal.slice(1, end), flags: literal.slice(end + 1) }).reports.length > 0
}
