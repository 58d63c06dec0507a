import ts from 'typescript'

/** A word that is not to be used, and the one to use. */
export interface Word {
  /** A whole name in a program, where it begins with `=`; else words of a text, or of a name, in any case. */
  readonly not: string
  readonly but: string
  /** Only in paths that begin so. Default: everywhere. */
  readonly in?: string
}

/** What of a file is looked at: the names of a program, and its texts and comments. */
export interface Words {
  readonly names: readonly string[]
  readonly texts: readonly string[]
}

/** All of a page or of data is text. */
export function wordsOf(path: string, text: string): Words {
  return /\.[cm]?[jt]s$/.test(path) ? wordsOfProgram(text) : { names: [], texts: text.split('\n') }
}

function wordsOfProgram(text: string): Words {
  const names: string[] = []
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node.text)
    else if (isText(node)) texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest))
  // Comments are none of the tree's nodes.
  for (const [comment] of text.matchAll(/(?<=^\s*)\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm))
    texts.push(comment)
  return { names, texts }
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    node.kind === ts.SyntaxKind.TemplateHead ||
    node.kind === ts.SyntaxKind.TemplateMiddle ||
    node.kind === ts.SyntaxKind.TemplateTail
  )
}

/** How often a word is in there. */
export function usesOf({ not }: Pick<Word, 'not'>, { names, texts }: Words): number {
  if (not.startsWith('=')) return names.filter((name) => name === not.slice(1)).length
  const inText = new RegExp(`(?<![\\w-])(?:${not})(?![\\w-])`, 'gi')
  // Names are read as their words: `newWorld` as `new World`.
  const spelledOut = names.map((name) => name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' '))
  return [...spelledOut, ...texts].reduce((sum, text) => sum + (text.match(inText)?.length ?? 0), 0)
}
