import { createHash } from 'node:crypto'
import { groupBy } from '../../../../spec/model/items.js'
import { pointerTo } from '../../../../spec/model/json.js'
import { type PairProbe, PLAIN_FORM } from '../../../drivers/pair/probe.js'
import { escapeRegExp } from '../../../evidence/redact.js'
import { type AnswerView, sentencesOf } from '../compare/answer-view.js'
import { compareAnswers, describe, type PlaceDifference } from '../compare/compare-answers.js'
import type { Witness } from '../compare/comparer.js'
import { isMessage, placeOf, TIMES } from '../compare/discrepancies.js'
import type { NormalValue } from '../compare/normalise-body.js'
import { type Cause, reasonsOf } from '../isolate/causes.js'
import { ANY, traitsOf } from '../isolate/request-traits.js'

type VariantsOf = (at: string, value: string) => string

/** What else an id depends on. */
interface IdContext {
  /** Whether a place differs in every answer, which is a finding of its own. */
  readonly isShared: (difference: PlaceDifference) => boolean
  /** What the old service varies between in a place, if that value is one of them: which of them is chance. */
  readonly variantsOf: VariantsOf
  /** Whether new breaks a rule by it: what was accepted while it broke none covers no breach. */
  readonly isBreach: boolean
  /** Those that new breaks in an answer: what was accepted with one of them covers no other. */
  readonly rulesOf: (witness: Witness) => readonly string[]
  /** User names that the target declares. */
  readonly names: readonly string[]
}

/**
 * The id of a finding: users keep it in files, so the same change has it in every run, and no other change of the same place
 * has it. It is made of all values that are planned for every run and constant.
 * @param again further answers of the new service to the same request: where they differ, no value is constant
 */
export function findingId(
  { behind, smallest }: Cause,
  steady: Witness,
  again: readonly AnswerView[],
  { isShared, variantsOf, isBreach, rulesOf, names }: IdContext,
): string {
  const { about, direction } = steady.discrepancy
  const isAlike = (one: Witness): boolean =>
    one.probe.isFixed === true &&
    // Where few logins may fail, some of those are not sent.
    (!one.probe.mayFail || steady.probe.mayFail) &&
    one.discrepancy.about === about &&
    isOfNew(one.probe) === isOfNew(steady.probe) &&
    hasSameReasons(one, steady)
  const own: readonly [Witness, ...Witness[]] = [steady, ...behind.filter(isAlike)]
  const all = [steady, ...smallest].flatMap(({ discrepancy }) => discrepancy)
  const [aspects, places] = [
    new Set(all.flatMap((one) => one.aspects)),
    new Set(all.flatMap(({ differences }) => differences.map(placeOf))),
  ]
  const varying = varyingPlaces(again)
  const factsOf = (witness: Witness): readonly Fact[] =>
    witness.discrepancy.differences
      .filter((one) => places.has(placeOf(one)) && (about === 'headers' || !isShared(one)))
      .flatMap((one) => [constantOf(one, variantsOf), ...(witness === steady ? addedBy(one, witness) : [])])
      .map(({ place, text }) => ({ place, text: varying.has(place) ? '' : nameless(text, names) }))
  const isMessages = ({ discrepancy }: Witness): boolean => discrepancy.aspects.some(isMessage)
  const messages = own.filter(isMessages).flatMap(({ discrepancy }) => discrepancy.aspects)
  const facts = own.filter((one) => !isMessages(one)).flatMap(factsOf)
  const valuesIn = [...messages.filter((one) => aspects.has(one)), ...withoutEchoes(facts)]
  const parts =
    about === 'fate'
      ? [...own.flatMap((one, at) => fateOf(one, at, variantsOf)), ...lastingReasons(steady, again)]
      : [...valuesIn, ...namesIn(own), ...kindsIn(own)]
  const { isRegistration } = steady.old
  // A member that one side alone has may be wrong in some answers. Which others are made up is another matter in each run.
  const rules = new Set((about === 'members' ? own : [steady]).flatMap(rulesOf))
  const kind = [about, direction, String(isRegistration), String(isBreach), [...rules].sort().join()]
  const key = [...kind, ...[...new Set(parts)].sort()]
  return createHash('sha256').update(key.join('\n')).digest('hex').slice(0, 16)
}

