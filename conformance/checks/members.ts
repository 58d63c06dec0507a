import type { Answer } from '../wire/answer.js'
import { describeMembers, pointerTo } from './describe.js'
import { type Finding, HOLDS } from './finding.js'
import { findMember } from './loose-name.js'

/** 4.2: the properties of section 2.1 are there; each value has a rule of its own. */
export function checkHasMembers(answer: Answer, names: readonly string[]): Finding {
  const missing = names.find((name) => answer.member(name) === undefined)
  if (missing === undefined) return HOLDS
  return {
    kind: 'broken',
    message: `\`${missing}\` is missing`,
    expected: names.join(', '),
    actual: describeMembers(answer),
    pointer: pointerTo(missing),
  }
}

/** Decision 4: under `--strict` the token response holds the members of section 2.1 and no other. */
export function checkOnlyMembers(answer: Answer, names: readonly string[]): Finding {
  const { root } = answer.json
  const other = root?.kind === 'object' ? root.members.find(({ name }) => !names.includes(name)) : undefined
  if (other === undefined) return HOLDS
  return {
    kind: 'broken',
    message: `\`${other.name}\` is a member that section 2.1 does not list`,
    expected: names.join(', '),
    actual: other.name,
    pointer: pointerTo(other.name),
  }
}

/** 2.1-R1: a member that stands in the place of the named one, under another spelling. */
export function checkExactNames(answer: Answer, names: readonly string[]): Finding {
  const members = names.map((name) => ({ name, member: findMember(answer, name) }))
  const misnamed = members.find(({ name, member }) => member !== undefined && member.name !== name)
  if (misnamed?.member !== undefined) {
    const { name, member } = misnamed
    return {
      kind: 'broken',
      message: `\`${member.name}\` stands where \`${name}\` is expected`,
      expected: name,
      actual: member.name,
      pointer: pointerTo(member.name),
    }
  }
  // That it is missing breaks the rule on its value; its name cannot be judged.
  const missing = members.find(({ member }) => member === undefined)
  if (missing === undefined) return HOLDS
  return { kind: 'undecided', reason: `the answer has no \`${missing.name}\`, by whatever name` }
}
