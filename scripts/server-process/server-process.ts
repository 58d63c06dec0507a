import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Memory } from './memory-probe.js'

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
const PROBE = new URL('memory-probe.ts', import.meta.url).href
const TSX = import.meta.resolve('tsx')

/** `token-assay serve` in a process of its own: its memory and its time are nobody else's. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly port: number
  memory(): Promise<Memory>
  /** What it wrote to standard error so far. */
  complaints(): string
  /** Stops it, as an operator does. Fulfilled with what it ended by: an exit code, or a signal. */
  stop(): Promise<number | NodeJS.Signals>
}

/**
 * Starts it on a free port.
 * @param config as in `server.yaml`
 * @throws Error with what it says, when it does not start
 */
export async function startServerProcess(config: object): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'token-assay-serve-'))
  const file = join(folder, 'server.json')
  writeFileSync(file, JSON.stringify({ ...config, port: 0 }))
  const args = ['--expose-gc', '--import', TSX, '--import', PROBE, MAIN, 'serve', '--config', file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1))
  })
  let said = ''
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const listening = new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('\n')) resolve()
    })
    void ended.then((end) => reject(new Error(`the server ended (${end}): ${complaints}`)))
  })
  const stop = async (): Promise<number | NodeJS.Signals> => {
    child.kill('SIGTERM')
    const end = await ended
    rmSync(folder, { recursive: true, force: true })
    return end
  }
  await listening.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  let asked: Promise<unknown> = Promise.resolve()
  const url = said.split('\n', 1)[0] ?? ''
  return {
    url,
    port: Number(new URL(url).port),
    memory() {
      // One at a time, so that no answer is taken for another.
      const told = asked.then(async (): Promise<Memory> => {
        child.send('memory')
        const [memory] = await Promise.race([once(child, 'message'), ended.then(() => [])])
        if (memory === undefined) throw new Error(`the server has ended: ${complaints}`)
        return memory
      })
      asked = told.catch(() => undefined)
      return told
    },
    complaints: () => complaints,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}
