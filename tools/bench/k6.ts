import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMMAND, startServer, subject } from './measure/child.js'
import type { Group } from './measure/statistics.js'

const DELAY_MS = 100
const USERS = 50
const SECONDS = 60
const env = { ...process.env, TOKEN_ASSAY_PASSWORD: 'Correct-horse-1' }

/**
 * Exported scripts in the real k6, whose file the variable K6 names: the requests that the delay of each answer allows its
 * users, compared with those that they made. A first iteration waits beside that, so it is short of 1.
 * @param work a folder for the scripts
 */
export async function measureK6(work: string): Promise<Group> {
  const { K6 } = process.env
  if (K6 === undefined) throw new Error('bench: set K6 to the file of k6')
  await using service = await startServer(subject('reference-server.js'))
  const relay = [new URL(service.url).port, JSON.stringify({ delayMs: DELAY_MS })]
  await using slow = await startServer(subject('relay-server.js'), ...relay)
  const ratios: Record<string, number> = {}
  const figures: Record<string, { readonly wallMs: number }[]> = {}
  for (const sample of ['1', '10']) {
    const script = join(work, `sample-${sample}.js`)
    const target = [slow.url, '--user-name', 'alice', '--sample', sample, '--out', script]
    await promisify(execFile)(process.execPath, [COMMAND, 'export', 'k6', ...target], { env })
    const load = ['--vus', String(USERS), '--duration', `${SECONDS}s`, '--no-color', '--address', '']
    const began = performance.now()
    const { stdout } = await promisify(execFile)(K6, ['run', '--no-usage-report', ...load, script], { env })
    const wallMs = performance.now() - began
    const [, requests] = /http_reqs\.*: (\d+)/.exec(stdout) ?? []
    figures[`one in ${sample} judged`] = [{ wallMs }]
    ratios[`k6/${sample}/allowed-ratio`] = (USERS * wallMs) / DELAY_MS / Number(requests)
  }
  return { figures, ratios }
}
