import { posix } from 'node:path'
import ts from 'typescript'
import { groupBy } from '../spec/model/items.js'

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

const OURS: readonly string[] = [
  'spec',
  'reference',
  'conformance',
  'prove',
  'client',
  'differential',
  'proxy',
  'reports',
  'web',
  'ui',
  'cli',
]

const isIn = (folder: string, path: string): boolean => path.startsWith(`${folder}/`)
const folderOf = (path: string): string => path.split('/')[0] ?? ''

/** The parts that must stay pure: no network, no files, no clock. */
const isPure = (path: string): boolean =>
  path === 'conformance/judge/judge.ts' ||
  isIn('conformance/judge/checks', path) ||
  isIn('conformance/wire', path) ||
  isIn('spec/model', path) ||
  path === 'spec/load/read-json.ts'

const RULES: readonly Rule[] = [
  {
    name: 'spec imports no other room',
    forbids: ({ from, to }) => isIn('spec', from) && OURS.includes(folderOf(to)) && !isIn('spec', to),
  },
  {
    name: 'web imports no other room',
    forbids: ({ from, to }) => isIn('web', from) && OURS.includes(folderOf(to)) && !isIn('web', to),
  },
  {
    name: 'reference imports spec/model, the generated validators and web only',
    forbids: ({ from, to }) =>
      isIn('reference', from) &&
      OURS.includes(folderOf(to)) &&
      !isIn('reference', to) &&
      !isIn('web', to) &&
      !isIn('spec/model', to) &&
      !isIn('spec/generated/validators', to),
  },
  {
    name: 'conformance does not import reference',
    forbids: ({ from, to }) => isIn('conformance', from) && isIn('reference', to),
  },
  {
    name: 'reports import spec only',
    forbids: ({ from, to }) =>
      isIn('reports', from) && OURS.includes(folderOf(to)) && !isIn('reports', to) && !isIn('spec', to),
  },
  {
    name: 'prove is imported by cli and scripts only',
    forbids: ({ from, to }) =>
      isIn('prove', to) && !['prove', 'cli', 'scripts', 'bench', 'interop'].includes(folderOf(from)),
  },
  {
    name: 'client is imported by proxy, cli, interop, scripts, the proof of the suite and index.ts only',
    forbids: ({ from, to }) =>
      isIn('client', to) &&
      !isIn('prove/suite', from) &&
      !['client', 'proxy', 'cli', 'interop', 'scripts', 'index.ts'].includes(folderOf(from)),
  },
  {
    name: 'proxy is imported by cli only',
    forbids: ({ from, to }) => isIn('proxy', to) && !['proxy', 'cli'].includes(folderOf(from)),
  },
  {
    name: 'differential imports spec and conformance only, and is imported by cli, bench and scripts only',
    forbids: ({ from, to }) =>
      (isIn('differential', from) && ['reference', 'prove', 'client', 'reports'].includes(folderOf(to))) ||
      (isIn('differential', to) &&
        !['differential', 'cli', 'bench', 'scripts', 'interop'].includes(folderOf(from))),
  },
  {
    name: 'ui imports spec, conformance, reports and web only, and is imported by cli only',
    forbids: ({ from, to }) =>
      (isIn('ui', from) &&
        OURS.includes(folderOf(to)) &&
        !['ui', 'spec', 'conformance', 'reports', 'web'].includes(folderOf(to))) ||
      (isIn('ui', to) && !['ui', 'cli'].includes(folderOf(from))),
  },
  { name: 'nothing imports cli', forbids: ({ from, to }) => !isIn('cli', from) && isIn('cli', to) },
  {
    name: 'undici is imported in transport/ alone',
    forbids: ({ from, to }) =>
      isIn('conformance', from) && !isIn('conformance/transport', from) && /^undici(?:\/|$)/.test(to),
  },
  {
    name: 'the judge imports no network, file or clock',
    forbids: ({ from, to }) =>
      isPure(from) &&
      (/^(?:node:)?(?:fs|fs\/promises|net|http|https|http2|tls|dns|timers|timers\/promises|perf_hooks|process)$/.test(
        to,
      ) ||
        isIn('conformance/transport', to)),
  },
]

/**
 * The layers of a room, the lowest first: a file imports from its own layer and those below it. An entry is a file, or a
 * folder with its slash; every file of the room is in one.
 */
const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  reference: [
    ['http/'],
    [
      'account.ts',
      'policy.ts',
      'refusal.ts',
      'token-response.ts',
      'registration-behaviour.ts',
      'behaviour.ts',
    ],
    ['control-error.ts', 'clock.ts', 'log.ts', 'input/'],
    ['external-login/'],
    ['store/'],
    ['service.ts', 'cors.ts'],
    ['tls/', 'options/'],
    ['routes/'],
    ['connection/'],
    ['diagnosis/'],
    ['tenant/', 'provider/'],
    ['control/'],
    ['server.ts'],
  ],
  conformance: [
    ['wire/'],
    ['accounts/'],
    ['target/'],
    ['transport/'],
    ['generators/'],
    ['evidence/'],
    ['judge/'],
    ['plan/'],
    ['session/'],
    ['probe/'],
    ['properties/'],
    ['cases/'],
    ['baseline/'],
    ['report.ts'],
    ['run.ts'],
    ['assess.ts'],
    ['runners/'],
  ],
}

/** Where a file is in the layers of its room; -1: nowhere. */
function layerOf(path: string): number {
  const room = folderOf(path)
  const inRoom = path.slice(room.length + 1)
  const isAt = (entry: string): boolean => (entry.endsWith('/') ? inRoom.startsWith(entry) : inRoom === entry)
  return (LAYERS[room] ?? []).findIndex((layer) => layer.some(isAt))
}

function leadsUpwards({ from, to }: Import): boolean {
  return folderOf(from) in LAYERS && folderOf(from) === folderOf(to) && layerOf(to) > layerOf(from)
}

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
    ...imports.filter(leadsUpwards).map(({ from, to }) => `upwards: ${from} imports ${to}`),
    ...shipped
      .filter(({ path }) => folderOf(path) in LAYERS && layerOf(path) === -1)
      .map(({ path }) => `in no layer: ${path}`),
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
  const importsFrom = groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const found: (readonly string[])[] = []
  const visit = (file: string, way: readonly string[]): void => {
    const seenAt = way.indexOf(file)
    if (seenAt >= 0) {
      found.push([...way.slice(seenAt), file])
      return
    }
    if (done.has(file)) return
    for (const { to } of importsFrom.get(file) ?? []) visit(to, [...way, file])
    done.add(file)
  }
  for (const file of importsFrom.keys()) visit(file, [])
  return found
}
