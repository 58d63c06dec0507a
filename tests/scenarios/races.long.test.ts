import t from 'tap'
import { seeds } from '../fixtures/effort.js'
import { testRaces } from '../fixtures/race-service.js'

testRaces(t, seeds(4))
