import t from 'tap'
import { seeds } from '../fixtures/effort.js'
import { fieldScenario, SCENARIOS } from '../fixtures/field-scenarios.js'

for (const name of Object.keys(SCENARIOS))
  t.test(name, (t) => fieldScenario(t, name, { seeds: seeds(1), runs: 5 }))
