/** The tests that a source file declares, by title, skipped ones included. */
export function declaredTests(source: string): readonly string[] {
  const calls = source.matchAll(/\b(?:(?:test|it)(?:\.\w+)?|t\.(?:skip|todo|only))\(\s*(['"`])(.+?)\1/g)
  return [...calls].map(([, , title = '']) => title)
}

/** What passed by the record of a run: TAP of any depth, assertions included, or the JSON of jest and vitest. */
export function passedTests(record: string): ReadonlySet<string> {
  if (!record.startsWith('{')) {
    // A directive, such as SKIP or TODO, stays on the title, which then is none that was declared.
    const points = record.matchAll(/^ *ok \d+ - (.*?)(?: # time=[\d.]+m?s)?$/gm)
    return new Set([...points].map(([, title = '']) => title))
  }
  const { testResults }: JsonRecord = JSON.parse(record)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return new Set(tests.filter(({ status }) => status === 'passed').map(({ title }) => title))
}

interface JsonRecord {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}
