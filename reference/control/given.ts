/** The members that have a value: with exact optional types, `undefined` is not the same as absent. */
export function given<T extends Record<string, unknown>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  // The keys are those of the argument.
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
