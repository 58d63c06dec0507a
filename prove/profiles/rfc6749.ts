import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import { formValues } from '../../reference/http/form.js'
import { detailsOf, type Refusal } from '../../reference/refusal.js'
import { asIs, breaking } from '../mutants/mutant.js'
import { limited } from '../variants/refusals.js'
import { conforming, type Variant } from '../variants/variant.js'
import { changing, type ProfileProof } from './profile-proof.js'

const noValue: Partial<Behaviour> = {
  formValues: (form, name) => formValues(form, name).filter((value) => value !== ''),
}
const base: Variant = {
  id: 'rfc6749',
  description: 'Follows RFC 6749 where the specification leaves a choice.',
  needs: 'default',
  behaviour: () => noValue,
}

const rule = (name: string): string => `rfc6749:token-${name}`

function answered(refusals: readonly Refusal[], status: number, error: string): Partial<Behaviour> {
  const is = (refusal: Refusal): boolean => refusals.includes(refusal)
  return {
    errorStatus: (refusal) => (is(refusal) ? status : detailsOf(refusal).status),
    errorBody: (refusal) => (is(refusal) ? { error } : specifiedBehaviour.errorBody(refusal)),
  }
}

const headers = (...list: readonly (readonly [string, string])[]): Partial<Behaviour> => ({
  commonHeaders: () => list.map(([name, value]) => [name, value]),
})

export const rfc6749: ProfileProof = {
  shownElsewhere: { [rule('tls')]: 'conformance/properties/transport.test.ts' },
  variants: [
    base,
    ...changing(
      base,
      conforming({
        'rfc6749-more-directives: The cache headers have more directives than required.': headers(
          ['Cache-Control', 'private, No-Store, max-age=0'],
          ['Pragma', 'no-cache'],
          ['Expires', '-1'],
        ),
        'rfc6749-bare-errors: Errors have no description.': {
          errorBody: (refusal) => ({ error: detailsOf(refusal).error }),
        },
        'rfc6749-rate-limit: Token requests beyond 40 a second get 429.': limited(40),
      }),
    ),
  ],
  mutants: changing(base, [
    ...breaking([rule('empty-parameters')], asIs, {
      'rfc6749-empty-is-a-value: An empty password is treated as a wrong password.': { formValues },
    }),
    ...breaking([rule('unrecognised-parameters')], asIs, {
      'rfc6749-closed-form: A form with an unknown parameter is refused.': {
        parseForm: (bytes) => {
          const form = specifiedBehaviour.parseForm(bytes)
          const known = ['grant_type', 'username', 'password', 'scope', 'client_id']
          return { ...form, malformed: form.malformed || form.pairs.some(([name]) => !known.includes(name)) }
        },
      },
    }),
    ...breaking({ violates: [rule('repeated-parameters')], collateral: [rule('invalid-request')] }, asIs, {
      'rfc6749-first-value: The first value of a repeated parameter is used.': {
        formValues: (form, name) => noValue.formValues?.(form, name).slice(0, 1) ?? [],
      },
    }),
    ...breaking([rule('success-status')], asIs, {
      'rfc6749-created: A token response has status 201.': { successStatus: () => 201 },
    }),
    ...breaking([rule('success-media-type')], asIs, {
      'rfc6749-text-json: A token is sent as text/json.': { successMediaType: () => 'text/json' },
    }),
    ...breaking([rule('cache-control')], asIs, {
      'rfc6749-no-cache-control: There is no Cache-Control.': headers(['Pragma', 'no-cache']),
      'rfc6749-revalidated: Caches may store a token and must revalidate it.': headers(
        ['Cache-Control', 'no-cache'],
        ['Pragma', 'no-cache'],
      ),
    }),
    ...breaking([rule('pragma')], asIs, {
      'rfc6749-no-pragma: There is no Pragma.': headers(['Cache-Control', 'no-store']),
    }),
    ...breaking([rule('invalid-grant')], asIs, {
      'rfc6749-access-denied: Wrong credentials get another error code.': answered(
        ['wrong-password', 'unknown-user'],
        400,
        'access_denied',
      ),
      'rfc6749-unknown-user-401: An unknown user name gets 401.': answered(
        ['unknown-user'],
        401,
        'invalid_grant',
      ),
    }),
    ...breaking([rule('invalid-request')], asIs, {
      'rfc6749-missing-is-wrong: A missing password gets `invalid_grant`.': answered(
        ['no-password'],
        400,
        'invalid_grant',
      ),
      'rfc6749-repeated-is-wrong: A repeated parameter gets `invalid_grant`.': answered(
        ['repeated-parameter'],
        400,
        'invalid_grant',
      ),
    }),
    ...breaking([rule('error-media-type')], asIs, {
      'rfc6749-plain-errors: Errors are sent as text/plain.': { errorMediaType: () => 'text/plain' },
    }),
  ]),
}
