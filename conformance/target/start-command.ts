import { resolve } from 'node:path'
import type { StartCommand } from './deployment.js'
import type { TargetSettings } from './target-input.js'

/** @param folder in which the command is run */
export function startCommand(start: NonNullable<TargetSettings['start']>, folder: string): StartCommand {
  return { env: {}, readyTimeoutMs: 30_000, ...start, cwd: resolve(folder) }
}
