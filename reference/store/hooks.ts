import type { Json } from '../../spec/model/json.js'
import { ControlError } from '../control-error.js'
import type { Answer } from '../http/answer.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { readControlInput } from '../input/read-control-input.js'
import { matches, refuseOwnHeaders } from './faults.js'
import type {
  ActiveHook,
  AnswerChange,
  Hook,
  HookAnswer,
  HookFunction,
  HookLimits,
  HookMatch,
  Hooks,
} from './hook.js'
import { createLimitedList } from './limited-list.js'

/** What hooks have made of an answer, and which. */
export interface Rewritten {
  readonly hooks: readonly string[]
  /** `failed`: one threw, or gave what is no answer. */
  readonly outcome: { readonly answer: Answer } | { readonly failed: unknown }
}

export interface RewritingHooks extends Hooks {
  respond(match: HookMatch, change: AnswerChange | HookFunction, limits?: HookLimits): ActiveHook
  /** `undefined`: none meets this answer. Counts those that do. */
  rewrite(answer: Answer, request: ReceivedRequest): Promise<Rewritten> | undefined
}

const longestChange = 65_536

type KeptHook = Omit<ActiveHook, 'id' | 'hits'> & { readonly apply: HookFunction }

export function createHooks(): RewritingHooks {
  const { list, add, remove, clear, meet } = createLimitedList<KeptHook>('hooks')
  return {
    respond(match, change, limits = {}) {
      const isFunction = typeof change === 'function'
      // No function is valid data: what stands for it changes nothing.
      const { change: data, ...hook } = readHook({ match, ...limits, change: isFunction ? {} : change })
      return viewOf(
        add(
          isFunction
            ? { ...hook, apply: change }
            : { ...hook, change: data, apply: (answer) => changed(answer, data) },
        ),
      )
    },
    list: () => list().map(viewOf),
    remove,
    clear,
    rewrite(answer, request) {
      const met = meet(({ match: { status = answer.status, ...others } = {} }) => {
        return status === answer.status && matches(others, request)
      })
      return met.length === 0 ? undefined : apply(met, answer, request)
    },
  }
}

function viewOf({ apply: _, ...hook }: ActiveHook & KeptHook): ActiveHook {
  return hook
}

/** @throws ControlError `bad-request` naming what is wrong */
function readHook(given: unknown): Hook {
  const hook = readControlInput<Hook>('hook', given)
  const { set, remove, body, headers = {} } = hook.change
  if (body !== undefined && (set !== undefined || remove !== undefined))
    throw new ControlError('bad-request', 'expected hook.change to have a body, or set and remove, not both')
  refuseOwnHeaders('hook.change.headers', headers)
  const json = jsonOf(hook.change)
  if (json !== undefined && json.length <= longestChange) return { ...hook, change: JSON.parse(json) }
  throw new ControlError(
    'bad-request',
    `expected hook.change to be JSON of at most ${longestChange} characters`,
  )
}

/** A program may give what is no JSON. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

async function apply(
  met: readonly (readonly [string, KeptHook])[],
  answer: Answer,
  request: ReceivedRequest,
): Promise<Rewritten> {
  const hooks = met.map(([id]) => id)
  const asked = {
    method: request.method,
    path: request.path,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    ),
    body: Buffer.from(request.body).toString(),
  }
  try {
    let current = shownOf(answer)
    for (const [, kept] of met) current = { ...(await kept.apply(current, asked)) }
    return { hooks, outcome: { answer: answerOf(current) } }
  } catch (failed) {
    return { hooks, outcome: { failed } }
  }
}

function shownOf({ status, headers, body }: Answer): HookAnswer {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return { status, headers: Object.fromEntries(headers), body: parsed(text) }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @throws ControlError `bad-request` for what a function gave and is no answer */
function answerOf({ status, headers, body }: HookAnswer): Answer {
  const read = readControlInput<Pick<HookAnswer, 'status' | 'headers'>>('hookAnswer', { status, headers })
  refuseOwnHeaders('hookAnswer.headers', read.headers)
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : jsonOf(body)
  if (sent === undefined)
    throw new ControlError('bad-request', 'expected hookAnswer.body to be a text, bytes or JSON')
  return { status: read.status, headers: Object.entries(read.headers), body: sent }
}

function changed(
  answer: HookAnswer,
  { status, headers = {}, set, remove = [], body }: AnswerChange,
): HookAnswer {
  return {
    status: status ?? answer.status,
    headers: changedHeaders(answer.headers, headers),
    body: body === undefined ? changedMembers(answer.body, set ?? {}, remove) : body,
  }
}

/** Names are one in any case; one that is there keeps its place. */
function changedHeaders(
  headers: HookAnswer['headers'],
  changes: NonNullable<AnswerChange['headers']>,
): HookAnswer['headers'] {
  const replaced = new Set(Object.keys(changes).map((name) => name.toLowerCase()))
  return Object.fromEntries([
    ...Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase())),
    ...Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  ])
}

/** What is no object has no members. */
function changedMembers(
  body: HookAnswer['body'],
  set: NonNullable<AnswerChange['set']>,
  remove: readonly string[],
): HookAnswer['body'] {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof Uint8Array)
    return body
  const members = new Map<string, Json>([...Object.entries(body), ...Object.entries(set)] as [string, Json][])
  for (const name of remove) members.delete(name)
  return Object.fromEntries(members)
}
