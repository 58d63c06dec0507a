/**
 * The fragment that leads to a rule, a result or another thing of a report: readable, and free of everything that a URL or an attribute would
 * read otherwise. `~` begins an escape and is escaped itself, so two ids never share a fragment.
 */
export function anchor(kind: 'rule' | 'result' | 'case' | 'deployment', id: string): string {
  const safe = id.replace(
    /[^A-Za-z0-9._/-]/g,
    (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${kind}/${safe}`
}
