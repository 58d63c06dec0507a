import t from 'tap'
import { compareJudges } from '../../tests/fixtures/k6/compare-judges.js'

t.test('on every mutant', compareJudges)
