import { existsSync } from 'node:fs'
import { assessClient } from '../../../conformance/assess/client/assess-client.js'
import { commandClient } from '../../../conformance/drivers/host/run-command.js'
import type { Report } from '../../../spec/model/report.js'
import { installedVersion } from '../installed-version.js'
import type { RealClient } from './clients.js'

/** What came of one client; no report: it is not installed. */
export interface Assayed {
  readonly client: RealClient
  /** Such as `curl 7.88.1, jq 1.6`. */
  readonly versions: string
  readonly report?: Report
}

const TIME_OUT_MS = 60_000

export async function assayRealClient(client: RealClient): Promise<Assayed> {
  const from = client.from === 'npm' ? { npm: new URL('node_modules/', import.meta.url) } : client.from
  const versions = client.packages.map((name) => [name, installedVersion(name, from)] as const)
  const missing = versions.flatMap(([name, version]) => (version === undefined ? [name] : []))
  const [command = '', ...args] = client.command
  const program = client.command.findLast((word) => word.startsWith('/')) ?? ''
  if (missing.length > 0) return { client, versions: `${missing.join(', ')} not installed` }
  if (!existsSync(program)) return { client, versions: `${client.name} not built` }
  const report = await assessClient(commandClient(command, args, TIME_OUT_MS), { name: client.name, seed: 1 })
  return { client, versions: versions.map(([name, version]) => `${name} ${version}`).join(', '), report }
}

/** The rules that a client was seen to break. */
export function failedRules({ rules }: Report): readonly string[] {
  return rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
}

/** How a run differs from what reading the source foretells; a sentence, or undefined. */
export function difference({ client: { name, expected }, report }: Assayed): string | undefined {
  if (report === undefined) return undefined
  const found = { verdict: report.verdict, broken: failedRules(report) }
  if (JSON.stringify(found) === JSON.stringify(expected)) return undefined
  const printed = ({ verdict, broken }: RealClient['expected']) => `${verdict} [${broken.join(', ')}]`
  return `${name}: expected ${printed(expected)}, found ${printed(found)}`
}
