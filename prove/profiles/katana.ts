import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import { formValues } from '../../reference/http/form.js'
import type { Refusal } from '../../reference/refusal.js'
import { tokenMembers } from '../../reference/token-response.js'
import { asIs, breaking } from '../mutants/mutant.js'
import { refusedBy } from '../mutants/overrides.js'
import { conforming, type Variant } from '../variants/variant.js'
import { katana, modelState, NO_CACHE, SESSION, settingCookie } from './as-katana.js'
import { changing, type ProfileProof } from './profile-proof.js'

const base: Variant = {
  id: 'katana',
  description: 'Keeps the specification, and is as Katana in all else.',
  needs: 'default',
  behaviour: () => katana,
  options: { bodyLimitBytes: 4 * 1024 * 1024 },
}

const rule = (name: string): string => `katana:token-${name}`

function without(header: string): Partial<Behaviour> {
  return { commonHeaders: () => NO_CACHE.filter(([name]) => name !== header) }
}

function answered(refusal: Refusal, body: { readonly error: string; readonly error_description?: string }) {
  return {
    errorBody: (other: Refusal) => (other === refusal ? { ...body } : specifiedBehaviour.errorBody(other)),
  } satisfies Partial<Behaviour>
}

export const katanaProof: ProfileProof = {
  shownElsewhere: {},
  variants: [
    base,
    ...changing(
      base,
      conforming({
        'katana-registers-otherwise: Rejections have another status.': { rejectedStatus: () => 422 },
        'katana-long-tokens: Tokens are as long as protected tickets.': {
          newAccessToken: (bearer) => specifiedBehaviour.newAccessToken(bearer).repeat(8),
        },
      }),
    ),
  ],
  mutants: changing(base, [
    ...breaking([rule('media-type')], asIs, {
      'katana-spaced-media-type: The media type has a space.': {
        successMediaType: () => 'application/json; charset=UTF-8',
      },
      'katana-lower-case-charset: The charset of errors is in lower case.': {
        errorMediaType: () => 'application/json;charset=utf-8',
      },
    }),
    ...breaking([rule('caching')], asIs, {
      'katana-no-store: Answers have Cache-Control: no-store.': {
        commonHeaders: () => [['Cache-Control', 'no-store'], ...NO_CACHE.slice(1)],
      },
      'katana-no-pragma: There is no Pragma.': without('Pragma'),
      'katana-no-expires: Answers have no Expires.': without('Expires'),
    }),
    ...breaking([rule('status')], asIs, {
      'katana-created: A token response has status 201.': { successStatus: () => 201 },
    }),
    ...breaking([rule('order')], asIs, {
      'katana-sorted: The members are sorted by name.': {
        tokenMembers: (grant) => tokenMembers(grant).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      },
      'katana-user-name-last: The user name comes last.': {
        tokenMembers: (grant) => {
          const members = tokenMembers(grant)
          return [
            ...members.filter(([name]) => name !== 'userName'),
            ...members.filter(([name]) => name === 'userName'),
          ]
        },
      },
    }),
    ...breaking([rule('compact')], asIs, {
      'katana-indented: The JSON is indented.': {
        renderMembers: (members) => JSON.stringify(Object.fromEntries(members), null, 2),
      },
      'katana-indented-errors: The JSON of errors is indented.': {
        renderError: (body) => JSON.stringify(body, null, 2),
      },
    }),
    ...breaking([rule('another-token')], asIs, {
      'katana-one-token: An account has one token.': () => {
        const tokens = new Map<string, string>()
        return {
          newAccessToken: (bearer) => {
            const token = tokens.get(bearer.userId) ?? specifiedBehaviour.newAccessToken(bearer)
            tokens.set(bearer.userId, token)
            return token
          },
        }
      },
    }),
    ...breaking([rule('wrong-credentials')], asIs, {
      'katana-no-description: Wrong passwords have no description.': answered('wrong-password', {
        error: 'invalid_grant',
      }),
      'katana-unauthorized: Wrong passwords get 401.': refusedBy(401, 'wrong-password'),
    }),
    ...breaking(
      {
        violates: [rule('wrong-credentials')],
        collateral: [rule('outer-space'), rule('repeated-parameters')],
      },
      asIs,
      {
        'katana-unknown-user: An unknown user gets another error code.': () =>
          answered('unknown-user', { error: 'unknown_user' }),
      },
    ),
    ...breaking([rule('outer-space')], asIs, {
      'katana-trims: White space around a user name does not matter.': {
        userNameKey: (name) => name.trim().toLowerCase(),
      },
    }),
    ...breaking([rule('path-case')], asIs, {
      'katana-path-with-case: The path is case-sensitive.': {
        isTokenPath: (path, basePath) => path === `${basePath}/Token`,
      },
    }),
    ...breaking([rule('path-slash')], asIs, {
      'katana-path-with-slash: A trailing slash in the path is accepted.': {
        isTokenPath: (path, basePath) =>
          path.toLowerCase().replace(/\/$/, '') === `${basePath}/token`.toLowerCase(),
      },
    }),
    ...breaking([rule('parameter-case')], asIs, {
      'katana-parameters-with-case: The letter case of parameters matters.': {
        formValues: (form, name) => {
          const values = formValues(form, name)
          return values.length === 0 ? [] : [values.join(',')]
        },
      },
    }),
    ...breaking([rule('repeated-parameters')], asIs, {
      'katana-first-value: The first value of a repeated parameter is used.': {
        formValues: (form, name) =>
          form.pairs
            .filter(([given]) => given.toLowerCase() === name)
            .map(([, value]) => value)
            .slice(0, 1),
      },
      'katana-no-repetition: A repeated parameter gets `invalid_request`.': {
        formValues: (form, name) =>
          form.pairs.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value),
      },
    }),
    ...breaking([rule('further-parameters')], asIs, {
      'katana-no-clients: A request with a client_id is refused.': {
        parseForm: (bytes) => {
          const form = specifiedBehaviour.parseForm(bytes)
          return { ...form, malformed: form.pairs.some(([name]) => name === 'client_id') }
        },
      },
    }),
    ...breaking([rule('cors')], asIs, {
      'katana-cors: Pages from any origin may read the answer.': {
        commonHeaders: () => [...NO_CACHE, ['Access-Control-Allow-Origin', '*']],
      },
    }),
    ...breaking([rule('cookie')], asIs, {
      'katana-no-cookie: There is no session cookie.': { deliver: settingCookie(undefined) },
      'katana-other-cookie: The session cookie has another name.': {
        deliver: settingCookie(SESSION.replace('.AspNet', 'AspNetCore')),
      },
    }),
    ...breaking([rule('user-name-case')], asIs, {
      'katana-names-with-case: The letter case of a user name matters.': {
        userNameKey: (name) => name,
      },
    }),
    ...breaking([rule('large-body')], asIs, {
      'katana-small-bodies: A form of a megabyte is refused.': {
        behaviour: {},
        options: { bodyLimitBytes: 1024 * 1024 },
      },
    }),
    ...breaking(['katana:account-model-state'], asIs, {
      'katana-camel-case: A rejection has `message` and `modelState`.': {
        rejectedBody: modelState('message', 'modelState'),
      },
      'katana-other-message: A rejection has another `Message`.': {
        rejectedBody: modelState('Message', 'ModelState', 'Invalid.'),
      },
    }),
    ...breaking(['katana:account-taken'], asIs, {
      'katana-taken-as-in-core: A taken name is answered in the words of ASP.NET Core.': {
        rejectedBody: (errors) =>
          modelState(
            'Message',
            'ModelState',
          )(
            errors.map((error) =>
              error.replace(/^Name (.*) is already taken\.$/, "Username '$1' is already taken."),
            ),
          ),
      },
      'katana-address-unquoted: A taken address is answered without quotation marks.': {
        rejectedBody: (errors) =>
          modelState(
            'Message',
            'ModelState',
          )(errors.map((error) => error.replace(/^Email '(.*)' is already/, 'Email $1 is already'))),
      },
    }),
    ...breaking(['katana:account-empty-answer'], asIs, {
      'katana-created-account: A registration is answered 201.': { registeredStatus: () => 201 },
      'katana-account-in-answer: A registration is answered with the account.': {
        registeredBody: specifiedBehaviour.registeredBody,
      },
    }),
    ...breaking(['katana:account-one-string'], asIs, {
      'katana-several-strings: Each message is a separate string.': {
        rejectedBody: (errors) => ({ Message: 'The request is invalid.', ModelState: { '': errors } }),
      },
      'katana-other-order: The messages come in another order.': {
        reportedRules: (violated) => violated.toReversed(),
      },
    }),
  ]),
}
