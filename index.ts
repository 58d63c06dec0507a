/** The public programmatic API: the one export list. */
export { type AssessOptions, assess } from './conformance/assess.js'
export type { Account, Policy } from './conformance/deployment.js'
export type { Replay } from './conformance/replay.js'
export type { SettingsPatch, TargetInput, TargetSettings } from './conformance/target/target-input.js'
export { type ControlClientOptions, connectControl } from './reference/control/client.js'
export type { AccountView, Control, SettingsChange, StoreControl } from './reference/control/control.js'
export { ControlError, type ControlErrorCode } from './reference/control/control-error.js'
export type { ControlOptions } from './reference/control/control-options.js'
export type { ActiveFault, Fault, FaultEffect, FaultMatch } from './reference/control/fault.js'
export type { JournalMatch } from './reference/control/journal-match.js'
export type { Issued, ReferenceServerEvents, Refused, Requested } from './reference/events.js'
export type { JournalEntry, WaitOptions } from './reference/journal.js'
export type { Refusal } from './reference/refusal.js'
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
