/** The tests that a source file declares, by title, skipped ones included. */
export function declaredTests(source: string): readonly string[] {
  const calls = source.matchAll(/\b(?:(?:test|it)(?:\.\w+)?|t\.(?:skip|todo|only))\(\s*(['"`])(.+?)\1/g)
  return [...calls].map(([, , title = '']) => title)
}

/** What passed by the record of a run: TAP of any depth, assertions included, or the JSON of jest, vitest and mocha. */
export function passedTests(record: string): ReadonlySet<string> {
  if (!record.startsWith('{')) {
    // A directive, such as SKIP or TODO, stays on the title, which then is none that was declared.
    const points = record.matchAll(/^ *ok \d+ - (.*?)(?: # time=[\d.]+m?s)?$/gm)
    return new Set([...points].map(([, title = '']) => title))
  }
  const { testResults = [], passes = [] }: JsonRecord = JSON.parse(record)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = [...tests.filter(({ status }) => status === 'passed'), ...passes]
  return new Set(passed.map(({ title }) => title))
}

interface JsonRecord {
  /** Of mocha. */
  readonly passes?: readonly { readonly title: string }[]
  /** Of jest and vitest. */
  readonly testResults?: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}
