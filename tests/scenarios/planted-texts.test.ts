import t from 'tap'
import { plantTexts } from '../fixtures/planted-texts.js'

t.test('a text of a file reaches no terminal and no CI service as it is', (t) => plantTexts(t, 23))
