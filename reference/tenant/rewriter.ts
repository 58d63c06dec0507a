import type { Behaviour } from '../behaviour.js'
import type { DispatchOptions } from '../connection/dispatch.js'
import { ControlError } from '../control-error.js'
import { describeFailure, type LogSink } from '../log.js'
import { refuse } from '../routes/reply.js'
import type { RewritingHooks } from '../store/hooks.js'

/** Lets hooks make another reply of one. One that fails is answered 500: a test must not pass by it. */
export function rewriter(
  hooks: RewritingHooks,
  behaviour: Behaviour,
  log: LogSink,
): NonNullable<DispatchOptions['rewrite']> {
  return (reply, request) =>
    hooks.rewrite(reply.answer, request)?.then(({ hooks: met, outcome }) => {
      const rewritten = { hooks: met, service: reply.answer }
      if ('answer' in outcome) return { ...reply, ...outcome, rewritten }
      log({ level: 'error', event: 'hook-failed', hooks: met, ...describeFailure(outcome.failed) })
      return { ...refuse(behaviour, 'hook-failed'), errors: [explain(outcome.failed)], rewritten }
    })
}

/** Not in the words of an exception: they may quote the request. */
function explain(failed: unknown): string {
  if (failed instanceof ControlError) return `a hook gave what is no answer: ${failed.message}`
  return `a hook threw (${failed instanceof Error ? failed.name : typeof failed}): the log says where`
}
