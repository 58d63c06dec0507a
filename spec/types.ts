/**
 * The shared vocabulary: the specification as data, and the report that a run writes.
 * Everything here is a readonly value; `spec/` imports nothing of ours.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

// ---------------------------------------------------------------------------------------------
// The specification

/** `must` gates; a failed `should` warns; `unspecified` is observed; `untestable` carries its reason. */
export type Level = 'must' | 'should' | 'unspecified' | 'untestable'

/** One sentence or table row of the specification. Ids are published: never reused, never renamed. */
export interface Requirement {
  readonly id: string
  /** The section it stands in, such as `2.1`. */
  readonly section: string
  readonly level: Level
  /** A paraphrase of the sentence, as a statement about the service. */
  readonly statement: string
  /** The cases that name this rule in an expectation. */
  readonly cases?: readonly string[]
  /** What will judge it, while no case does yet. */
  readonly later?: string
  /** The observation that probes a sentence which is silent on purpose. */
  readonly observation?: string
  /** Why nothing judges it. */
  readonly why?: string
}

/** Pairs of a form or a query: a map, or a list of pairs where a name occurs twice. Values may hold `$references`. */
export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** What one step sends. Every string may hold `$references`; `$$` is a literal `$`. */
export interface RequestTemplate {
  /** Default `POST`. */
  readonly method?: string
  /** Appended to the base URL. Default `/Token`. */
  readonly path?: string
  readonly query?: Fields
  readonly headers?: Readonly<Record<string, string>>
  /** Default: that of the body's kind. `null`: no `Content-Type` is sent. */
  readonly contentType?: string | null
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Fields
  /** A generated way to spell the form: `$reference` to a value of the generator `form-encoding`. */
  readonly spelling?: string
  readonly json?: Json
  /** The bytes as they are, in UTF-8. */
  readonly body?: string
}

/**
 * A new account: what is left out is `$fresh.userName`, `$fresh.email` and `$fresh.password`, which satisfy the declared
 * policy and have been used by nobody. Sent in the target's own registration request.
 */
export interface RegistrationTemplate {
  readonly userName?: string
  readonly email?: string
  readonly password?: string
}

/** The account policy of section 8. */
export interface Policy {
  readonly minimumLength: number
  readonly requireNonLetterOrDigit: boolean
  readonly requireDigit: boolean
  readonly requireLowercase: boolean
  readonly requireUppercase: boolean
  readonly alphanumericUserNamesOnly: boolean
  readonly uniqueEmail: boolean
}

/** The requirements on passwords whose messages section 7 lists. */
export type ListedRequirement = 'non-letter-or-digit' | 'digit' | 'uppercase'

/** What a deployment must declare for a case or an expectation to apply. */
export interface Condition {
  /** At least so many accounts. */
  readonly accounts?: number
  /** An account whose credentials hold one of `+ % & =`, a space or a non-ASCII character. */
  readonly specialCharacters?: boolean
  readonly includesUserId?: boolean
  /** `tokenLifetime` has the specification's value. */
  readonly defaultLifetime?: boolean
  /** Judged only under `--strict`. */
  readonly strict?: boolean
  /** New accounts can be registered. */
  readonly registration?: boolean
  /** A new account can log in at once. */
  readonly immediate?: boolean
  /** Registration under a policy with these values. */
  readonly policy?: Partial<Policy>
  /** Sign-in through an outside provider, or through one without a registered callback address. */
  readonly externalLogin?: 'registered' | 'without-callback'
  /** There is a deployment that does not add `userId`, where this one does. */
  readonly sibling?: boolean
}

/** What is asked of one member of the answer's JSON object. All of its keys must hold. */
export interface MemberCheck {
  readonly name: string
  readonly type?: 'string'
  readonly nonEmpty?: boolean
  readonly equals?: string
  readonly equalsIgnoringCase?: string
  /** The number's raw text is digits only, and its value is `integer` or one less. A `$reference` or a number. */
  readonly integerOrOneLess?: string | number
  /** An IMF-fixdate of RFC 9110 5.6.7. */
  readonly imfFixdate?: boolean
  readonly absent?: boolean
  /** Stands later in the text than this member. */
  readonly follows?: string
  /** Equals the same member of the named step's answer. */
  readonly sameAs?: string
  /** Differs from the same member of the named step's answer. */
  readonly differsFrom?: string
}

/** What is asked of a member over all answers of a run: another value for each account, or one value for each. */
export interface AcrossAccounts {
  readonly member: string
  readonly is: 'distinct' | 'constant'
}

