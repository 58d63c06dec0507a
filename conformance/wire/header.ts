import type { HeaderList } from '../../spec/types.js'

/** The values of a header, in the order they came; names have no case. */
export function headerValues(headers: HeaderList, name: string): readonly string[] {
  const lower = name.toLowerCase()
  return headers.filter(([key]) => key.toLowerCase() === lower).map(([, value]) => value)
}
