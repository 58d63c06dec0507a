import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const ROOT = at('../../..')
const USAGE = at('../subjects/usage.cjs')

export const COMMAND = at('../../../dist/cli/main.js')

/** What a process has used so far, as `usage.cjs` tells it. */
export interface Usage {
  readonly cpuMs: number
  readonly peakBytes: number
  /** The resident set. */
  readonly rss: number
  /** The live heap; under `--expose-gc`, after a garbage collection. */
  readonly heapUsed: number
  readonly connections: number
}

/** The cost of a process from its start to its end. */
export type Cost = Pick<Usage, 'cpuMs' | 'peakBytes' | 'connections'> & { readonly wallMs: number }

/** Runs Node with these arguments to its end. @throws Error where it ends with another exit code: nothing was measured */
export async function runChild(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'token-assay-bench-'))
  const file = join(folder, 'usage.json')
  // With more certificates to read, Node 20 takes three times as long to start, and every ratio to that would be small.
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env
  const options = { cwd: folder, env: { ...own, NODE_OPTIONS: '', NO_COLOR: '1', BENCH_USAGE: file, ...env } }
  try {
    const began = performance.now()
    await promisify(execFile)(process.execPath, ['--require', USAGE, ...args], options)
    const wallMs = performance.now() - began
    return { ...JSON.parse(readFileSync(file, 'utf8')), wallMs }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A server in a process of its own, so that its memory and its CPU time can be measured. */
export interface ServerChild extends AsyncDisposable {
  /** The first line that it prints. */
  readonly url: string
  nextLine(): Promise<string>
  usage(): Promise<Usage>
  /** What it has written to standard error so far. */
  complaints(): string
  /** Stops it by SIGTERM. Resolves with its exit code or signal. */
  stop(): Promise<number | NodeJS.Signals>
}

/** Runs Node with these arguments. @throws Error with its output when it ends before it listens */
export async function startServer(...args: readonly string[]): Promise<ServerChild> {
  const child = spawn(process.execPath, ['--require', USAGE, ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  const lines = createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`the server ended (${await ended}): ${complaints}`)
    return value
  }
  const stop = (): Promise<number | NodeJS.Signals> => {
    child.kill('SIGTERM')
    return ended
  }
  return {
    url: await nextLine(),
    nextLine,
    async usage() {
      child.send('usage')
      const [answer] = await once(child, 'message')
      return answer
    },
    complaints: () => complaints,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}

/** A file of `tools/bench/subjects`. */
export function subject(name: string): string {
  return at(`../subjects/${name}`)
}

/** `token-assay serve`, from its sources, on a free port. @param config as in `server.yaml` */
export async function startServeCommand(config: object): Promise<ServerChild> {
  const folder = mkdtempSync(join(tmpdir(), 'token-assay-serve-'))
  const file = join(folder, 'server.json')
  writeFileSync(file, JSON.stringify({ ...config, port: 0 }))
  const tsx = import.meta.resolve('tsx')
  try {
    return await startServer(
      '--expose-gc',
      '--import',
      tsx,
      at('../../../cli/main.ts'),
      'serve',
      '--config',
      file,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
