/** The public programmatic API: the one export list. */

export { type AssessOptions, assess } from './conformance/assess/assess.js'
export { assayClient } from './conformance/assess/client/assay-client.js'
export type { AssayClientOptions } from './conformance/assess/client/options.js'
export type { KeepExchanges, TimedExchange } from './conformance/drivers/send/session/run-context.js'
export type { Wait } from './conformance/drivers/send/transport/executor.js'
export type { ClientEnvironment, SignInReport } from './conformance/judge/client/observed-sign-in.js'
export type { Account, Policy } from './conformance/target/deployment.js'
export type {
  OutsideRequest,
  RequestInput,
  ResourceInput,
  RestartInput,
  SettingsPatch,
  TargetInput,
  TargetSettings,
} from './conformance/target/target-input.js'
export type { AccountView, ExternalLogin } from './reference/account.js'
export type { Clock } from './reference/clock.js'
export { type ControlClientOptions, connectControl } from './reference/control/client.js'
export { ControlError, type ControlErrorCode, type ProblemCode } from './reference/control-error.js'
export type { CorsOptions, CorsOrigins } from './reference/cors.js'
export type { ClientCredentials, Provider } from './reference/external-login/code-flow.js'
export type { IssuedToken } from './reference/issued-token.js'
export type { LogLine, LogSink } from './reference/log.js'
export type { ControlOptions } from './reference/options/control-options.js'
export type { Limits, ServerSettings } from './reference/options/settings.js'
export type { AccountPolicy } from './reference/policy.js'
export type { RefreshTokenOptions } from './reference/refresh-tokens.js'
export type { Refusal } from './reference/refusal.js'
export {
  type ReferenceServer,
  type ReferenceServerOptions,
  type SeedAccount,
  startReferenceServer,
} from './reference/server.js'
export type { TokenOptions } from './reference/signed-token.js'
export type {
  Awaitable,
  Control,
  Reloaded,
  Scopes,
  ServerControl,
  Store,
  StoreControl,
} from './reference/store/control.js'
export type { ActiveFault, Fault, FaultEffect, FaultMatch } from './reference/store/fault.js'
export type { Faults } from './reference/store/faults.js'
export type {
  ActiveHook,
  AnswerChange,
  Hook,
  HookAnswer,
  HookFunction,
  HookLimits,
  HookMatch,
  HookRequest,
  Hooks,
} from './reference/store/hook.js'
export type {
  Journal,
  JournalEntry,
  JournalMatch,
  SentAnswer,
  WaitLimits,
  WaitOptions,
} from './reference/store/journal.js'
export type { Hashing } from './reference/store/password-hash.js'
export type { ChangeableSettings, SettingsChange, StoreSettings } from './reference/store/settings.js'
export type { Introspection, TokenRequest, TokenResponse } from './reference/store/tokens.js'
export type {
  EventSource,
  Issued,
  ReferenceServerEvents,
  Refused,
  Requested,
} from './reference/tenant/events.js'
export type { TlsOptions } from './reference/tls/certificate.js'
export type { AccountPolicy as PolicyInput } from './spec/generated/types/account-policy.js'
export type {
  Account as AccountInput,
  Form,
  Headers as RequestHeaders,
  Statuses,
} from './spec/generated/types/target.js'
export type { AdviceOptions } from './spec/load/advice.js'
export { AssayError, type AssayErrorCode } from './spec/model/assay-error.js'
export type { Json } from './spec/model/json.js'
export type {
  AccountCount,
  BaselineUse,
  Counterexample,
  Counts,
  HeaderList,
  Judgement,
  LeftAccount,
  Level,
  Limit,
  Observation,
  Outcome,
  Report,
  ReportBody,
  ReportDeployment,
  ReportExchange,
  ReportRequest,
  ReportResponse,
  Result,
  RuleResult,
  Selection,
  Stop,
  Trouble,
  Verdict,
} from './spec/model/report.js'
export type { Effort, Replay, Shard } from './spec/model/selection.js'
