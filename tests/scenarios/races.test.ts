import t from 'tap'
import { testRaces } from '../fixtures/race-service.js'

testRaces(t, [1])
