/** What stands for the `:names` of a pattern, decoded; `undefined` where the path is another one. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const found = path.split('/')
  if (wanted.length !== found.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const given = found[index] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== given) return undefined
      continue
    }
    const value = decoded(given)
    if (value === undefined || value === '') return undefined
    params[segment.slice(1)] = value
  }
  return params
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
