import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { AssayError } from '../spec/assay-error.js'
import type { Deployment, StartCommand, Target } from './deployment.js'
import type { Redactor } from './redact.js'

/** Services that the target file's `start` asked for. */
export interface StartedServices {
  stop(): Promise<void>
}

const POLL_MS = 50
/** What a service may take to stop before it is killed. */
const GRACE_MS = 5000
const KEPT_OUTPUT = 2000

/**
 * Starts every service that a deployment declares, once each, and waits until its base URL accepts connections.
 * @throws AssayError `start-failed`, after stopping what was started
 */
export async function startServices(
  target: Target,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<StartedServices> {
  const running: Service[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop()))
  }
  try {
    for (const [start, deployments] of distinctStarts(target)) {
      const service = new Service(start, redactor)
      running.push(service)
      for (const { baseUrl } of deployments) await service.ready(baseUrl, signal)
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

class Service {
  readonly #start: StartCommand
  readonly #redactor: Redactor
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #end: string | undefined
  #output = ''

  constructor(start: StartCommand, redactor: Redactor) {
    this.#start = start
    this.#redactor = redactor
    const [command = '', ...args] = start.command
    this.#child = spawn(command, args, {
      cwd: start.cwd,
      env: { ...process.env, ...start.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it starts is stopped with it.
      detached: true,
    })
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-KEPT_OUTPUT)
    }
    this.#child.stdout?.on('data', keep)
    this.#child.stderr?.on('data', keep)
    this.#ended = new Promise((resolve) => {
      const ended = (how: string): void => {
        this.#end ??= how
        resolve()
      }
      this.#child.once('error', (error) => ended(`could not be started: ${error.message}`))
      this.#child.once('exit', (code, by) => ended(`ended with ${by ?? `exit code ${code}`}`))
    })
    process.once('exit', this.#kill)
  }

  /** Resolves once somebody listens at the base URL. */
  async ready(baseUrl: string, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.#start.readyTimeoutMs
    while (!signal.aborted) {
      if (this.#end !== undefined) throw this.#failed(this.#end)
      if (await accepts(baseUrl)) return
      if (performance.now() > deadline)
        throw this.#failed(`did not listen at ${baseUrl} within ${this.#start.readyTimeoutMs} ms`)
      await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, POLL_MS))])
    }
  }

  async stop(): Promise<void> {
    process.off('exit', this.#kill)
    if (this.#end !== undefined) return
    this.#signal('SIGTERM')
    const timer = setTimeout(this.#kill, GRACE_MS)
    await this.#ended
    clearTimeout(timer)
  }

  readonly #kill = (): void => this.#signal('SIGKILL')

  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, name)
    } catch {
      // It has ended already.
    }
  }

  #failed(what: string): AssayError {
    const output = this.#redactor.text(this.#output.trim())
    const said = output === '' ? '' : `\nIt printed:\n${output.replace(/[^\P{C}\n\t]/gu, '?')}`
    return new AssayError('start-failed', `the service \`${this.#start.command[0]}\` ${what}${said}`)
  }
}

function distinctStarts(target: Target): Iterable<readonly [StartCommand, readonly Deployment[]]> {
  const groups = new Map<string, [StartCommand, Deployment[]]>()
  for (const deployment of target.deployments) {
    const { start } = deployment
    if (start === undefined) continue
    const key = JSON.stringify([start.command, start.env, start.cwd])
    const group = groups.get(key) ?? [start, []]
    group[1].push(deployment)
    groups.set(key, group)
  }
  return groups.values()
}

function accepts(baseUrl: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: 1000,
    })
    const done = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('timeout', () => done(false))
  })
}
