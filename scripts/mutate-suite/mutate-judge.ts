import type { Variant } from '../../reference/mutants/mutant.js'
import { VARIANTS } from '../../reference/variants/index.js'
import type { Checks, Expectation, MemberCheck, Specification } from '../../spec/types.js'
import { inLanes } from './in-lanes.js'
import type { JudgeSite } from './judge-sites.js'
import type { Verdict } from './mutate-expectations.js'
import { type Caught, escapes, isAccusedWrongly, redRules } from './subject.js'
import type { SuiteProcess } from './suite-process.js'

/** Which checks a file of `conformance/checks` decides, or helps to. */
const KEYS: Readonly<Record<string, readonly (keyof Checks)[]>> = {
  'dates.ts': ['span', 'nearResponseTime', 'advances'],
  'loose-name.ts': ['member', 'exactNames', 'span', 'nearResponseTime', 'advances'],
  'member.ts': ['member'],
  'members.ts': ['hasMembers', 'onlyMembers', 'exactNames'],
  'message.ts': ['yieldsToken', 'found', 'status', 'mediaType', 'jsonObject', 'json'],
  'registration.ts': ['registered', 'registeredTimes', 'says', 'listedMessages', 'neverSays'],
  'same-answer.ts': ['sameAnswerAs', 'sameMembersAs'],
}

/** Runs at a time: they share the process, and so the switch. */
const AT_ONCE = 6

type Subject = Caught | { readonly variant: Variant }

/**
 * Switches each site in turn, and runs mutants (and for a comparison variants too) that its check concerns until one is
 * judged otherwise.
 */
export async function mutateJudge(
  sites: readonly JudgeSite[],
  caught: readonly Caught[],
  specification: Specification,
  processOf: (lane: number) => SuiteProcess,
  lanes: number,
): Promise<readonly Verdict[]> {
  return inLanes(sites, lanes, async (site, lane): Promise<Verdict> => {
    const concerned = expectationsOf(site, specification)
    const rules = [...new Set([...concerned.values()].map(({ rule }) => rule))]
    const mutants = caught.filter(({ mutant, failures }) =>
      failures.some(
        (failure) =>
          mutant.violates.includes(failure.rule) && concerned.has(`${failure.case}#${failure.index}`),
      ),
    )
    const cases = new Set([...concerned.keys()].map((key) => key.split('#', 1)[0]))
    // A comparison may also accuse who breaks something else there, and whoever breaks nothing.
    const neighbours = caught.filter(
      (one) => !mutants.includes(one) && one.failures.some((failure) => cases.has(failure.case)),
    )
    const variants = onePerGround().map((variant) => ({ variant }))
    const process = processOf(lane)
    const subjects: readonly Subject[] =
      site.kind === 'inverted' ? [...variants, ...mutants, ...neighbours] : mutants
    for (let at = 0; at < subjects.length; at += AT_ONCE) {
      const batch = subjects.slice(at, at + AT_ONCE)
      const noticed = await Promise.all(
        batch.map(async (subject) =>
          (await notices(subject, rules, process, site.number)) ? [subject] : [],
        ),
      )
      for (const subject of noticed.flat()) {
        // Who is judged so without the switch too, by luck, notices nothing.
        if (!(await notices(subject, rules, process, undefined)))
          return { id: site.id, noticedBy: idOf(subject) }
      }
    }
    return { id: site.id }
  })
}

async function notices(
  subject: Subject,
  rules: readonly string[],
  process: SuiteProcess,
  site: number | undefined,
): Promise<boolean> {
  if ('variant' in subject) {
    const found = await process.assess({ kind: 'variant', id: subject.variant.id, only: rules }, site)
    return found === undefined || found.verdict !== 'conformant' || redRules(found).length > 0
  }
  const { mutant } = subject
  const only = [...new Set([...mutant.violates, ...rules])]
  const found = await process.assess({ kind: 'mutant', id: mutant.id, only }, site)
  return found === undefined || escapes(mutant, found) || isAccusedWrongly(mutant, found)
}

/** The expectations that ask for the site's check, by `<case>#<index>`. */
function expectationsOf(site: JudgeSite, { cases }: Specification): ReadonlyMap<string, Expectation> {
  return new Map(
    cases.flatMap(({ id, steps }) =>
      steps
        .flatMap(({ expect = [] }) => expect)
        .flatMap((expectation, index) =>
          isConcerned(site, expectation) ? [[`${id}#${index}`, expectation] as const] : [],
        ),
    ),
  )
}

function isConcerned({ file, functionName }: JudgeSite, expectation: Expectation): boolean {
  const keys = KEYS[file] ?? []
  // `checkSameAnswer` decides `sameAnswerAs`, and a part of `member.ts` the key of its name; other functions help them all.
  const own = keys.filter((key) => `check${key}`.toLowerCase().startsWith(functionName.toLowerCase()))
  if ((own.length > 0 ? own : keys).every((key) => expectation[key] === undefined)) return false
  return !isPart(functionName) || expectation.member?.[functionName] !== undefined
}

const PARTS = [
  'type',
  'nonEmpty',
  'equals',
  'equalsIgnoringCase',
  'integerOrOneLess',
  'imfFixdate',
  'follows',
] as const satisfies readonly (keyof MemberCheck)[]

function isPart(name: string): name is (typeof PARTS)[number] {
  return PARTS.some((part) => part === name)
}

function onePerGround(): readonly Variant[] {
  return VARIANTS.filter(({ needs }, index) => VARIANTS.findIndex((other) => other.needs === needs) === index)
}

function idOf(subject: Subject): string {
  return 'variant' in subject ? subject.variant.id : subject.mutant.id
}