/** Beside the values of a plain login: of these, what was sent counts. */
const BESIDE = /^(?:header|parameter) |^(?:media type|body|query|spelling|order of the parameters)$/

/**
 * The paths, methods, headers and parameters whose answers differ, or sign-ins through a provider, where the finding is about
 * such: the same answer to another one is no part of it. One that a plain request shows, such as a failed login, is about
 * every answer of its kind.
 */
function namesIn(all: readonly [Witness, ...Witness[]]): readonly string[] {
  const namesOf = ({ probe, discrepancy: { step } }: Witness): readonly string[] =>
    traitsOf(probe, step).flatMap(({ place, kinds: [kind], item, phrase }) => {
      if (BESIDE.test(place)) return [`${place} ${phrase}`]
      const isKind = kind === 'missing' || kind === 'empty' || (place === 'grant_type' && kind !== ANY)
      return item !== undefined || place === 'provider' || isKind ? [`${place} ${item ?? kind}`] : []
    })
  // What is drawn is another in each run.
  const [first, ...others] = all
  if (namesOf(first).length === 0) return []
  const placesOf = ({ probe, discrepancy: { step } }: Witness): readonly string[] =>
    traitsOf(probe, step).map(({ place }) => place.replace(/^parameter .*/, 'parameter'))
  const [own] = placesOf(first)
  // What differs in several places follows from another one, and which other places show it, from what is declared.
  const single = others.filter((one) => placesOf(one).every((place, at) => at === 0 && place === own))
  return [first, ...single].filter(({ probe }) => probe.isFixed).map((one) => namesOf(one).join(' and '))
}

/** What kinds of answers differ: those to unknown users alone are others than those to all failed logins. */
function kindsIn(own: readonly Witness[]): readonly string[] {
  const fixed = own.filter(({ probe }) => probe.isFixed)
  return fixed.map(({ probe, discrepancy: { step }, old }) => {
    const [trait, ...more] = traitsOf(probe, step)
    const isPlace =
      old.fate === 'refused' && more.length === 0 && PLAIN_FORM.some(([name]) => name === trait?.place)
    return isPlace ? `${old.fate} by ${trait?.place}` : old.fate
  })
}

/** Which request has which other outcome. What differs in several places follows from another one. */
function fateOf(
  { probe, discrepancy: { step }, old, new: now }: Witness,
  at: number,
  variantsOf: VariantsOf,
): readonly string[] {
  const traits = traitsOf(probe, step)
  if (at > 0 && traits.length > 1) return []
  // What is drawn is another in each run.
  const isMade = probe.isFixed && Object.keys(probe.values).length > 0
  const places = [
    ...traits.map(({ place, kinds: [kind], item = '', phrase }) => {
      const value = kind === 'header' ? phrase : item
      return `${place} ${kind} ${probe.isFixed ? value : ''}`
    }),
    ...(isMade ? [JSON.stringify(probe.values)] : []),
  ]
  const outcomeOf = ({ fate, status }: AnswerView, shown = status): string =>
    // With which status a service says yes is a matter of all its answers.
    fate === 'granted' || fate === 'registered' ? fate : `${fate} ${shown}`
  return [[...places, outcomeOf(old, variantsOf('status', old.status)), outcomeOf(now)].join(' ')]
}

/** What the new service always says when it refuses, whomever it names. */
function lastingReasons({ new: now }: Witness, again: readonly AnswerView[]): readonly string[] {
  if (now.fate !== 'refused') return []
  const bare = (view: AnswerView): readonly string[] =>
    sentencesOf(view).map((text) => text.replace(/‹[^‹›]*›/g, '‹…›'))
  return again.map(bare).reduce((kept, next) => kept.filter((text) => next.includes(text)), bare(now))
}

function varyingPlaces([first, ...others]: readonly AnswerView[]): ReadonlySet<string> {
  const differences = first === undefined ? [] : others.flatMap((view) => compareAnswers(first, view))
  return new Set(differences.filter((one) => new Set(constantsOf(one)).size > 1).map(placeOf))
}

