import t from 'tap'
import { fieldScenario, SCENARIOS } from '../fixtures/field-scenarios.js'

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

for (const name of Object.keys(SCENARIOS)) t.test(name, (t) => fieldScenario(t, name, { seeds, runs: 5 }))
