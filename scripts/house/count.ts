import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callPathProblems, type Hop } from './call-path.js'
import { importsUpwards } from './imports-upwards.js'
import { loadedBy } from './static-imports.js'

/** What is counted of a tree, and where in it. */
export interface Places {
  /** `run`'s own file, and what it loads on demand in an ordinary run. */
  readonly run: string
  readonly onDemand: readonly string[]
  /** From the command to the socket. */
  readonly callPath: readonly Hop[]
  /** Names of one flag of `run`, and of one setting of `server.yaml`, in the sources. */
  readonly flag: readonly string[]
  readonly setting: readonly string[]
  /** Where a setting takes effect: not counted. */
  readonly settingUsedIn: readonly string[]
  /** Folders of which one file has to name a new rule, and more may. */
  readonly ruleOncePer: readonly string[]
}

export interface Counted {
  readonly figures: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

const ROOMS: readonly string[] = ['spec', 'reference', 'conformance', 'prove', 'reports', 'cli']
/** Rooms of further commands, which use what `run` does. */
const BESIDE: readonly string[] = ['client', 'differential', 'proxy']
/** What ships, and what makes it: neither tests nor their fixtures, nor examples, data and documentation. */
const isSource = (path: string): boolean =>
  /\.[cm]?[jt]s$/.test(path) && !/\.test\.ts$|^tests\/|^examples\/|\/fixtures\//.test(path)
/** Where a rule, a flag or a setting is written down, besides documentation. */
const isShipped = (path: string): boolean =>
  /\.(?:ts|yaml|json)$/.test(path) &&
  ROOMS.some((room) => path.startsWith(`${room}/`)) &&
  !isTest(path) &&
  !BESIDES.includes(path)
/** Documentation as data; expectations that another one makes superfluous, of which a new rule has none. */
const BESIDES = ['spec/explanations.yaml', 'prove/suite/survivors.yaml']
const isTest = (path: string): boolean => /\.test\.ts$|\/fixtures\//.test(path)

/** @param files all that is under version control */
export function countHouse(root: string, files: readonly string[], places: Places): Counted {
  const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const sources = files.filter(isSource)
  const shipped = files.filter(isShipped)
  const naming = (names: readonly string[]): readonly string[] => {
    const pattern = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`)
    return shipped.filter((path) => pattern.test(texts.get(path) ?? ''))
  }
  /** What a rule like this one would have to be written in. */
  const placesOf = (rule: string): number => {
    const { ruleOncePer } = places
    const found = naming([rule.replaceAll('.', '\\.')])
    return new Set(found.map((path) => ruleOncePer.find((folder) => path.startsWith(folder)) ?? path)).size
  }
  const rules = Array.from(
    (texts.get('spec/requirements.yaml') ?? '').matchAll(/\bid: ([\w.-]+)/g),
    ([, id = '']) => placesOf(id),
  ).sort((a, b) => a - b)
  return {
    figures: {
      sourceFiles: sources.length,
      sourceLines: sources.reduce((sum, path) => sum + (texts.get(path) ?? '').split('\n').length - 1, 0),
      staticImportsOfRun: loadedBy(root, [places.run]).files.size,
      importsOfOrdinaryRun: loadedBy(root, [places.run, ...places.onDemand]).files.size,
      callsToTheSocket: places.callPath.length,
      importsUpwards: importsUpwards([...ROOMS, ...BESIDE], texts),
      filesOfFlag: naming(places.flag).length,
      filesOfSetting: naming(places.setting).filter((path) => !places.settingUsedIn.includes(path)).length,
      filesOfRuleMedian: rules[Math.floor(rules.length / 2)] ?? 0,
    },
    problems: callPathProblems(root, places.callPath),
  }
}
