/** What the package loads when it is imported: not what only few of its users need. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import t from 'tap'
import ts from 'typescript'

const ROOT = new URL('../', import.meta.url)

t.test('whoever imports the package loads no engine, and no native or heavy library', async (t) => {
  const { files, packages } = loadedBy('index.ts')
  t.ok(files.has('reference/server.ts'))
  t.notOk(files.has('conformance/run.ts'))
  t.notOk(files.has('reference/control/control-server.ts'), 'nor a control plane')
  t.strictSame([...packages], ['polka'])
})

t.test('serve without a configuration file loads no parser', async (t) => {
  const { packages } = loadedBy('cli/serve.ts')
  t.strictSame([...packages], ['polka'])
})

/** Every file and package that comes with a file at once: neither types nor what is imported on demand. */
function loadedBy(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (path: string): void => {
    if (files.has(path)) return
    files.add(path)
    // What is generated imports nothing but the runtime of its schemas.
    if (path.startsWith('spec/generated/')) return
    for (const to of valueImports(readFileSync(new URL(path, ROOT), 'utf8'))) {
      if (to.startsWith('.')) visit(posix.join(posix.dirname(path), to).replace(/\.js$/, '.ts'))
      else if (!to.startsWith('node:')) packages.add(to)
    }
  }
  visit(entry)
  return { files, packages }
}

function valueImports(text: string): readonly string[] {
  return ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
    const { moduleSpecifier } = statement
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return []
    return isOfTypes(statement) ? [] : [moduleSpecifier.text]
  })
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  return ts.isExportDeclaration(statement)
    ? statement.isTypeOnly
    : statement.importClause?.isTypeOnly === true
}
