import { type Action, play, type Received } from './play.js'
import type { Script } from './script.js'

/** The parts of Artillery that its HTTP engine gives to a processor: https://www.artillery.io/docs/reference/extension-apis */
interface Events {
  readonly emit: (kind: 'counter', name: string, count: number) => unknown
  readonly on: (
    name: 'trace:http:response',
    listener: (response: Incoming, uuid: string | undefined) => void,
  ) => unknown
}

/** Node's response. */
interface Incoming {
  readonly statusCode: number
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly on: (event: 'data', listener: (chunk: Uint8Array) => void) => unknown
}

interface Parameters {
  readonly uuid: string
  [option: string]: unknown
}

/** A virtual user, as it goes from hook to hook. */
interface VirtualUser {
  [STATE]?: State
}

interface State {
  readonly actions: ReturnType<typeof play>
  next: IteratorResult<Action, void>
  body: readonly Uint8Array[]
}

const STATE = Symbol('token-assay')

/** What Node has and other engines do not. */
export interface NodeParts {
  readonly concat: (chunks: readonly Uint8Array[]) => Uint8Array
  readonly bytes: (text: string) => Uint8Array
  readonly wait: (ms: number) => Promise<void>
}

/** The hooks of an Artillery processor. @param read throws where a variable is not set */
export function processorOf(read: () => Script, node: NodeParts) {
  let script: Script | undefined
  // Each process of a test starts elsewhere, so that all inputs are sent in time.
  let turn = Math.floor(Math.random() * 1000)
  const pending = new Map<unknown, State>()
  const heard = new WeakSet<Events>()

  /** Artillery joins a body as text, where what is no UTF-8 is lost: its bytes are kept as they come. */
  const listen = (events: Events): void => {
    if (heard.has(events)) return
    heard.add(events)
    events.on('trace:http:response', (response, uuid) => {
      const state = pending.get(uuid)
      pending.delete(uuid)
      if (state === undefined) return
      const chunks: Uint8Array[] = []
      state.body = chunks
      response.on('data', (chunk) => chunks.push(chunk))
    })
  }

  const stateOf = (user: VirtualUser): State => {
    const state = user[STATE]
    if (state === undefined) throw new TypeError('the function `begin` comes before the requests of a turn')
    return state
  }

  const proceed = async (state: State, received: Received): Promise<void> => {
    state.next = state.actions.next(received)
    while (state.next.done !== true && 'waitMs' in state.next.value) {
      await node.wait(state.next.value.waitMs)
      state.next = state.actions.next(undefined)
    }
  }

  return {
    /** Before the requests of a turn. */
    begin: async (user: VirtualUser, events: Events): Promise<void> => {
      script ??= read()
      listen(events)
      const actions = play(script, turn++, user[STATE] === undefined, (name, passed) => {
        // Both are counted from the first check on: a condition on a counter that is not there would fail.
        events.emit('counter', 'token_assay.passed', passed ? 1 : 0)
        events.emit('counter', 'token_assay.failed', passed ? 0 : 1)
        if (!passed) events.emit('counter', `failed_check.${name}`, 1)
      })
      const state: State = { actions, next: { done: true, value: undefined }, body: [] }
      user[STATE] = state
      await proceed(state, undefined)
    },
    /** Before a request. */
    prepare: async (parameters: Parameters, user: VirtualUser): Promise<void> => {
      const state = stateOf(user)
      if (state.next.done === true || 'waitMs' in state.next.value)
        throw new TypeError('the function `more` comes after each request')
      const { url, method, headers, body, name, timeoutMs } = state.next.value.request
      state.body = []
      pending.set(parameters.uuid, state)
      Object.assign(parameters, { url, method, headers: { ...headers }, name, timeout: timeoutMs })
      // Bytes: in a text `{{` would be read as a template.
      if (body !== null) parameters.body = node.bytes(body)
      // Each request is one of its own.
      delete parameters.cookieJar
    },
    /** After an answer. */
    judge: async (_: Parameters, { statusCode, rawHeaders }: Incoming, user: VirtualUser): Promise<void> => {
      const state = stateOf(user)
      const headers: [string, string][] = []
      for (let at = 0; at < rawHeaders.length; at += 2)
        headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
      await proceed(state, { status: statusCode, headers, body: node.concat(state.body) })
    },
    /** Whether a request is left in this turn. */
    more: (user: VirtualUser, done: (more: boolean) => void): void => done(stateOf(user).next.done !== true),
    /** Where no answer came, which ends the virtual user. */
    lost: (_: unknown, { uuid }: Parameters, __: VirtualUser, events: Events, done: () => void): void => {
      pending.delete(uuid)
      events.emit('counter', 'token_assay.failed', 1)
      events.emit('counter', 'failed_check.answered', 1)
      done()
    },
  }
}
