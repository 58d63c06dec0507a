import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instrument, type JudgeSite } from './judge-sites.js'

/** A copy of the sources whose judge has switches. */
export interface SuiteCopy extends Disposable {
  readonly worker: string
  readonly sites: readonly JudgeSite[]
}

const FOLDERS = ['spec', 'reference', 'conformance', 'reports', 'cli']
/** What words a finding, and decides nothing. */
const WORDING = ['describe.ts', 'secret-members.ts', 'finding.ts', 'index.ts']

/** Each order of a job may name a site, which the whole process then switches. */
const LISTENER =
  "process.on('message', (order) => { globalThis.tokenAssaySite = order.site }); // before the listener below\n"

/** Copies the sources to a temporary folder, with a switch at every place where the judge decides. */
export function copySuite(root: string): SuiteCopy {
  const folder = mkdtempSync(join(tmpdir(), 'token-assay-suite-'))
  for (const name of [...FOLDERS, 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const sites: JudgeSite[] = []
  const checks = join(folder, 'conformance/checks')
  const deciding = readdirSync(checks).filter((name) => !name.endsWith('.test.ts') && !WORDING.includes(name))
  for (const file of deciding) {
    const instrumented = instrument(file, readFileSync(join(checks, file), 'utf8'), sites.length)
    writeFileSync(join(checks, file), instrumented.text)
    sites.push(...instrumented.sites)
  }
  const worker = join(folder, 'cli/prove/worker.ts')
  writeFileSync(worker, LISTENER + readFileSync(worker, 'utf8'))
  return { worker, sites, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
