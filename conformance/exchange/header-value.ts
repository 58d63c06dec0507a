import type { HeaderList } from '../../spec/types.js'

/** The first value under that name, in lower case here, as HTTP compares names; without outer white space. */
export function headerValue(headers: HeaderList, lowerCaseName: string): string | undefined {
  for (const [name, value] of headers)
    if (name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) return value.trim()
  return undefined
}
