import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from './run-child.js'

/**
 * Runs Node with these arguments to its end.
 * @param work a folder for files
 * @returns milliseconds of CPU of that process and of all Node processes that it forked: each writes down its own as it ends
 * @throws Error where it ends with another exit code than 0: nothing was measured
 */
export async function cpuOfAll(args: readonly string[], work: string): Promise<number> {
  const folder = mkdtempSync(join(work, 'usage-'))
  // Ends when the last of them has closed its standard error.
  await runChild(args, { env: { BENCH_USAGE_FOLDER: folder } })
  return readdirSync(folder).reduce((sum, name) => {
    const { cpuMicroseconds } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return sum + Number(cpuMicroseconds) / 1000
  }, 0)
}
