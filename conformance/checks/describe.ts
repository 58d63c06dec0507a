import type { Answer } from '../wire/answer.js'
import type { JsonMember } from '../wire/json-text.js'
import { isSecretMember, withoutSecretMembers } from './secret-members.js'

const LONGEST = 200

/** A member's raw text as it may be shown. */
export function describeMember(answer: Answer, member: JsonMember): string {
  const { value } = member
  if (isSecretMember(member.name) && value.kind !== 'literal') {
    if (value.kind !== 'string')
      return `‹${member.name}, ${value.kind === 'number' ? 'a' : 'an'} ${value.kind}›`
    return value.value === '' ? '""' : `‹${member.name} of ${value.value.length} characters›`
  }
  return cut(withoutSecretMembers(answer.text.replace(/^\ufeff/, '').slice(value.start, value.end)))
}

export function describeBody(answer: Answer): string {
  return answer.text === '' ? 'an empty body' : cut(withoutSecretMembers(answer.text))
}

/** The names of the body's members, where it is an object: what there is in place of one that is missing. */
export function describeMembers(answer: Answer): string {
  const { root } = answer.json
  if (root?.kind !== 'object') return describeBody(answer)
  if (root.members.length === 0) return 'an object without members'
  return cut(`the members ${root.members.map(({ name }) => name).join(', ')}`)
}

export function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}