/** Of a new account several things may be wrong: which others new lets pass is another change. */
function hasSameReasons(one: Witness, steady: Witness): boolean {
  const { about } = steady.discrepancy
  return about !== 'fate' || !isOfNew(steady.probe) || reasonsOf(one).join() === reasonsOf(steady).join()
}

/** Whether it registers accounts: such requests come and go with what the target declares. */
function isOfNew({ testCase: { steps } }: PairProbe): boolean {
  return steps.some(({ register }) => register !== undefined)
}

/** Names of declared accounts, as labels take the place of those of new ones. */
function nameless(text: string, names: readonly string[]): string {
  const without = (shown: string, name: string, label: string): string =>
    shown.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(name)}(?![\\p{L}\\p{N}])`, 'gu'), label)
  return names.reduce(
    (shown, name) => without(without(shown, name, '‹name›'), name.toUpperCase(), '‹NAME›'),
    text,
  )
}

/** What an id is made of in one place of an answer: empty where it varies. */
interface Fact {
  readonly place: string
  readonly text: string
}

function constantOf(one: PlaceDifference, variantsOf: VariantsOf): Fact {
  const [before, now] = constantsOf(one)
  return { place: placeOf(one), text: `${variantsOf(one.at, before)} → ${now}` }
}

/** The values of a member that one side alone has: with others, it is another change. */
function addedBy({ at, old }: PlaceDifference, witness: Witness): readonly Fact[] {
  const { body } = witness[old === 'missing' ? 'new' : 'old']
  return at.startsWith('member ') ? valuesBelow(body, '', at.slice('member '.length)) : []
}

/** @param pointer of the value that is looked for, with all that it holds */
function valuesBelow(value: NormalValue, at: string, pointer: string): readonly Fact[] {
  const inner: readonly (readonly [string | number, NormalValue])[] =
    value.kind === 'object' ? [...value.members] : value.kind === 'array' ? [...value.items.entries()] : []
  const below = inner.flatMap(([key, own]) => valuesBelow(own, pointerTo(at, key), pointer))
  if (at !== pointer && !at.startsWith(`${pointer}/`)) return below
  const text = describe(value)
  const [, constant] = constantsOf({ at: value.kind === 'instant' ? `format ${at}` : at, old: '', new: text })
  return [{ place: placeOf({ at }), text: constant }, ...below]
}

/** With more values than this, a header shows something of the request, as of the account that it is for. */
const MAX_VALUES = 3

function withoutEchoes(facts: readonly Fact[]): readonly string[] {
  const isEcho = ([place, all]: readonly [string, readonly Fact[]]): boolean =>
    place.startsWith('header ') && new Set(all.map(({ text }) => text)).size > MAX_VALUES
  const echoes = [...groupBy(facts, ({ place }) => place)].filter(isEcho).map(([place]) => place)
  return facts.map(({ place, text }) => `${place} ${echoes.includes(place) ? '' : text}`)
}

/** Both values: of a moment its format, of a span of time ten seconds more or less. */
function constantsOf(one: PlaceDifference): readonly [old: string, now: string] {
  const { old, new: now } = one.shape ?? one
  const spans = TIMES.test(one.at) ? /\d+(?:\.\d+)?/g : /(?<!\d)\d+(?:\.\d+)?(?= s (?:after|before) )/g
  return one.at.startsWith('format ') ? [formatOf(old), formatOf(now)] : [tens(old, spans), tens(now, spans)]
}

/** A number of seconds is no integer in every language: whether it is one is no matter of time. */
function tens(text: string, spans: RegExp): string {
  const isFraction = /^\d+\.\d+$/.test(text)
  return `${text.replace(spans, (own) => `${Math.round(Number(own) / 10)}0`)}${isFraction ? '.n' : ''}`
}

/** Names of days and months, and the digits of a fraction, have any length. */
function formatOf(shape: string): string {
  return shape.replace(/a+/g, 'a').replace(/\.9+/g, '.9').replace(/\b9\b/g, '99')
}
