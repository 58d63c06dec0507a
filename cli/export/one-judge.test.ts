import t from 'tap'
import { bundleJudge } from '../../tools/bundle-judge.js'
import { k6Runtime } from './generated/k6-runtime.js'

t.test('the bundle is made from these sources: npm run generate', async (t) => {
  const bundle = await bundleJudge()
  t.ok(bundle === k6Runtime)
  // In k6 2.2 an object that is freed may leave its entry in a weak map to the next one.
  t.notMatch(bundle, '__privateAdd')
})
