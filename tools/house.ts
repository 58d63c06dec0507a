/**
 * `npm run check:house`: what neither dependency-cruiser nor Biome counts: files, lines, the calls from the command to the
 * socket, type names with two meanings, words to avoid, slow regular expressions. No figure of `tools/house.yaml` may grow;
 * `--write` writes them anew. `-- TREE` counts another tree and checks nothing.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { parseDocument } from 'yaml'
import { slowPatternsOf } from './house-patterns.js'
import { usesOf, type Word, wordsOf } from './house-words.js'

interface House {
  readonly figures: Readonly<Record<string, number>>
  /** From `main` to the socket: a function, and the file that it is in. Each calls the next. */
  readonly callPath: readonly (readonly [name: string, file: string])[]
  readonly words: readonly Word[]
}

const WRITE = 'remove what you can, then write the figures with `npx tsx tools/house.ts --write`, and say why'
const OWN = fileURLToPath(new URL('house.yaml', import.meta.url))
const document = parseDocument(readFileSync(OWN, 'utf8'))
const house: House = document.toJS()
const [other] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const root = other ?? fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:[cm]?[jt]s|ya?ml|md)$/.test(path) && !/^(?:tools|scripts)\/house/.test(path))
/** What ships, and what makes it: neither tests nor their fixtures, nor examples, data and documentation. */
const sources = files.filter(
  (path) => /\.[cm]?[jt]s$/.test(path) && !/\.test\.ts$|^tests\/|^examples\/|\/fixtures\//.test(path),
)
const parsed = new Map(
  sources.map((path) => [path, ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)]),
)

/** Names of types, each with the files that declare it. */
const types = new Map<string, string[]>()
for (const [path, { statements }] of parsed)
  for (const statement of statements)
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      types.set(statement.name.text, [...(types.get(statement.name.text) ?? []), path])

/** The declarations of a name in a file, as texts. */
function bodiesOf(name: string, path: string): readonly string[] {
  const bodies: string[] = []
  const visit = (node: ts.Node): void => {
    const { name: own } = node as { name?: ts.Node }
    if (own !== undefined && !ts.isIdentifier(node) && own.getText() === name) bodies.push(node.getText())
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(parsed.get(path) as ts.Node, visit)
  return bodies
}

const twice = [...types].filter(([, paths]) => paths.length > 1)
const broken = house.callPath.flatMap(([name, path], at) => {
  const [next] = house.callPath[at + 1] ?? []
  if (other !== undefined || next === undefined) return []
  const calls = new RegExp(`(?<![\\w$])${next.replaceAll(/[$]/g, '\\$&')}\\(`)
  return bodiesOf(name, path).some((body) => calls.test(body)) ? [] : [`${path}: ${name}: no call of ${next}`]
})
const avoidable = files
  .filter((path) => !path.startsWith('CHANGELOG'))
  .flatMap((path) => {
    const words = wordsOf(path, read(path))
    return house.words
      .filter((word) => path.startsWith(word.in ?? '') && usesOf(word, words) > 0)
      .map(({ not, but }) => `${path}: not ${not} but ${but}`)
  })
/** In what reads a service or a client: tools read the sources, and mutants what the suite sends. */
const slow = [...parsed]
  .filter(([path]) => !/^(?:tools|prove)\//.test(path))
  .flatMap(([path, file]) =>
    slowPatternsOf(file).map((pattern) => `${path}:${pattern} takes more than linear time on some texts`),
  )

const figures: Readonly<Record<string, number>> = {
  rootFolders: new Set(files.filter((path) => /^\w.*\//.test(path)).map((path) => path.split('/')[0])).size,
  sourceFiles: sources.length,
  sourceLines: sources.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0),
  callsToTheSocket: house.callPath.length,
  typeNamesWithTwoMeanings: twice.length,
}
for (const [name, count] of Object.entries(figures)) console.log(`${String(count).padStart(6)}  ${name}`)
if (process.argv.includes('--types'))
  for (const [name, paths] of twice) console.log(`${name}: ${paths.join(', ')}`)
if (process.argv.includes('--write')) {
  for (const [name, count] of Object.entries(figures)) document.setIn(['figures', name], count)
  writeFileSync(OWN, document.toString({ lineWidth: 0 }))
} else if (other === undefined) {
  const grown = Object.entries(figures).filter(([name, count]) => count > (house.figures[name] ?? 0))
  const problems = [
    ...grown.map(([name]) => `${name} has grown from ${house.figures[name]}: ${WRITE}`),
    ...broken,
    ...avoidable,
    ...slow,
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
