import { pointerTo } from './position.js'

/** A `$root.path` in a string of a template, and the JSON pointer of that string. */
export interface Reference {
  readonly root: string
  readonly pointer: string
}

/** Every `$reference` in the strings of a value; `$$` is a literal `$`. */
export function referencesIn(value: unknown, pointer: string): readonly Reference[] {
  if (typeof value === 'string' && !value.includes('$')) return []
  if (typeof value === 'string')
    return [...value.matchAll(/\$\$|\$([A-Za-z]\w*)/g)].flatMap(([, root]) =>
      root === undefined ? [] : [{ root, pointer }],
    )
  if (typeof value !== 'object' || value === null) return []
  // An array's entries have their indices as keys.
  return Object.entries(value).flatMap(([key, item]) => referencesIn(item, pointerTo(pointer, key)))
}
