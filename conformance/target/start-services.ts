import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { AssayError } from '../../spec/model/assay-error.js'
import { groupBy } from '../../spec/model/items.js'
import { linesAtEnd } from '../exchange/whole-lines.js'
import type { Deployment, StartCommand } from './deployment.js'
import { withoutOurs } from './environment.js'
import { accepts } from './listening.js'
import { explainNotStarted, startProgram } from './not-started.js'
import { type ProcessTree, processTree, SYSTEM, type System, treeOptions } from './process-tree.js'

/** Keeps secrets out of what a service prints. */
interface OutputRedactor {
  output(text: string): string
}

/** What tests replace. */
export interface StartOptions {
  readonly system?: System
  readonly graceMs?: number
}

/** Services that the target file's `start` asked for. */
export interface StartedServices {
  stop(): Promise<void>
  /**
   * Stops the service of a deployment, and starts it again.
   * @throws AssayError `start-failed`
   */
  restart(deployment: string): Promise<void>
  /** How the service of a deployment ended by itself, and what it printed, in one line; undefined where it did not. */
  endOf(deployment: string): Promise<string | undefined>
}

const POLL_MS = 50
/** How long a service may take to stop before it is killed. */
const GRACE_MS = 5000
/** How long its child processes may take after that. */
const AFTERMATH_MS = 500
const KEPT_OUTPUT = 65_536
const SHOWN_OUTPUT = 2000

/**
 * Starts every service that a deployment declares, once each, and waits until its base URL accepts connections.
 * @throws AssayError `start-failed`, after stopping what was started
 */
export async function startServices(
  deployments: readonly Deployment[],
  redactor: OutputRedactor,
  signal: AbortSignal,
  options: StartOptions = {},
): Promise<StartedServices> {
  const running: StartedService[] = []
  const byDeployment = new Map<string, StartedService>()
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop()))
  }
  try {
    // One that several deployments declare alike is started once.
    const starts = groupBy(
      deployments,
      ({ start }) => start && JSON.stringify([start.command, start.env, start.cwd]),
    )
    for (const own of starts.values()) {
      const start = own[0]?.start
      if (start === undefined) continue
      for (const deployment of own) await refuseTaken(deployment)
      const service = new StartedService(start, redactor, options)
      running.push(service)
      for (const deployment of own) {
        byDeployment.set(deployment.name, service)
        await service.ready(deployment, signal)
      }
    }
  } catch (error) {
    await stop()
    throw error
  }
  const restart = async (name: string): Promise<void> => {
    const before = byDeployment.get(name)
    const own = deployments.filter((deployment) => byDeployment.get(deployment.name) === before)
    const start = own[0]?.start
    if (before === undefined || start === undefined) throw new TypeError(`${name} was not started`)
    await before.stop()
    const service = new StartedService(start, redactor, options)
    running.splice(running.indexOf(before), 1, service)
    for (const deployment of own) {
      byDeployment.set(deployment.name, service)
      await service.ready(deployment, signal)
    }
  }
  return { stop, restart, endOf: async (deployment) => byDeployment.get(deployment)?.end() }
}

class StartedService {
  readonly #start: StartCommand
  readonly #redactor: OutputRedactor
  readonly #child: ChildProcess
  readonly #tree: ProcessTree
  readonly #graceMs: number
  readonly #ended: Promise<void>
  readonly #closed: Promise<unknown>
  #end: string | undefined
  #output = ''

