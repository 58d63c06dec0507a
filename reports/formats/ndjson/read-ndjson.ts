/** Whether a text begins as the `ndjson` format does. */
export function isNdjson(text: string): boolean {
  return /^\s*\{\s*"type"\s*:\s*"header"/.test(text)
}

/** What was read: a value of the shape of a report, which is still to be validated, or what is wrong and in which line. */
export type NdjsonReading = { readonly report: unknown } | { readonly problem: string; readonly line: number }

/**
 * Joins the lines of a streamed report. A complete one ends with the footer, and has a line for every id of the header.
 */
export function readNdjson(text: string): NdjsonReading {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const results = new Map<unknown, object>()
  let header: NdjsonLine | undefined
  let footer: NdjsonLine | undefined
  for (const [at, text] of lines.entries()) {
    const line = at + 1
    const value = parse(text)
    if (value === undefined) {
      return line === lines.length
        ? brokenOff(header, results.size, line)
        : { problem: 'expected one JSON object in a line', line }
    }
    const { type, ...rest } = value
    if (footer !== undefined) return { problem: 'expected nothing after the footer', line }
    if (header === undefined && type !== 'header') return { problem: 'expected the header first', line }
    if (header !== undefined && type === 'header') return { problem: 'expected only one header', line }
    if (type === 'header') header = rest
    else if (type === 'footer') footer = rest
    else if (type !== 'result') return { problem: 'expected a line of type `result` or `footer`', line }
    else if (results.has(rest.id))
      return { problem: 'expected one line for each result, found a second', line }
    else results.set(rest.id, rest)
  }
  if (header === undefined || footer === undefined) return brokenOff(header, results.size, lines.length)
  const { ids, plan, ...start } = header
  const planned = Array.isArray(ids) ? ids : []
  const missing = planned.filter((id) => !results.has(id))
  if (missing.length > 0 || results.size !== planned.length)
    return {
      problem: `${planned.length} results were planned, found the lines of ${results.size}`,
      line: lines.length,
    }
  const { observations, limits, trouble, accounts, stops, baseline, waived, tests: _, ...end } = footer
  const waivers = new Map<unknown, unknown>(Object.entries(waived ?? {}))
  const whole = (id: unknown): unknown =>
    waivers.has(id) ? { ...results.get(id), waived: waivers.get(id) } : results.get(id)
  // In the order of `report.json`.
  const found = {
    results: planned.map(whole),
    observations,
    limits,
    trouble,
    accounts,
    ...(stops === undefined ? {} : { stops }),
  }
  return { report: { ...start, ...end, ...found, ...(baseline === undefined ? {} : { baseline }), plan } }
}

type NdjsonLine = Readonly<Record<string, unknown>>

function brokenOff(header: NdjsonLine | undefined, results: number, line: number): NdjsonReading {
  const planned = Array.isArray(header?.ids) ? ` of ${header.ids.length}` : ''
  return {
    problem: `the report is incomplete after ${results}${planned} results: its run is still running or was killed, or the file was cut`,
    line,
  }
}

function parse(text: string): NdjsonLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // An object has members; which ones it has is asked of each.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as NdjsonLine)
      : undefined
  } catch {
    return undefined
  }
}
