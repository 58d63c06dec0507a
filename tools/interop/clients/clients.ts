import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { assessClient } from '../../../conformance/assess/client/assess-client.js'
import { commandClient } from '../../../conformance/drivers/host/run-command.js'
import type { Report } from '../../../spec/model/report.js'
import { rulesThat } from '../assess-implementation.js'
import { findPackages, type Packages } from '../installed-version.js'

/** A client that others wrote, with the shortest script that signs in with it. */
export interface RealClient extends Packages {
  readonly name: string
  readonly language: string
  readonly command: readonly string[]
  /** The rules that it breaks, by its source. */
  readonly broken?: readonly string[]
  /** The same of rules that do not affect the verdict. */
  readonly advice?: readonly string[]
  readonly because: string
}

/** What came of one client; no report: it is not installed. */
export interface Assayed {
  readonly client: RealClient
  /** Such as `curl 7.88.1, jq 1.6`. */
  readonly versions: string
  readonly report?: Report
}

const FOLDER = new URL('./', import.meta.url)
const TIME_OUT_MS = 60_000

export const CLIENTS: readonly RealClient[] = parse(readFileSync(new URL('clients.yaml', FOLDER), 'utf8'))

export async function assayRealClient(client: RealClient): Promise<Assayed> {
  const { isInstalled, versions } = findClient(client)
  if (!isInstalled) return { client, versions }
  const [program, ...args] = commandOf(client)
  const run = commandClient(program, args, TIME_OUT_MS)
  return { client, versions, report: await assessClient(run, { name: client.name, seed: 1 }) }
}

/** Those that are installed, as `token-assay diff --clients` reads them. */
export function installedClients() {
  return CLIENTS.flatMap((client) => {
    const { isInstalled, versions } = findClient(client)
    if (!isInstalled) return []
    const version = versions.split(', ')[0]?.split(' ').at(-1) ?? ''
    return [{ name: client.name, version, command: commandOf(client) }]
  })
}

function findClient(client: RealClient): ReturnType<typeof findPackages> {
  const found = findPackages(client, FOLDER)
  const isBuilt = existsSync(programOf(client))
  return found.isInstalled && !isBuilt ? { isInstalled: false, versions: `${client.name} not built` } : found
}

function programOf({ command }: RealClient): string {
  return fileURLToPath(new URL(command.at(-1) ?? '', FOLDER))
}

/** User names are not ASCII, so the locale must not be. */
function commandOf(client: RealClient): readonly [string, ...string[]] {
  return ['env', 'LC_ALL=C.UTF-8', ...client.command.slice(0, -1), programOf(client)]
}

/** How a run differs from what reading the source foretells; a sentence, or undefined. */
export function difference({
  client: { name, broken = [], advice = [] },
  report,
}: Assayed): string | undefined {
  if (report === undefined) return undefined
  const shown = (verdict: string, rules: readonly string[]): string =>
    `${verdict} [${rules.toSorted().join(', ')}]`
  const expected = shown(broken.length === 0 ? 'conformant' : 'nonconformant', [...broken, ...advice])
  const found = shown(report.verdict, rulesThat('failed', report))
  return expected === found ? undefined : `${name}: expected ${expected}, found ${found}`
}
