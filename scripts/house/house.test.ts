import t from 'tap'
import { callPathProblems } from './call-path.js'
import { importsUpwards } from './imports-upwards.js'
import { usesOf, wordsOf } from './words.js'

t.test('a way is as it is written only where each calls the next', async (t) => {
  const root = t.testdir({
    'a.ts': 'export function a() { later(() => b.send(1)) }',
    'b.ts': 'export class B { async send() { return this.#once() } #once() { return dispatch() } }',
  })
  const send = { name: 'send', file: 'b.ts' }
  const [first, last] = [{ name: 'a', file: 'a.ts' }, { name: 'dispatch' }]
  t.strictSame(callPathProblems(root, [first, send, { name: '#once', file: 'b.ts' }, last]), [])
  t.strictSame(callPathProblems(root, [first, send, last]), ['send in b.ts does not call dispatch'])
  t.strictSame(callPathProblems(root, [{ name: 'c', file: 'a.ts' }, send]), ['a.ts has no function c'])
})

t.test('of two parts that import each other, the fewer imports lead upwards', async (t) => {
  const texts = new Map([
    ['cli/a/x.ts', "import './y.js'\nimport { b } from '../b.js'"],
    ['cli/a/y.ts', "import type { B } from '../b.js'"],
    ['cli/b.ts', "const a = await import('./a/x.js')"],
    ['cli/b.test.ts', "import './a/x.js'\nimport './a/y.js'"],
  ])
  t.equal(importsUpwards(['cli'], texts), 1)
  t.equal(importsUpwards(['spec'], texts), 0)
})

t.test('words are found in names, messages and comments, and in pages', async (t) => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program that is read
  const program = wordsOf('x.ts', '// No world here.\nconst newWorld = `a ${least} World`\n/** worldly */\n')
  t.equal(usesOf({ not: 'worlds?' }, program), 3)
  t.equal(usesOf({ not: '=least' }, program), 1)
  t.equal(usesOf({ not: '=World' }, program), 0)
  t.equal(usesOf({ not: 'worlds?' }, wordsOf('x.md', 'Two worlds\n\na world')), 2)
})
