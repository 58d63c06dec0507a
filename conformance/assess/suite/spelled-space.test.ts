import t from 'tap'
import type { Behaviour } from '../../../reference/behaviour.js'
import { REGISTRATION_REQUEST } from '../../../reference/embedded/registration-request.js'
import { parseForm } from '../../../reference/http/form.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { assess } from '../assess.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }
const CASE = '8/password-with-outer-space'
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const servers: Readonly<Record<string, readonly [Partial<Behaviour>, string]>> = {
  'as specified': [{}, ''],
  '`+` stays': [
    { parseForm: (body) => parseForm(bytesOf(textOf(body).replaceAll('+', '%2B'))) },
    '4.1-form-encoding',
  ],
  '`%20` stays': [
    { parseForm: (body) => parseForm(bytesOf(textOf(body).replaceAll('%20', '%2520'))) },
    '4.1-form-encoding',
  ],
  'passwords are trimmed at sign-in': [
    {
      parseForm: (body) => {
        const form = parseForm(body)
        return { ...form, pairs: form.pairs.map(([name, value]) => [name, value.trim()] as const) }
      },
    },
    '8-R1',
  ],
}

for (const [what, [behaviour, rules]] of Object.entries(servers)) {
  t.test(`without an account that has a space in its password: ${what}`, async (t) => {
    const { url } = await startReference(t, { accounts: [ANN], behaviour })
    const { results } = await assess(
      {
        baseUrl: url,
        accounts: [ANN],
        registration: {
          request: REGISTRATION_REQUEST,
        },
      },
      { seed: 1, runs: 1, only: [CASE] },
    )
    const failed = results
      .filter(({ outcome }) => outcome === 'failed')
      .flatMap(({ judgements }) => judgements.filter(({ outcome }) => outcome === 'failed'))
    t.equal([...new Set(failed.map(({ rule }) => rule))].join(), rules)
  })
}
