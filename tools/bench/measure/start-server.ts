import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MemoryUse } from './memory-probe.js'
import { subject } from './run-child.js'
import { type ServerChild, startServerChild } from './server-child.js'

const MAIN = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))
const PROBE = new URL('memory-probe.ts', import.meta.url).href
const TSX = import.meta.resolve('tsx')

/** The cost of a server so far, and the requests that it has counted. */
export interface ServerUsage {
  readonly cpuMicroseconds: number
  readonly rssBytes: number
  readonly requests?: number
  readonly connections?: number
}

export interface MeasuredServer extends ServerChild {
  usage(): Promise<ServerUsage>
}

/** Starts a file of `tools/bench/subjects` that reports its URL by a message. */
export async function startServer(file: string, ...args: readonly string[]): Promise<MeasuredServer> {
  const child = await startServerChild(['--require', subject('usage.cjs'), subject(file), ...args])
  // What `usage.cjs` sends.
  return { ...child, usage: async () => (await child.ask('usage')) as ServerUsage }
}

export interface ServeCommand extends ServerChild {
  readonly port: number
  /** Where its configuration asked for a control plane. */
  controlPort(): number
  memory(): Promise<MemoryUse>
}

/**
 * `token-assay serve` on a free port.
 * @param config as in `server.yaml`
 */
export async function startServeCommand(config: object): Promise<ServeCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'token-assay-serve-'))
  const file = join(folder, 'server.json')
  writeFileSync(file, JSON.stringify({ ...config, port: 0 }))
  const portFile = join(folder, 'control-port')
  const files = ['--config', file, ...('control' in config ? ['--control-port-file', portFile] : [])]
  const args = ['--expose-gc', '--import', TSX, '--import', PROBE, MAIN, 'serve', ...files]
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const child = await startServerChild(args).catch((error: unknown) => {
    remove()
    throw error
  })
  const stop = (): Promise<number | NodeJS.Signals> => child.stop().finally(remove)
  return {
    ...child,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
    port: Number(new URL(child.url).port),
    controlPort: () => Number(readFileSync(portFile, 'utf8')),
    // What `memory-probe.ts` sends.
    memory: async () => (await child.ask('memory')) as MemoryUse,
  }
}
