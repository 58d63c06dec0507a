import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { listPublicTypes, PUBLIC } from '../tools/list-public-types.js'

const ROOT = process.cwd()
/** Not public: the behaviour of a mutant, which `prove` alone gives to a server. */
const INTERNAL: ReadonlySet<string> = new Set(['Behaviour'])

const UNEXPORTED = 'tests/fixtures/unexported-types.ts'
const ENTRIES = [...Object.values(PUBLIC), UNEXPORTED]

function createProgram(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => t.fail(String(messageText)),
    },
  )
  return ts.createProgram(ENTRIES, { ...config?.options, noEmit: true })
}

const program = createProgram()

/** `X names Y` for each type that an exported signature of a module names and the module does not export. */
function missingExports(entry: string): string[] {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new TypeError(`${entry} is not a module`)
  const resolved = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const exported = new Set(checker.getExportsOfModule(module).map(resolved))

  const isOurs = (symbol: ts.Symbol): boolean =>
    (symbol.declarations ?? []).some((declaration) => {
      const { fileName } = declaration.getSourceFile()
      const isNamed = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)
      const isOther = ts.isClassDeclaration(declaration) || ts.isEnumDeclaration(declaration)
      return (isNamed || isOther) && resolve(fileName).startsWith(ROOT) && !fileName.includes('node_modules')
    })

  function* namesIn(node: ts.Node): Generator<string> {
    // Not part of the signature.
    if (ts.isBlock(node) || isPrivate(node)) return
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression
      // `Omit` hides members, and with them what they name.
      if (name.getText() === 'Omit') {
        for (const member of checker.getPropertiesOfType(checker.getTypeFromTypeNode(node)))
          for (const declaration of member.declarations ?? []) yield* namesIn(declaration)
        return
      }
      const symbol = checker.getSymbolAtLocation(name)
      if (symbol !== undefined && isOurs(resolved(symbol)) && !exported.has(resolved(symbol)))
        if (!INTERNAL.has(resolved(symbol).name)) yield resolved(symbol).name
    }
    for (const child of node.getChildren()) yield* namesIn(child)
  }

  return [...exported].flatMap((symbol) => {
    const names = (symbol.declarations ?? []).flatMap((declaration) => [...namesIn(declaration)])
    return [...new Set(names)].map((name) => `${symbol.name} names ${name}`)
  })
}

function isPrivate(node: ts.Node): boolean {
  if (!ts.isClassElement(node)) return false
  const isHidden = node.name !== undefined && ts.isPrivateIdentifier(node.name)
  return isHidden || (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0
}

t.test('every type that an exported signature names is exported', async (t) => {
  t.strictSame(missingExports('index.ts'), [])
})

t.test('the walk sees parameters, results, members and parents', async (t) => {
  t.strictSame(missingExports(UNEXPORTED), [
    'given names Parameter',
    'given names Returned',
    'Open names Parent',
    'Open names Member',
  ])
})

t.test('the public types are those that are promised', async (t) => {
  const promised = readFileSync('tests/public-types.txt', 'utf8')
  t.strictSame(
    listPublicTypes(program).split('\n'),
    promised.split('\n'),
    '`npm run types` writes what there is',
  )
})
