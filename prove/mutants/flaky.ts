import { specifiedBehaviour } from '../../reference/behaviour.js'
import { errorBody } from '../../reference/refusal.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, carriesToken, FAILURE, oneIn, passwordRules, sometimes } from './overrides.js'

/** Where a valid request may be refused, every rule that needs one may fail. */
const refusals = ['4.1-R3', '4.1-form-encoding', '4.1-content-type-spelling', '5-R1', '8-R1']

/** 4.1, 7, 8: requests that are treated rightly nearly always. */
export const flakyMutants: readonly Mutant[] = [
  ...breaking({ violates: ['1-exchange'], collateral: refusals }, asIs, {
    'one-refusal-in-fifty: One right password in fifty is refused.': () => {
      const isDue = oneIn(50)
      return { signIn: ({ matches, account }) => (matches && !isDue() ? account : undefined) }
    },
  }),
  ...breaking({ violates: [], expect: 'cantTell' }, asIs, {
    'one-failure-in-fifty: One grant in fifty fails with status 500.': sometimes((due) =>
      answers((answer) => (carriesToken(answer) && due() ? FAILURE : answer)),
    ),
  }),
  ...breaking(['4.1-success'], asIs, {
    'one-status-in-fifty: One token in fifty has status 400.': sometimes((due) => ({
      successStatus: () => (due() ? 400 : 200),
    })),
  }),
  ...breaking({ violates: ['7-token-error-body'], collateral: ['4.1-R2'] }, asIs, {
    'one-error-in-thirty: One answer in thirty to a wrong media type has a description.': sometimes(
      (due) => ({
        errorBody: (refusal) =>
          refusal === 'wrong-media-type' && due()
            ? { error: 'unsupported_grant_type', error_description: 'The media type is wrong.' }
            : errorBody(refusal),
      }),
      30,
    ),
  }),
  ...breaking(['4.1-content-type'], asIs, {
    'one-media-type-in-fifty: One wrong media type in fifty is accepted.': sometimes((due) => ({
      acceptsMediaType: (type) => specifiedBehaviour.acceptsMediaType(type) || due(),
    })),
  }),
  ...breaking(
    {
      violates: ['8-R1'],
      collateral: [
        ...['8-minimum-length', '8-require-non-letter-or-digit', '8-require-digit', '8-require-lowercase'],
        ...['8-require-uppercase', '7-one-per-violation'],
      ],
    },
    asIs,
    {
      'one-weak-password-in-thirty: One weak password in thirty is accepted.': sometimes(
        (due) => passwordRules((violated) => (violated.length > 1 && due() ? [] : violated)),
        30,
      ),
    },
  ),
]
