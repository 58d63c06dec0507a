import type { Differential, Finding } from '../../../../spec/generated/types/differential.js'
import { AssayError } from '../../../../spec/model/assay-error.js'
import { inParallel } from '../../../../spec/model/items.js'
import type { TestedClient } from '../../../drivers/host/host-client.js'
import { PLAIN_LOGIN } from '../../../drivers/pair/probe.js'
import type { PairSide } from '../../../drivers/pair/service-pair.js'
import { SPENT } from '../../../drivers/pair/service-pair.js'
import { type Effect, effectOf } from '../../../judge/client/effect.js'
import { howItEnded } from '../../../judge/client/observed-sign-in.js'
import { whatControlsShow } from '../../client/controls.js'
import type { Comparer } from '../compare/comparer.js'
import { signIn, type TriedSignIn } from './sign-in.js'
import {
  NotServed,
  NotTried,
  type ServedAnswer,
  type ShownDifference,
  type Situation,
  situationOf,
} from './situation.js'
import { StandIns } from './stand-ins.js'

export interface ComparedClient {
  readonly name: string
  readonly version?: string
  readonly run: TestedClient
}

type TriedEffect = Effect & { readonly ended: string }

export type TriedClients = NonNullable<Finding['clients']>

const CALLS = 4
const NO_ANSWERS = 'its answers did not come again'
const WRONG = 'Wrong-1-password'
/** What every service may answer to wrong credentials. */
const REFUSAL: ServedAnswer = {
  status: 400,
  headers: [['Content-Type', 'application/json;charset=UTF-8']],
  body: Buffer.from('{"error":"invalid_grant"}'),
  truncated: false,
}

/** Lets each client meet what each finding shows, from both sides: whom does it break? */
export class ClientTrials {
  readonly #comparer: Comparer
  readonly #clients: readonly ComparedClient[]
  readonly #standIns: StandIns
  readonly #known = new Map<string, Promise<TriedSignIn>>()

