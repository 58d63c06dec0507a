import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const USAGE = fileURLToPath(new URL('../subjects/usage.cjs', import.meta.url))

/** The built command. */
export const COMMAND = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** A file of `tools/bench/subjects`. */
export function subject(name: string): string {
  return fileURLToPath(new URL(`../subjects/${name}`, import.meta.url))
}

/** The cost of a process from its start to its end. */
export interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakBytes: number
  /** Connections that it opened. */
  readonly connections: number
  readonly stdout: string
}

export interface ChildOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs Node with these arguments to its end. @throws Error where it ends with another exit code: nothing was measured */
export async function runChild(args: readonly string[], options: ChildOptions = {}): Promise<Cost> {
  const began = performance.now()
  const { stdout, usage } = await run(['--require', USAGE, ...args], options)
  const wallMs = performance.now() - began
  const { cpuMicroseconds, peakBytes, connections } = JSON.parse(usage)
  return {
    wallMs,
    cpuMs: Number(cpuMicroseconds) / 1000,
    peakBytes: Number(peakBytes),
    connections: Number(connections),
    stdout,
  }
}

function run(
  args: readonly string[],
  { cwd = ROOT, env = {} }: ChildOptions,
): Promise<{ readonly stdout: string; readonly usage: string }> {
  return new Promise((resolve, reject) => {
    // With more certificates to read, Node 20 takes three times as long to start, and every ratio to that would be small.
    const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...own, NODE_OPTIONS: '', NO_COLOR: '1', BENCH_USAGE: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    const texts = ['', '', '']
    for (const [index, stream] of [child.stdout, child.stderr, child.stdio[3]].entries())
      stream?.on('data', (chunk) => {
        texts[index] += chunk
      })
    child.once('error', reject)
    child.once('close', (exitCode) => {
      const [stdout = '', stderr = '', usage = ''] = texts
      if (exitCode === 0) resolve({ stdout, usage })
      else reject(new Error(`node ${args.join(' ')} ended with ${exitCode}: ${stderr.slice(-2000)}`))
    })
  })
}