  constructor(
    start: StartCommand,
    redactor: OutputRedactor,
    { system = SYSTEM, graceMs = GRACE_MS }: StartOptions,
  ) {
    this.#start = start
    this.#redactor = redactor
    this.#graceMs = graceMs
    const [command = '', ...args] = start.command
    const { cwd } = start
    const options = { cwd, env: { ...withoutOurs(process.env), ...start.env }, ...treeOptions(system) }
    const failed = (why: string): AssayError =>
      new AssayError('start-failed', redactor.output(`the service \`${command}\` ${why}`))
    this.#child = startProgram(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }, failed)
    this.#tree = processTree(this.#child, system)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        // One more than is kept, so that it shows that there was more.
        this.#output = (this.#output + chunk).slice(-KEPT_OUTPUT - 1)
      })
    }
    this.#ended = new Promise((resolve) => {
      const ended = (how: string): void => {
        this.#end ??= how
        resolve()
      }
      this.#child.once('error', (error) => ended(explainNotStarted(error, command, start.cwd)))
      this.#child.once('exit', (code, by) => ended(`ended with ${by ?? `exit code ${code}`}`))
    })
    this.#closed = new Promise((resolve) => this.#child.once('close', resolve))
    process.once('exit', this.#kill)
  }

  /** Resolves once the base URL accepts connections. */
  async ready({ baseUrl, shownBaseUrl }: Deployment, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.#start.readyTimeoutMs
    while (!signal.aborted) {
      if (this.#end !== undefined) throw await this.#failed(this.#end)
      if (await accepts(baseUrl)) return
      if (performance.now() > deadline)
        throw await this.#failed(
          `did not listen at ${shownBaseUrl} in ${this.#start.readyTimeoutMs / 1000} s`,
        )
      await within(POLL_MS, this.#ended)
    }
  }

  async end(): Promise<string | undefined> {
    // It closes its connections a moment before it ends.
    await within(AFTERMATH_MS, this.#ended)
    return this.#end === undefined ? undefined : (await this.#failed(this.#end)).message
  }

  async stop(): Promise<void> {
    this.#tree.signal('SIGTERM')
    await within(this.#graceMs, this.#ended)
    // A shell ends before what it started does.
    const deadline = performance.now() + AFTERMATH_MS
    while (this.#end !== undefined && this.#tree.signal(0) && performance.now() < deadline)
      await pause(POLL_MS)
    this.#kill()
    // What cannot be killed is not waited for, nor does it keep this process.
    await within(AFTERMATH_MS, this.#ended)
    if (this.#end === undefined) this.#abandon()
    process.off('exit', this.#kill)
  }

  readonly #kill = (): void => void this.#tree.signal('SIGKILL')

  #abandon(): void {
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
    this.#child.unref()
  }

  async #failed(what: string): Promise<AssayError> {
    // The exit is known before the last output has been read; a child process may hold the pipe for ever.
    if (this.#end !== undefined) await within(AFTERMATH_MS, this.#closed)
    // Redacted before it is cut: half a password is not found.
    const whole = linesAtEnd(this.#output, KEPT_OUTPUT)
    const output = inOneLine(this.#redactor.output(whole))
    const nothing = `; it ${this.#end === undefined ? 'is running, and ' : ''}printed nothing`
    const silent = this.#output.trim() === '' ? nothing : ''
    const printed = output === '' ? silent : `; it printed: ${output}`
    const command = this.#redactor.output(this.#start.command[0] ?? '')
    return new AssayError(
      'start-failed',
      `the service \`${command}\` ${this.#redactor.output(what)}${printed}`,
    )
  }
}

/** Formats show a reason in many places. Lines without a word, and those of a stack, say nothing of the cause. */
function inOneLine(output: string): string {
  const lines = output.split(/\r?\n/).map((line) => line.trim().replace(/[^\P{C}\t]/gu, '?'))
  const telling = lines.filter((line) => /\p{L}/u.test(line) && !/^at /.test(line)).join('\n')
  return (linesAtEnd(telling, SHOWN_OUTPUT) || telling.slice(-SHOWN_OUTPUT)).replaceAll('\n', ' | ')
}

/** A process that already listens there would be assessed in place of the service. */
async function refuseTaken({ baseUrl, shownBaseUrl }: Deployment): Promise<void> {
  if (await accepts(baseUrl))
    throw new AssayError(
      'start-failed',
      `another service already listens at ${shownBaseUrl}: stop it, or remove \`start\` from the target`,
    )
}

/** Resolves when it has ended, or after so long. */
function within(ms: number, ended: Promise<unknown>): Promise<unknown> {
  return Promise.race([ended, pause(ms, undefined, { ref: false })])
}
