import type { Answer } from '../wire/answer.js'
import type { JsonMember } from '../wire/json-text.js'

/**
 * The member of that name, or the one that stands in its place: other case, or another mark (or none) before it.
 * So a dot left out breaks 2.1-R1 alone, and the value is still judged by the rules on the value.
 */
export function findMember(answer: Answer, name: string): JsonMember | undefined {
  const exact = answer.member(name)
  const root = answer.json.root
  if (exact !== undefined || root?.kind !== 'object') return exact
  const bare = bareName(name)
  return root.members.findLast((member) => bareName(member.name) === bare)
}

function bareName(name: string): string {
  return name.replace(/^[^\p{L}\p{N}]+/u, '').toLowerCase()
}
