/** The examples that have runners of their own: how their runs are read, which `npm run test:examples` does. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { declaredTests, passedTests } from '../../tools/example-tests.js'

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

t.test('every test that a file declares is expected, whatever keeps it from running', async (t) => {
  const source = `
    test('one', async () => {})
    t.test("two: it's so", (t) => t.end())
    it(\`three\`, () => undefined)
    test.skip(
      'four', () => undefined)
    it.todo('five')
    t.skip('six', async () => {})
    /* no test( at all */ latest('seven')
  `
  t.strictSame(declaredTests(source), ['one', "two: it's so", 'three', 'four', 'five', 'six'])
})

t.test('of TAP, what passed is what is ok without a directive, at any depth', async (t) => {
  const passed = passedTests(`TAP version 14
# Subtest: tap/x.test.ts
    # Subtest: one
        ok 1 - an assertion
        1..1
    ok 1 - one # time=25.593ms
    not ok 2 - two # time=3ms
    ok 3 - three # SKIP not here
    ok 4 - four # TODO
    # Subtest: five
    1..5
not ok 1 - tap/x.test.ts # time=141ms
`)
  t.strictSame([...passed], ['an assertion', 'one', 'three # SKIP not here', 'four # TODO'])
  t.notOk(['two', 'three', 'four', 'five'].some((title) => passed.has(title)))
})

t.test('of the JSON of jest and vitest, what has passed', async (t) => {
  const assertionResults = ['passed', 'failed', 'pending', 'skipped', 'todo'].map((status) => ({
    title: `is ${status}`,
    status,
  }))
  const passed = passedTests(
    JSON.stringify({ testResults: [{ assertionResults }, { assertionResults: [] }] }),
  )
  t.strictSame([...passed], ['is passed'])
})

t.test('of the JSON of mocha, what has passed', async (t) => {
  const [passes, failures, pending] = ['passed', 'failed', 'pending'].map((was) => [{ title: `has ${was}` }])
  const tests = [passes, failures, pending].flat()
  t.strictSame([...passedTests(JSON.stringify({ tests, passes, failures, pending }))], ['has passed'])
})

t.test('a run of nothing passes nothing', async (t) => {
  for (const record of ['', 'TAP version 13\n1..0 # no tests found\n', '{"testResults":[]}'])
    t.equal(passedTests(record).size, 0)
})

t.test('what shares the folder above leaves it as it was', async (t) => {
  // tap builds its test class anew, for everybody, when it is run with other plugins.
  t.strictSame(parse(read('examples/.taprc')).plugin, parse(read('.taprc')).plugin)
  // npm would run `prepare` of the linked folder, which builds it anew.
  t.match(read('examples/.npmrc'), /^ignore-scripts=true$/m)
  t.equal(JSON.parse(read('examples/package-lock.json')).packages['node_modules/token-assay'].link, true)
})
