import { readFileSync } from 'node:fs'
import t from 'tap'
import { bundleK6 } from '../../../scripts/bundle-k6.js'
import { compareJudges } from '../../../tests/fixtures/k6/compare-judges.js'
import { RUNTIME } from '../../../tests/fixtures/k6/exported.js'

t.test('the bundle is made from these sources: npm run generate', async (t) => {
  t.ok((await bundleK6()) === readFileSync(RUNTIME, 'utf8'))
})

t.test('on one mutant in ten', (t) => compareJudges(t, 10))