/** The checks; every one that is present must hold for the expectation to pass. */
export interface Checks {
  /** Whether the answer yields a token: whatever the status, a non-empty `access_token`, or a `Location` that carries one. */
  readonly yieldsToken?: boolean
  /** Whether there is something at the path: a token proves it; 404, 405, 410 and redirections deny it. */
  readonly found?: true
  readonly status?: number | '2xx'
  /** Compared as a media type: case, white space and quoting free, parameters exact. */
  readonly mediaType?: string
  /** The body is one JSON object, on its bytes: no duplicate member, no other text, no BOM, valid UTF-8. */
  readonly jsonObject?: boolean
  readonly json?: { readonly equals?: Json; readonly includes?: Readonly<Record<string, Json>> }
  readonly member?: MemberCheck
  /** The object has these members; others may stand beside them. */
  readonly hasMembers?: readonly string[]
  /** The object has these members and no other. */
  readonly onlyMembers?: readonly string[]
  /** These names are given exactly: no other spelling stands in their place. */
  readonly exactNames?: readonly string[]
  /** Whether the registration was accepted, by the statuses that the target declares. */
  readonly registered?: boolean
  /** Of requests sent at once, so many were accepted. */
  readonly registeredTimes?: number
  /** The listed message of this requirement occurs, letter for letter, in a string of the answer. */
  readonly says?: ListedRequirement
  /** The listed messages that occur are those of the enabled requirements that the sent password violates. */
  readonly listedMessages?: 'violated'
  /** No listed message of a disabled requirement occurs. */
  readonly neverSays?: 'disabled'
  /** Only in a case with `invariant: token`: judged when the last answer has come. */
  readonly acrossAccounts?: AcrossAccounts
  /** What a property in code shows of the rule, in a sentence. */
  readonly proves?: string
  /** But for `userId`, the object has the same members as in the named step's answer. */
  readonly sameMembersAs?: string
  /** `to` is later than `from` by so many seconds. */
  readonly span?: {
    readonly from: string
    readonly to: string
    readonly seconds: string | number
    readonly toleranceSeconds?: number
  }
  /** The date lies within the declared clock skew of the response's `Date`, or of the local clock where there is none. */
  readonly nearResponseTime?: string
  /** The date of `member` is later than in the named step's answer by at least so many seconds. */
  readonly advances?: { readonly member: string; readonly since: string; readonly atLeastSeconds: number }
  /** Status, media type and body value equal those of the named step's answer. */
  readonly sameAnswerAs?: string
}

/** One expectation names exactly one rule and becomes exactly one judgement. */
export interface Expectation extends Checks {
  readonly rule: string
  /** The step whose answer is judged. Default: the step it stands in, or the last. */
  readonly of?: string
  /**
   * `refusal`: judged of an answer that yields no token. `success`: judged of one that yields a token or is 2xx.
   * `rejection`: judged of a registration that is rejected.
   * Otherwise another rule has already been broken, and this one has nothing to judge.
   */
  readonly given?: 'refusal' | 'success' | 'rejection'
  readonly when?: Condition
  /** What to check first when it fails. */
  readonly hint?: string
}

export interface Step {
  /** How other steps' checks name this one. */
  readonly name?: string
  /** Milliseconds between the end of the step before and this one. */
  readonly waitMs?: number
  /** Sent so many times at once. */
  readonly atOnce?: number
  /** Sent to the deployment that is this one without `userId`. */
  readonly at?: 'sibling'
  /** What is sent: exactly one of these four. */
  readonly send?: RequestTemplate
  /** A registration, by the target's request. */
  readonly register?: RegistrationTemplate
  /** What no request can say: a property in code (`conformance/properties/`), by its name. */
  readonly property?: string
  /** A sign-in through an outside provider, by the target's requests. */
  readonly signIn?: 'registered' | 'without-callback'
  readonly expect?: readonly Expectation[]
}

/** Generator arguments by variable: the generator's name. */
export type Forall = Readonly<Record<string, string>>

/** One case: a request, or steps, and what the rules expect of the answers. */
export interface Case {
  /** `<section>/<name>`. */
  readonly id: string
  readonly section: string
  /** States behaviour in the present tense, at most 70 characters. */
  readonly title: string
  /** The valid request that this one differs from by one change. */
  readonly control?: string
  readonly forall?: Forall
  readonly when?: Condition
  /** Whose credentials `$account` names: the first declared account, or the throw-away (last) one. Default `main`. */
  readonly account?: 'main' | 'throwaway'
  /** Its requests are counted as failed logins: it runs last, one at a time, within the declared budget. */
  readonly failedLogin?: boolean
  /** What it gets of the budget that is left to property-based cases, beside the others' shares. Default 1. */
  readonly failedLoginShare?: number
  /** How often it is sent at the default of 100 runs; scaled with `--runs`. Default 1. */
  readonly repeat?: number
  /**
   * Its expectations are also judged of every other answer of the deployment that yields a token, or to a registration.
   */
  readonly invariant?: 'token' | 'registration'
  readonly steps: readonly Step[]
  /** Where it stands, for messages. */
  readonly source: { readonly file: string; readonly line: number }
}

