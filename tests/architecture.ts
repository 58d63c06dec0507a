import { posix } from 'node:path'
import ts from 'typescript'

/** A source file: its path from the project's root, with forward slashes, and its text. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** One import, of a type or a value, static or dynamic. */
interface Import {
  readonly from: string
  /** A path from the root, or the name of a package. */
  readonly to: string
}

interface Rule {
  readonly name: string
  readonly forbids: (of: Import) => boolean
}

const OURS: readonly string[] = ['spec', 'reference', 'conformance', 'reports', 'cli']

const isIn = (folder: string, path: string): boolean => path.startsWith(`${folder}/`)
const folderOf = (path: string): string => path.split('/')[0] ?? ''

/** The parts that must stay pure: no network, no files, no clock. */
const isPure = (path: string): boolean =>
  path === 'conformance/judge.ts' || isIn('conformance/checks', path) || isIn('conformance/wire', path)

const RULES: readonly Rule[] = [
  {
    name: 'spec imports nothing of ours',
    forbids: ({ from, to }) => isIn('spec', from) && OURS.includes(folderOf(to)) && !isIn('spec', to),
  },
  {
    name: 'reference imports spec types only',
    forbids: ({ from, to }) =>
      isIn('reference', from) &&
      OURS.includes(folderOf(to)) &&
      !isIn('reference', to) &&
      to !== 'spec/types.ts',
  },
  {
    name: 'conformance does not import reference',
    forbids: ({ from, to }) => isIn('conformance', from) && isIn('reference', to),
  },
  {
    name: 'reports do not import conformance',
    forbids: ({ from, to }) => isIn('reports', from) && isIn('conformance', to),
  },
  { name: 'nothing imports cli', forbids: ({ from, to }) => !isIn('cli', from) && isIn('cli', to) },
  {
    name: 'undici stands in execute.ts alone',
    forbids: ({ from, to }) =>
      isIn('conformance', from) && from !== 'conformance/execute.ts' && /^undici(?:\/|$)/.test(to),
  },
  {
    name: 'the judge imports no network, file or clock',
    forbids: ({ from, to }) =>
      isPure(from) &&
      (/^(?:node:)?(?:fs|fs\/promises|net|http|https|http2|tls|dns|timers|timers\/promises|perf_hooks|process)$/.test(
        to,
      ) ||
        isIn('conformance/exchange', to) ||
        to === 'conformance/execute.ts'),
  },
]

/** Clocks need no import. */
const CLOCK = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bsetTimeout\b|\bsetInterval\b|\bprocess\./

/** Every way in which the files break the architecture, as sentences. Tests may import what they like. */
export function architectureProblems(sources: readonly Source[]): readonly string[] {
  const shipped = sources.filter(({ path }) => !isOfTests(path))
  const imports = shipped.flatMap(importsOf)
  return [
    ...RULES.flatMap(({ name, forbids }) =>
      imports.filter(forbids).map(({ from, to }) => `${name}: ${from} imports ${to}`),
    ),
    ...imports.filter(({ to }) => isOfTests(to)).map(({ from, to }) => `${from} imports the test ${to}`),
    ...shipped
      .filter(({ path, text }) => isPure(path) && CLOCK.test(withoutComments(text)))
      .map(({ path }) => `the judge reads no clock: ${path} does`),
    ...cycles(imports).map((cycle) => `import cycle: ${cycle.join(' -> ')}`),
  ]
}

function isOfTests(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes('/fixtures/') || isIn('tests', path)
}

function importsOf({ path, text }: Source): readonly Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => ({
    from: path,
    to: fileName.startsWith('.')
      ? posix.join(posix.dirname(path), fileName).replace(/\.js$/, '.ts')
      : fileName,
  }))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

/** One cycle for each file that closes one, type imports included. */
function cycles(imports: readonly Import[]): readonly (readonly string[])[] {
  const importsFrom = new Map<string, readonly string[]>()
  for (const { from, to } of imports) importsFrom.set(from, [...(importsFrom.get(from) ?? []), to])
  const done = new Set<string>()
  const found: (readonly string[])[] = []
  const visit = (file: string, way: readonly string[]): void => {
    const seenAt = way.indexOf(file)
    if (seenAt >= 0) {
      found.push([...way.slice(seenAt), file])
      return
    }
    if (done.has(file)) return
    for (const to of importsFrom.get(file) ?? []) visit(to, [...way, file])
    done.add(file)
  }
  for (const file of importsFrom.keys()) visit(file, [])
  return found
}
