import { AssayError } from '../../../../spec/model/assay-error.js'
import type { Case, Step } from '../../../../spec/model/case.js'
import { isMap, type Json } from '../../../../spec/model/json.js'
import { type PairProbe, probeOf } from '../../../drivers/pair/probe.js'

const MAX_LENGTH = 200_000

/** A probe as `--replay` takes it. It names accounts and passwords by references, and holds none. */
export function replayOf({ testCase: { steps, account, forall }, values }: PairProbe): string {
  return Buffer.from(JSON.stringify({ steps, account, forall, values })).toString('base64url')
}

/** Reads what a finding has under `replay`. @throws AssayError `usage` */
export function parseProbeReplay(text: string): PairProbe {
  const value = text.length <= MAX_LENGTH ? decode(text) : undefined
  if (!isMap(value) || !Array.isArray(value.steps) || !value.steps.every((step: Json) => isMap(step)))
    throw new AssayError('usage', '--replay takes what a finding shows after `--replay`, letter for letter')
  const { account, forall, values } = value
  const more: Partial<Case> = {
    ...(account === 'throwaway' ? { account } : {}),
    ...(isMap(forall)
      ? { forall: Object.fromEntries(Object.entries(forall).map(([name, own]) => [name, String(own)])) }
      : {}),
  }
  // Written by a run; what is no step is refused when it is filled in.
  const probe = probeOf('replay', value.steps as readonly Step[], more)
  return { ...probe, values: isMap(values) ? values : {}, mayFail: probe.mayFail || isMap(forall) }
}

function decode(text: string): Json {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}
