import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'

export interface Loaded {
  /** Paths from the project's root, with forward slashes. */
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** Every file and package that comes with these files at once: neither types nor what is imported on demand. */
export function loadedBy(root: string, entries: readonly string[]): Loaded {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (path: string): void => {
    if (files.has(path)) return
    files.add(path)
    // What is generated imports nothing but the runtime of its schemas.
    if (path.startsWith('spec/generated/')) return
    for (const to of valueImports(readFileSync(join(root, path), 'utf8'))) {
      if (to.startsWith('.')) visit(sourceOf(root, posix.join(posix.dirname(path), to)))
      else if (!to.startsWith('node:')) packages.add(to)
    }
  }
  for (const entry of entries) visit(entry)
  return { files, packages }
}

function sourceOf(root: string, path: string): string {
  const source = path.replace(/\.js$/, '.ts')
  return existsSync(join(root, source)) ? source : path
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
