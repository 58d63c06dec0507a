import t from 'tap'
import type { Finding } from '../../../spec/generated/types/differential.js'
import { sampleDifferential } from '../../fixtures/sample-differential.js'
import { differentialSentence } from './words.js'

const [first] = sampleDifferential.findings

t.test('the last line says how many changes break sign-in, and how many registration', async (t) => {
  const sentence = (...all: Finding['hurts'][]): string =>
    differentialSentence({
      ...sampleDifferential,
      findings: all.map((hurts) => ({ ...(first as Finding), hurts })),
    })
  t.match(sentence('sign-in'), 'notice, which breaks sign-in, in')
  t.match(sentence('registration'), 'notice, which breaks registration, in')
  t.match(sentence('answers'), 'notice, which breaks neither sign-in nor registration, in')
  t.match(sentence('answers', 'headers'), 'notice, none of which breaks sign-in or registration, in')
  t.match(sentence('registration', 'none'), 'notice, 1 of them breaks registration, in')
  t.match(
    sentence('sign-in', 'sign-in', 'registration'),
    'notice, 2 of them break sign-in, 1 breaks registration, in',
  )
})
