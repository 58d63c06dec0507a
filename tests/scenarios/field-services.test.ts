import t from 'tap'
import { fieldScenario, SCENARIOS } from '../fixtures/field-scenarios.js'

for (const name of Object.keys(SCENARIOS))
  t.test(name, (t) => fieldScenario(t, name, { seeds: [1], runs: 5 }))
