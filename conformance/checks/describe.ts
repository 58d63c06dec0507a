import type { Answer } from '../wire/answer.js'
import type { JsonMember } from '../wire/json-text.js'

const LONGEST = 200

/** Members whose values are credentials, and never shown. */
export function isSecretMember(name: string): boolean {
  return /(?:^|_)token$/i.test(name) || /password|secret/i.test(name)
}

/** A member's raw text as it may be shown. */
export function describeMember(answer: Answer, member: JsonMember): string {
  const { value } = member
  if (value.kind === 'string' && isSecretMember(member.name)) {
    return value.value === '' ? '""' : `‹${member.name} of ${value.value.length} characters›`
  }
  return cut(answer.text.replace(/^\ufeff/, '').slice(value.start, value.end))
}

export function describeBody(answer: Answer): string {
  return answer.text === '' ? 'an empty body' : cut(answer.text)
}

export function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}
