import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { AssayError } from '../../spec/assay-error.js'
import type { Deployment, StartCommand } from '../deployment.js'
import type { Redactor } from '../evidence/redact.js'

/** Services that the target file's `start` asked for. */
export interface StartedServices {
  stop(): Promise<void>
}

const POLL_MS = 50
/** What a service may take to stop before it is killed. */
const GRACE_MS = 5000
/** What its children may take after that, and how often they are looked for. */
const AFTERMATH_MS = 500
const KEPT_OUTPUT = 65_536
const SHOWN_OUTPUT = 2000

/**
 * Starts every service that a deployment declares, once each, and waits until its base URL accepts connections.
 * @throws AssayError `start-failed`, after stopping what was started
 */
export async function startServices(
  deployments: readonly Deployment[],
  redactor: Redactor,
  signal: AbortSignal,
): Promise<StartedServices> {
  const running: Service[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop()))
  }
  try {
    for (const [start, own] of distinctStarts(deployments)) {
      for (const { baseUrl } of own) await refuseTaken(baseUrl)
      const service = new Service(start, redactor)
      running.push(service)
      for (const { baseUrl } of own) await service.ready(baseUrl, signal)
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
  readonly #closed: Promise<unknown>
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
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output = (this.#output + chunk).slice(-KEPT_OUTPUT)
      })
    }
    this.#ended = new Promise((resolve) => {
      const ended = (how: string): void => {
        this.#end ??= how
        resolve()
      }
      this.#child.once('error', (error) => ended(`could not be started: ${error.message}`))
      this.#child.once('exit', (code, by) => ended(`ended with ${by ?? `exit code ${code}`}`))
    })
    this.#closed = new Promise((resolve) => this.#child.once('close', resolve))
    process.once('exit', this.#kill)
  }

  /** Resolves once somebody listens at the base URL. */
  async ready(baseUrl: string, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.#start.readyTimeoutMs
    while (!signal.aborted) {
      if (this.#end !== undefined) throw await this.#failed(this.#end)
      if (await accepts(baseUrl)) return
      if (performance.now() > deadline)
        throw await this.#failed(`did not listen at ${baseUrl} within ${this.#start.readyTimeoutMs} ms`)
      await Promise.race([this.#ended, pause()])
    }
  }

  async stop(): Promise<void> {
    this.#signal('SIGTERM')
    const timer = setTimeout(this.#kill, GRACE_MS)
    await this.#ended
    clearTimeout(timer)
    // A shell ends before what it started does.
    const deadline = performance.now() + AFTERMATH_MS
    while (this.#signal(0) && performance.now() < deadline) await pause()
    this.#kill()
    process.off('exit', this.#kill)
  }

  readonly #kill = (): void => void this.#signal('SIGKILL')

  /** To the whole group. @returns whether there is still somebody in it; `0` only asks */
  #signal(name: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child
    if (pid === undefined) return false
    try {
      return process.kill(-pid, name)
    } catch {
      return false
    }
  }

  async #failed(what: string): Promise<AssayError> {
    // The end is known before the last words have been read; a child of its own may hold the pipe for ever.
    if (this.#end !== undefined) await Promise.race([this.#closed, pause(AFTERMATH_MS)])
    // Redacted before it is cut: half a password is not found.
    const output = this.#redactor.text(this.#output).trim().slice(-SHOWN_OUTPUT)
    const said = output === '' ? '' : `\nIt printed:\n${output.replace(/[^\P{C}\n\t]/gu, '?')}`
    return new AssayError('start-failed', `the service \`${this.#start.command[0]}\` ${what}${said}`)
  }
}

/** Whoever listens there already would be assessed in the service's place. */
async function refuseTaken(baseUrl: string): Promise<void> {
  if (await accepts(baseUrl))
    throw new AssayError(
      'start-failed',
      `somebody listens at ${baseUrl} already: stop that service, or take \`start\` out of the target`,
    )
}

function pause(ms = POLL_MS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function distinctStarts(
  all: readonly Deployment[],
): Iterable<readonly [StartCommand, readonly Deployment[]]> {
  const groups = new Map<string, [StartCommand, Deployment[]]>()
  for (const deployment of all) {
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