  constructor(comparer: Comparer, clients: readonly ComparedClient[]) {
    this.#comparer = comparer
    this.#clients = clients
    const runs = Object.values(comparer.sides).map(({ run }) => run)
    this.#standIns = new StandIns(
      runs.flatMap(({ target }) =>
        target.secrets.flatMap(({ value, isOrdinary }) => (isOrdinary ? [] : value)),
      ),
    )
  }

  /** @returns the clients, and for each finding, in their order, whom it breaks */
  async of(findings: readonly (ShownDifference | undefined)[]): Promise<{
    readonly clients: NonNullable<Differential['clients']>
    readonly effects: readonly TriedClients[]
  }> {
    const plain = await this.#plainSituation()
    const obstacles = await inParallel(this.#clients, CALLS, (client) => this.#obstacle(client, plain))
    const able = this.#clients.filter((_, index) => obstacles[index] === undefined)
    const means = {
      plain: plain instanceof Error ? REFUSAL : plain.answers.old,
      standIns: this.#standIns,
      isClean: this.#isClean,
    }
    const situations = findings.map((shown) =>
      shown === undefined ? new NotServed(NO_ANSWERS) : orNotTried(() => situationOf(shown, means)),
    )
    const pairs = situations.flatMap((situation, index) =>
      situation instanceof NotTried ? [] : able.map((client) => ({ situation, client, index })),
    )
    const effects = await inParallel(pairs, CALLS, async ({ situation, client, index }) => ({
      index,
      client: client.name,
      ...(await this.#try(client, situation)),
    }))
    const isStopped = this.#signal.aborted
    return this.#comparer.redact({
      clients: this.#clients.map(({ name, version }, index) => ({
        name,
        ...(version === undefined ? {} : { version }),
        ...(obstacles[index] === undefined ? {} : { obstacle: obstacles[index] }),
      })),
      effects: situations.map((situation, index): TriedClients => {
        const reason = isStopped
          ? 'the comparison was stopped'
          : able.length === 0
            ? 'no client could be tried'
            : situation instanceof NotTried
              ? situation.message
              : undefined
        if (reason !== undefined)
          return { tried: 0, breaks: [], gains: [], inconclusive: [], notTried: reason }
        const of = (kind: Effect['kind']) =>
          effects
            .filter((one) => one.index === index && one.kind === kind)
            .map(({ client, how, ended }) => ({ client, how, ended }))
        return {
          tried: able.length,
          breaks: of('breaks'),
          gains: of('gains'),
          inconclusive: of('inconclusive'),
        }
      }),
    })
  }

  get #signal(): AbortSignal {
    return this.#comparer.sides.old.run.signal
  }

  /** The names of new accounts have the mark of the run, which is no secret. */
  readonly #isClean = (text: string): boolean => {
    const runs = Object.values(this.#comparer.sides).map(({ run }) => run)
    const bare = runs.reduce((left, { nonce }) => left.replaceAll(nonce, ''), text)
    return this.#comparer.redact(bare) === bare
  }

  async #plainSituation(): Promise<Situation | NotTried | NotServed> {
    const asked = await this.#comparer.sides.old.ask(PLAIN_LOGIN)
    if (asked === SPENT) return new NotServed('no more logins may fail')
    const discrepancy = {
      about: 'value',
      direction: 'neither',
      step: 0,
      differences: [],
      aspects: [],
    } as const
    const plain = orNotTried(() =>
      situationOf(
        { probe: PLAIN_LOGIN, discrepancy, pair: { old: asked, new: asked } },
        { plain: REFUSAL, standIns: this.#standIns, isClean: this.#isClean },
      ),
    )
    return 'unserved' in plain ? new NotServed(plain.unserved) : plain
  }

  /** Why a client cannot be tried: the old service's plain answer must sign it in, and a refusal must not. */
  async #obstacle(client: ComparedClient, plain: Situation | Error): Promise<string | undefined> {
    if (plain instanceof Error) return `the old service has no plain answer to try it with: ${plain.message}`
    const refused: Situation = {
      ...plain,
      key: 'refused',
      credentials: { ...plain.credentials, password: WRONG },
      answers: { old: REFUSAL, new: REFUSAL },
    }
    try {
      const controls = [await this.#meet(client, plain, 'old'), await this.#meet(client, refused, 'old')]
      return whatControlsShow(controls)?.reason
    } catch (error) {
      if (error instanceof AssayError) return error.message
      throw error
    }
  }

  async #try(client: ComparedClient, situation: Situation | NotServed): Promise<TriedEffect> {
    if (situation instanceof NotServed) return unknown(situation.message)
    try {
      const old = await this.#meet(client, situation, 'old')
      if (!old.isConcerned)
        return old.end.outOfTime ? unknown(old.end.problem ?? '', old) : { kind: 'same', how: '', ended: '' }
      if (situation.unserved !== undefined) return unknown(situation.unserved, old)
      const now = await this.#meet(client, situation, 'new')
      return { ...effectOf(old, now), ended: howItEnded(now.end) }
    } catch (error) {
      // It could be started before.
      if (error instanceof AssayError) return unknown(error.message)
      throw error
    }
  }

  /** With the same old answer a client does the same. */
  #meet(client: ComparedClient, situation: Situation, side: PairSide): Promise<TriedSignIn> {
    if (side === 'new') return signIn(client.run, situation, side, this.#signal)
    const key = JSON.stringify([this.#clients.indexOf(client), situation.key])
    const known = this.#known.get(key) ?? signIn(client.run, situation, side, this.#signal)
    this.#known.set(key, known)
    return known
  }
}

function unknown(how: string, met?: TriedSignIn): TriedEffect {
  return { kind: 'inconclusive', how, ended: met === undefined ? '' : howItEnded(met.end) }
}

function orNotTried<T>(make: () => T): T | NotTried {
  try {
    return make()
  } catch (error) {
    if (error instanceof NotTried) return error
    throw error
  }
}
