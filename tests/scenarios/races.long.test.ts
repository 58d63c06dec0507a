import t from 'tap'
import { testRaces } from '../fixtures/race-service.js'

testRaces(
  t,
  Array.from({ length: 20 }, (_, index) => index + 1),
)
