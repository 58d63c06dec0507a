import t from 'tap'
import { plantTexts } from '../fixtures/planted-texts.js'

t.test('no text of a file reaches a terminal or a CI service as it is', plantTexts)
