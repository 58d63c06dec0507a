import { EventEmitter } from 'node:events'
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

class Suite {
  readonly hooks: (() => void)[] = []
  readonly tests: Test[] = []
  readonly suites: Suite[] = []
  readonly ctx = {}
  afterAll(_: string, body: () => void): void {
    this.hooks.push(body)
  }
  addSuite(suite: Suite): void {
    this.suites.push(suite)
  }
  addTest(test: Test): void {
    this.tests.push(test)
  }
}
class Test {
  state?: string
  constructor(
    readonly title: string,
    readonly parent?: Suite,
  ) {}
}

t.test('a hook of mocha fails where its suite ends before the service is assessed', async (t) => {
  const { url } = await startService(t)
  const parent = new Suite()
  const context = { timeout: () => undefined, test: new Test('contract', parent) }
  const assessed = ofMocha(context, { baseUrl: url, accounts: [alice] }, ONE)
  const [hook] = parent.hooks
  t.throws(() => hook?.(), NOT_AWAITED)
  await assessed
  t.doesNotThrow(() => hook?.())
  t.not(parent.suites[0]?.tests.length, 0)
})

t.test('it fails where the cases that fail are left out, as by `--grep`', async (t) => {
  const { url } = await startService(t, { behaviour: { tokenType: () => 'Bearer' } })
  const parent = new Suite()
  const context = { timeout: () => undefined, test: new Test('contract', parent) }
  await ofMocha(context, { baseUrl: url, accounts: [alice] }, ONE)
  const [hook] = parent.hooks
  t.throws(() => hook?.(), {
    message: /^conformance: 1 of its cases would fail, .* "default\/2\.1\/token-response/,
  })
  for (const test of parent.suites[0]?.tests ?? []) test.state = 'failed'
  t.doesNotThrow(() => hook?.())
})

/** A suite of mocha that has no test yet, as `this` in a `describe`. */
class DescribedSuite extends EventEmitter {
  readonly ctx = {}
  readonly hooks: Hook[] = []
  readonly tests: Hook[] = []
  timeout(): void {}
  afterAll(title: string, body: () => void): void {
    const hook = new Hook(title, body)
    this.hooks.push(hook)
    this.emit('afterAll', hook)
  }
  addTest(test: Hook): void {
    this.tests.push(test)
  }
}

class Hook {
  readonly type = 'hook'
  tries: number | undefined
  constructor(
    readonly title: string,
    readonly body: () => void,
  ) {}
  retries(count: number): void {
    this.tries = count
  }
}

const MISPLACED = { code: 'usage', message: /expected a call with `await` in a test of its own/ }

t.test('mocha drops the promise of a `describe`: a test of the suite fails, or its last hook', async (t) => {
  for (const shownBy of ['tests', 'hooks'] as const) {
    const suite = new DescribedSuite()
    const refused = ofMocha(suite, { baseUrl: 'http://127.0.0.1:9' })
    const [failing] = suite[shownBy]
    t.equal(suite.tests.length, 1, 'or its hooks do not run')
    t.equal(suite.tests[0]?.tries, 0)
    t.throws(() => failing?.body(), MISPLACED, shownBy)
    for (const { body } of [...suite.tests, ...suite.hooks]) t.doesNotThrow(body, 'the error is shown once')
    await t.rejects(refused, MISPLACED)
  }
})

t.test('a hook of mocha, and what has no test, are refused even without `await`', async (t) => {
  const call = (context: unknown) => () => void ofMocha(context as never, { baseUrl: 'http://127.0.0.1:9' })
  const hook = Object.assign(new Hook('"before each" hook', () => undefined), {
    parent: new DescribedSuite(),
  })
  t.throws(call({ timeout: () => undefined, test: hook }), MISPLACED)
  t.throws(call(undefined), { message: /an arrow function does not have/ })
})
