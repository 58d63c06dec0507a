import { readFileSync } from 'node:fs'
import t from 'tap'
import { RUNTIME } from '../../tests/fixtures/k6/exported.js'
import { bundleJudge } from '../../tools/bundle-judge.js'

t.test('the bundle is made from these sources: npm run generate', async (t) => {
  const bundle = await bundleJudge()
  t.ok(bundle === readFileSync(RUNTIME, 'utf8'))
  // In k6 2.2 an object that is freed may leave its entry in a weak map to the next one.
  t.notMatch(bundle, '__privateAdd')
})
