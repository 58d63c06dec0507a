import t from 'tap'
import { alice, startService } from '../fixtures/service.js'
import { conformance as ofMocha } from './mocha.js'
import { conformance as ofVitest } from './vitest.js'

const ONE = { only: ['2.1/token-response'] }
const NOT_AWAITED = { message: /expected `await` before it/ }

t.test('a test of vitest fails where the tests run before the service is assessed', async (t) => {
  const { url } = await startService(t)
  const bodies: ((context: never) => void)[] = []
  const assessed = ofVitest((_, body) => bodies.push(body), { baseUrl: url, accounts: [alice] }, ONE)
  const [first] = bodies
  t.throws(() => first?.(undefined as never), NOT_AWAITED)
  await assessed
  t.doesNotThrow(() => first?.(undefined as never))
  t.ok(bodies.length > 1, 'and the cases')
})

t.test('vitest drops tests of a hook: there it is refused, also where it began before', async (t) => {
  const { url } = await startService(t)
  const shared = globalThis as { __vitest_worker__?: object }
  t.teardown(() => delete shared.__vitest_worker__)
  const titles: string[] = []
  const call = () => ofVitest((title) => titles.push(title), { baseUrl: url, accounts: [alice] }, ONE)
  const begun = call()
  shared.__vitest_worker__ = { current: { result: { state: 'run' } } }
  const refused = { message: /expected a call with `await` at the top of a file/ }
  await t.rejects(call(), refused)
  await t.rejects(begun, refused)
  t.equal(titles.length, 1, 'the first test of the one that began before')
})

t.test('a hook of mocha fails where its suite ends before the service is assessed', async (t) => {
  const { url } = await startService(t)
  class Suite {
    readonly hooks: (() => void)[] = []
    readonly tests: object[] = []
    readonly suites: Suite[] = []
    readonly ctx = {}
    afterAll(_: string, body: () => void): void {
      this.hooks.push(body)
    }
    addSuite(suite: Suite): void {
      this.suites.push(suite)
    }
    addTest(test: object): void {
      this.tests.push(test)
    }
  }
  class Test {
    constructor(
      readonly title: string,
      readonly parent?: Suite,
    ) {}
  }
  const parent = new Suite()
  const context = { timeout: () => undefined, test: new Test('contract', parent) }
  const assessed = ofMocha(context, { baseUrl: url, accounts: [alice] }, ONE)
  const [hook] = parent.hooks
  t.throws(() => hook?.(), NOT_AWAITED)
  await assessed
  t.doesNotThrow(() => hook?.())
  t.not(parent.suites[0]?.tests.length, 0)
})
