import type { Json } from '../../spec/model/json.js'
import type { FaultMatch } from './fault.js'

/** An answer, as a hook is given it and gives it back. */
export interface HookAnswer {
  readonly status: number
  /** Without those that frame and date it, which are the server's. */
  readonly headers: Readonly<Record<string, string>>
  /** What is JSON has been read. A text is sent as it is, bytes too, all else as JSON. */
  readonly body: Json | Uint8Array
}

/** The request that is being answered. */
export interface HookRequest {
  readonly method: string
  /** Raw, without the query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Makes one answer of another; what it throws is answered 500, and `hook-failed` in the journal. */
export type HookFunction = (answer: HookAnswer, request: HookRequest) => HookAnswer | Promise<HookAnswer>

/** The same as data. */
export interface AnswerChange {
  readonly status?: number
  /** `null` takes a header away. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Members of the body, where that is a JSON object; new ones come last. */
  readonly set?: Readonly<Record<string, Json>>
  readonly remove?: readonly string[]
  /** In place of the whole body. A text is sent as it is, all else as JSON. */
  readonly body?: Json
}

/** Which answers; all that is said must be true. A CORS preflight is met only where `method` is `OPTIONS`. */
export interface HookMatch extends FaultMatch {
  /** Of the service's answer. */
  readonly status?: number
}

export interface HookLimits {
  /** For so many answers, then never again. Default: until it is removed. */
  readonly times?: number
  /** So many matching answers are let through first. Default 0. */
  readonly after?: number
}

/** What a program in another process asks for. */
export interface Hook extends HookLimits {
  readonly match?: HookMatch
  readonly change: AnswerChange
}

/** A hook that has been added. */
export interface ActiveHook extends HookLimits {
  readonly id: string
  readonly match?: HookMatch
  /** Absent where it is a function. */
  readonly change?: AnswerChange
  /** How many answers it has met. */
  readonly hits: number
}

/** The hooks of one store, in the order in which they were added. */
export interface Hooks {
  list(): readonly ActiveHook[]
  /** Whether there was one. */
  remove(id: string): boolean
  clear(): void
}
