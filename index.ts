/** The public programmatic API: the one export list. */
export { type AssessOptions, assess } from './conformance/assess.js'
export type { Account, Policy } from './conformance/deployment.js'
export type { Replay } from './conformance/replay.js'
export type { SettingsPatch, TargetInput, TargetSettings } from './conformance/target/target-input.js'
export {
  type ReferenceServer,
  type ReferenceServerOptions,
  type SeedAccount,
  startReferenceServer,
} from './reference/server.js'
export { AssayError, type AssayErrorCode } from './spec/assay-error.js'
export type {
  Counterexample,
  Counts,
  Judgement,
  Level,
  Observation,
  Outcome,
  Report,
  ReportExchange,
  Result,
  RuleResult,
  Verdict,
} from './spec/types.js'
