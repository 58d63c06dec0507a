import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'

/**
 * The ledger's text with the `cases` list of every rule as given, so that nobody types them. A rule that has cases now
 * loses its `later`; one that has lost its last case loses the list, and the spec check then asks for a reason.
 */
export function updateLedger(text: string, covered: ReadonlyMap<string, readonly string[]>): string {
  const document = parseDocument(text)
  const rows = document.get('requirements')
  if (!isSeq(rows)) return text
  for (const row of rows.items) {
    if (!isMap(row)) continue
    const cases = covered.get(String(row.get('id'))) ?? []
    if (cases.length === 0) row.delete('cases')
    else if (!same(row, cases)) {
      row.delete('later')
      row.set('cases', document.createNode(cases))
    }
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

function same(row: YAMLMap, cases: readonly string[]): boolean {
  const list = row.get('cases')
  if (!isSeq(list) || row.has('later')) return false
  return list.items.map((item) => (isScalar(item) ? String(item.value) : '')).join() === cases.join()
}