/** What the specification leaves open, and how it is seen what a service does. */
export interface Probe {
  readonly id: string
  readonly section: string
  /** What is observed. */
  readonly statement: string
  /** The case whose first answer shows it; else the steps do. */
  readonly of?: string
  readonly when?: Condition
  /** It may be a failed login: it is sent only while the declared budget lasts. */
  readonly failedLogin?: boolean
  /** What of the answers is told. */
  readonly shows:
    | 'answer'
    | 'status'
    | 'grant'
    | 'headers'
    | 'extra-members'
    | 'tokens'
    | 'registration'
    | 'rate-limit'
  readonly steps: readonly Step[]
}

export interface Specification {
  /** Of all that is below: two runs with the same hash judged the same. */
  readonly hash: string
  readonly requirements: readonly Requirement[]
  readonly cases: readonly Case[]
  readonly observations: readonly Probe[]
}

// ---------------------------------------------------------------------------------------------
// The report (`spec/schemas/report.schema.json`)

/** The five of W3C EARL. */
export type Outcome = 'passed' | 'failed' | 'cantTell' | 'inapplicable' | 'untested'

export type Verdict = 'conformant' | 'nonconformant' | 'inconclusive'

/** One expectation, judged. */
export interface Judgement {
  readonly rule: string
  readonly outcome: Outcome
  /** One sentence: what is wrong. */
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  /** RFC 6901 pointer to the member that was judged. */
  readonly pointer?: string
  /** Why it is `cantTell`, `inapplicable` or `untested`. */
  readonly reason?: string
}

export type HeaderList = readonly (readonly [name: string, value: string])[]

/** A body as it is shown: text where it is valid UTF-8, else base64. Redacted; cut at `truncated`. */
export type ReportBody =
  | { readonly text: string; readonly truncated: boolean }
  | { readonly base64: string; readonly truncated: boolean }

export interface ReportRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly body?: ReportBody
}

export interface ReportResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: ReportBody
}

export interface ReportExchange {
  /** Which step, or `control`. */
  readonly label: string
  readonly request: ReportRequest
  /** `null` where no complete answer came; `failure` then says why. */
  readonly response: ReportResponse | null
  readonly failure?: string
  /** How often, and why, it was sent again. */
  readonly resent?: string
  readonly durationMs: number
}

export interface Counterexample {
  /** The generated values, by variable, as they are shown. */
  readonly values: Readonly<Record<string, Json>>
  readonly seed: number
  readonly path: string
  readonly replayPath?: string
  readonly shrinks: number
}

export interface Result {
  /** `<deployment>/<case>`. */
  readonly id: string
  readonly case: string
  readonly deployment: string
  readonly title: string
  readonly outcome: Outcome
  readonly reason?: string
  readonly durationMs: number
  /** How many times the case was sent and judged. */
  readonly runs?: number
  readonly judgements: readonly Judgement[]
  readonly exchanges: readonly ReportExchange[]
  readonly counterexample?: Counterexample
  /** The value for `--replay` that repeats it. */
  readonly replay?: string
  /** A `curl` that repeats the request. */
  readonly reproduce?: string
  readonly waived?: { readonly reason: string; readonly until: string }
}

export interface RuleResult {
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly statement: string
  readonly outcome: Outcome | null
  readonly why?: string
  readonly results: readonly string[]
}

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly cantTell: number
  readonly inapplicable: number
  readonly untested: number
  readonly waived: number
}

export interface Observation {
  readonly id: string
  readonly section: string
  readonly deployment: string
  readonly statement: string
  readonly observed: string
}

export interface ReportDeployment {
  readonly name: string
  readonly baseUrl: string
  /** What the target declares, without secrets. */
  readonly declared: Json
}

export interface Selection {
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly deployments?: readonly string[]
  readonly shard?: string
}

export interface Report {
  readonly schemaVersion: 1
  readonly suite: { readonly name: string; readonly version: string; readonly specification: string }
  readonly target: { readonly name: string; readonly deployments: readonly ReportDeployment[] }
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly seed: number
  readonly selection?: Selection
  readonly verdict: Verdict
  readonly counts: Counts
  readonly rules: readonly RuleResult[]
  readonly results: readonly Result[]
  readonly observations: readonly Observation[]
  readonly plan: { readonly hash: string; readonly planned: number }
}

/** What is known of a report before anything has been sent. */
export type ReportStart = Omit<
  Report,
  'durationMs' | 'verdict' | 'counts' | 'rules' | 'results' | 'observations'
>
