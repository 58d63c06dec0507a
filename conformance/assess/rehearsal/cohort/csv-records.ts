/**
 * The records of CSV (RFC 4180): fields between commas, or semicolons where the first line has no comma; in quotes a field
 * may have line ends, and two quotes for one. Empty lines are skipped.
 * @throws Error for a record that is longer, and for a quote that does not end
 */
export async function* csvRecords(
  chunks: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<readonly string[]> {
  let rest = ''
  let separator: string | undefined
  for await (const chunk of chunks) {
    const text = rest + chunk
    const { records, used } = recordsIn(text)
    for (const record of records) {
      separator ??= record.includes(',') ? ',' : ';'
      if (record !== '') yield fieldsOf(record, separator)
    }
    rest = text.slice(used)
    if (rest.length > maxLength) throw new Error('a record is too long')
  }
  if (countQuotes(rest) % 2 === 1) throw new Error('a quote has no end')
  separator ??= rest.includes(',') ? ',' : ';'
  if (rest !== '') yield fieldsOf(rest, separator)
}

/** The whole records at the beginning of a text, and how much of it they are. A line that ends inside quotes does not end a record. */
function recordsIn(text: string): { readonly records: readonly string[]; readonly used: number } {
  const records: string[] = []
  let used = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    if (text[at] !== '\n' || isQuoted) continue
    records.push(text.slice(used, at).replace(/\r$/, ''))
    used = at + 1
  }
  return { records, used }
}

function fieldsOf(record: string, separator: string): readonly string[] {
  const fields: string[] = []
  let field = ''
  for (const part of record.split(separator)) {
    field = field === '' ? part : `${field}${separator}${part}`
    // A separator inside quotes is part of the field.
    if (countQuotes(field) % 2 === 1) continue
    fields.push(unquoted(field))
    field = ''
  }
  return field === '' ? fields : [...fields, unquoted(field)]
}

function unquoted(field: string): string {
  const [, inner] = /^\s*"([\s\S]*)"\s*$/.exec(field) ?? []
  return inner === undefined ? field : inner.replaceAll('""', '"')
}

function countQuotes(text: string): number {
  return text.split('"').length - 1
}
