import { type PlacedCase, type PlacedStep, placeCases } from '../load/expand-case.js'
import { suggestion } from '../load/nearest.js'
import { type Finding, finding } from '../load/position.js'
import type { Parsed, SpecificationFiles } from '../load/specification-files.js'
import type { WrittenCase, WrittenCaseFile } from '../load/written-case.js'
import { referencesIn } from '../model/case.js'
import type { Expectation } from '../model/expectation.js'
import { pointerTo } from '../model/json.js'
import { checkSteps } from './check-steps.js'

/** What every case may refer to; its `forall` variables come on top. */
const given: readonly string[] = [
  'account',
  'other',
  'target',
  'fresh',
  'fresh1',
  'fresh2',
  'second',
  'each',
  'long',
  'padding',
]

/** Every rule, control, step and `$reference` that a case names is there, and every group and variable is used. */
export function* checkReferences(files: SpecificationFiles): Generator<Finding> {
  const groups = files.groups.value
  const items = files.caseFiles.flatMap(({ value: { cases } }) =>
    cases.flatMap((written) => [written, ...(written.steps ?? [])].flatMap(({ expect = [] }) => expect)),
  )
  const usedGroups = new Set(items.flatMap((item) => ('all' in item ? [item.all] : [])))
  for (const name of Object.keys(groups))
    if (!usedGroups.has(name))
      yield finding(
        files.groups.keyAt(pointerTo('', name)),
        `expected a case that names the group "${name}", found none`,
      )
  const rules = new Set(files.requirements.value.requirements.map(({ id }) => id))
  // That a group is unknown is said where the files are assembled.
  yield* checkCaseReferences(placeCases(files.caseFiles, groups, []), { rules, grants: new Map() })
}

/** What the cases of some files may name beside each other. */
export interface Nameable {
  readonly rules: ReadonlySet<string>
  /** Other cases by id, and whether each expects a grant or an account. */
  readonly grants: ReadonlyMap<string, boolean>
}

/** Every rule, control, step and `$reference` that these cases name is there. */
export function* checkCaseReferences(
  placed: readonly PlacedCase[],
  { rules, grants: others }: Nameable,
): Generator<Finding> {
  const grants = new Map(others)
  for (const { written, steps } of placed) grants.set(written.id, expectsGrant(expectations(steps)))
  for (const { file, written, pointer, steps } of placed) {
    yield* checkRules(file, steps, rules)
    yield* checkControl(file, written, pointer, steps, grants)
    yield* checkSteps(file, steps)
    yield* checkVariables(file, written, pointer, steps)
  }
}

/** Whether a case can be a control. */
export function expectsGrant(items: readonly Expectation[]): boolean {
  return items.some(({ yieldsToken, registered }) => yieldsToken === true || registered === true)
}

type CaseFile = Parsed<WrittenCaseFile>

function* checkRules(
  file: CaseFile,
  steps: readonly PlacedStep[],
  rules: ReadonlySet<string>,
): Generator<Finding> {
  for (const { expectation, pointer } of steps.flatMap(({ expect }) => expect)) {
    const { rule } = expectation
    if (!rules.has(rule))
      yield finding(
        file.at(`${pointer}/rule`),
        `expected the id of a rule, found "${rule}"${suggestion(rule, rules)}`,
      )
  }
}

/** A negative case proves nothing on a server that refuses everything: it has a control, and that is granted. */
function* checkControl(
  file: CaseFile,
  { id, control }: WrittenCase,
  pointer: string,
  steps: readonly PlacedStep[],
  grants: ReadonlyMap<string, boolean>,
): Generator<Finding> {
  if (control === undefined) {
    const negative = expectations(steps).some(
      (item) => item.yieldsToken === false || item.registered === false || item.given === 'refusal',
    )
    if (negative)
      yield finding(file.at(`${pointer}/id`), `expected a control for ${id}, which expects a refusal`)
    return
  }
  const at = (message: string): Finding => ({ position: file.at(`${pointer}/control`), message })
  const granted = grants.get(control)
  if (granted === undefined)
    yield at(`expected the id of a case, found "${control}"${suggestion(control, grants.keys())}`)
  else if (control === id) yield at(`expected another case as the control, found ${id} itself`)
  else if (!granted)
    yield at(
      `expected a control that expects \`yieldsToken: true\` or \`registered: true\`, found ${control}`,
    )
}

function* checkVariables(
  file: CaseFile,
  { forall = {} }: WrittenCase,
  pointer: string,
  steps: readonly PlacedStep[],
): Generator<Finding> {
  const known = [...given, ...Object.keys(forall)]
  const captured = new Map<string, string>()
  const used = new Set<string>()
  for (const { step, pointer: at, expect } of steps) {
    const references = [
      ...referencesIn(step.send, `${at}/send`),
      ...referencesIn(step.register, `${at}/register`),
      ...expect.flatMap((item) => referencesIn(item.expectation, item.pointer)),
    ]
    for (const reference of references) {
      used.add(reference.root)
      if (!known.includes(reference.root)) {
        const near = suggestion(reference.root, known)
        yield finding(
          file.at(reference.pointer),
          `expected one of ${known.map((name) => `$${name}`).join(', ')}, found "$${reference.root}"${near}`,
        )
      }
    }
    for (const name of Object.keys(step.capture ?? {})) {
      const place = `${at}/capture/${name}`
      if (known.includes(name))
        yield finding(
          file.keyAt(place),
          `expected another name, found "${name}", which stands for something already`,
        )
      else if (Object.keys(forall).length > 0)
        yield finding(file.keyAt(place), 'expected `capture` in a case without `forall`')
      known.push(name)
      captured.set(name, place)
    }
  }
  for (const [name, at] of captured)
    if (!used.has(name))
      yield finding(file.keyAt(at), `expected a use of $${name} in a later step, found none`)
  for (const variable of Object.keys(forall))
    if (!used.has(variable))
      yield finding(file.keyAt(`${pointer}/forall/${variable}`), `expected a use of $${variable}, found none`)
}

function expectations(steps: readonly PlacedStep[]): readonly Expectation[] {
  return steps.flatMap(({ expect }) => expect.map(({ expectation }) => expectation))
}
