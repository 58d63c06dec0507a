/**
 * The public types as text, for `tests/public-types.txt`: one declaration of each export, without comments and bodies. A test
 * holds every type that these name to be among them, so that nothing public is missing.
 */
import ts from 'typescript'

/** What `exports` of package.json gives types for, and its module. */
export const PUBLIC: Readonly<Record<string, string>> = {
  'token-assay': 'index.ts',
  'token-assay/tap': 'conformance/runners/tap.ts',
  'token-assay/node-test': 'conformance/runners/node-test.ts',
  'token-assay/mocha': 'conformance/runners/mocha.ts',
  'token-assay/vitest': 'conformance/runners/vitest.ts',
}

const printer = ts.createPrinter({ removeComments: true })

/** @param program has these modules among its files */
export function listPublicTypes(program: ts.Program): string {
  const checker = program.getTypeChecker()
  return Object.entries(PUBLIC)
    .map(([name, entry]) => {
      const source = program.getSourceFile(entry)
      const module = source && checker.getSymbolAtLocation(source)
      if (module === undefined) throw new TypeError(`${entry} is not a module`)
      const exported = checker
        .getExportsOfModule(module)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap((symbol) => declarationsOf(symbol, checker))
      return [`// ${name}\n`, ...exported].join('\n')
    })
    .join('\n')
}

function declarationsOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const as = symbol.name === target.name ? '' : `// as ${symbol.name}\n`
  return (target.declarations ?? []).map((declaration) => {
    if (ts.isClassDeclaration(declaration)) return `${as}${classText(declaration, target, checker)}\n`
    const text = `${as}${print(ts.isFunctionDeclaration(declaration) ? withoutBody(declaration) : declaration)}\n`
    // A type that is made of another one shows no members itself.
    const isMade = ts.isInterfaceDeclaration(declaration)
      ? declaration.heritageClauses !== undefined
      : ts.isTypeAliasDeclaration(declaration) && /^(?:Omit|Partial|Pick)\b/.test(declaration.type.getText())
    return isMade ? text + membersText(checker.getDeclaredTypeOfSymbol(target), checker) : text
  })

  function print(node: ts.Node): string {
    return printer.printNode(ts.EmitHint.Unspecified, node, sourceOf(target))
  }
}

/** Members as they were declared, where that was; sorted, since the compiler's order depends on what else it has read. */
function membersText(type: ts.Type, checker: ts.TypeChecker): string {
  return checker
    .getPropertiesOfType(type)
    .map(({ declarations: [declaration] = [] }) =>
      declaration === undefined
        ? ''
        : `  // ${printer.printNode(ts.EmitHint.Unspecified, declaration, declaration.getSourceFile()).replaceAll(/\s+/g, ' ')}\n`,
    )
    .toSorted()
    .join('')
}

function classText(declaration: ts.ClassDeclaration, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const type = checker.getTypeOfSymbol(symbol)
  const made = type
    .getConstructSignatures()
    .map((signature) => `  new ${checker.signatureToString(signature)}`)
  const members = checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .filter((member) =>
      member.declarations?.some((own) => own.getSourceFile() === declaration.getSourceFile()),
    )
    .map((member) => `  ${member.name}: ${checker.typeToString(checker.getTypeOfSymbol(member))}`)
  const parents = (declaration.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`)
  return `export class ${symbol.name}${parents.join('')} {\n${[...made, ...members].join('\n')}\n}`
}

function withoutBody(node: ts.FunctionDeclaration): ts.FunctionDeclaration {
  const { asteriskToken, name, typeParameters, parameters, type } = node
  // `async` is no part of a type.
  const modifiers = node.modifiers?.filter(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword)
  return ts.factory.updateFunctionDeclaration(
    node,
    modifiers,
    asteriskToken,
    name,
    typeParameters,
    parameters,
    type,
    undefined,
  )
}

function sourceOf({ declarations: [declaration] = [] }: ts.Symbol): ts.SourceFile {
  if (declaration === undefined) throw new TypeError('a symbol without a declaration')
  return declaration.getSourceFile()
}
