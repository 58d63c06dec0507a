/**
 * A copy of what a program gave, which may change later: lists and objects, without members that are `undefined`. All else
 * is kept as it is, for a schema to judge.
 */
export function plainCopy(given: unknown): { readonly value: unknown } | 'too deep' {
  try {
    return { value: copyOf(given) }
  } catch (error) {
    if (error instanceof RangeError) return 'too deep'
    throw error
  }
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, copyOf(member)]])),
  )
}
