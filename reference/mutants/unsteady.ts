import { specifiedBehaviour } from '../behaviour.js'
import { errorBody } from '../refusal.js'
import type { Mutant } from './mutant.js'
import { answers, carriesToken, oneIn, sometimes } from './overrides.js'
import { mutants } from './row.js'

/** Where a valid request may be refused, whichever rule asks for it may go red. */
const refusals = ['4.1-R3', '4.1-form-encoding', '4.1-content-type-spelling', '5-R1', '8-R1']

/** 4.1, 7, 8: requests that are treated rightly nearly always. */
export const unsteadyMutants: readonly Mutant[] = mutants([
  {
    id: 'one-refusal-in-fifty',
    sentence: 'One right password in fifty is refused.',
    violates: ['1-exchange'],
    collateral: refusals,
    behaviour: () => {
      const isDue = oneIn(50)
      return { signIn: ({ matches, account }) => (matches && !isDue() ? account : undefined) }
    },
  },
  {
    id: 'one-failure-in-fifty',
    sentence: 'One grant in fifty fails with status 500.',
    violates: ['1-exchange'],
    collateral: [...refusals, '4.2-external-login', '5-R3'],
    behaviour: sometimes((due) =>
      answers((answer) => (carriesToken(answer) && due() ? { status: 500, headers: [], body: '' } : answer)),
    ),
  },
  {
    id: 'one-status-in-fifty',
    sentence: 'One token in fifty comes with status 400.',
    violates: ['4.1-success'],
    behaviour: sometimes((due) => () => ({ successStatus: () => (due() ? 400 : 200) })),
  },
  {
    id: 'one-error-in-thirty',
    sentence: 'One answer in thirty to a wrong media type has a description.',
    violates: ['7-token-error-body'],
    collateral: ['4.1-R2'],
    behaviour: sometimes(
      (due) => () => ({
        errorBody: (refusal) =>
          refusal === 'wrong-media-type' && due()
            ? { error: 'unsupported_grant_type', error_description: 'The media type is wrong.' }
            : errorBody(refusal),
      }),
      30,
    ),
  },
  {
    id: 'one-media-type-in-fifty',
    sentence: 'One wrong media type in fifty is let through.',
    violates: ['4.1-content-type'],
    behaviour: sometimes((due) => () => ({
      acceptsMediaType: (type) => specifiedBehaviour.acceptsMediaType(type) || due(),
    })),
  },
  {
    id: 'one-weak-password-in-thirty',
    sentence: 'One weak password in thirty is accepted.',
    violates: ['8-R1'],
    collateral: [
      ...['8-minimum-length', '8-require-non-letter-or-digit', '8-require-digit', '8-require-lowercase'],
      ...['8-require-uppercase', '7-one-per-violation'],
    ],
    behaviour: sometimes(
      (due) => () => ({
        violatedRules: (password, policy) => {
          const violated = specifiedBehaviour.violatedRules(password, policy)
          return violated.length > 1 && due() ? [] : violated
        },
      }),
      30,
    ),
  },
])
