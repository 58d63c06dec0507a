import { specifiedBehaviour } from '../../reference/behaviour.js'
import { formValues, parseForm } from '../../reference/http/form.js'
import type { Fault } from './fault.js'

/** Every spelling of the three accounts' forms; what is told of an account's password in the usual budget. */
const runs = 20

/** The body is changed before it is decoded. One byte is one character here. */
function reading(change: (body: string) => string): Fault['behaviour'] {
  return {
    parseForm: (bytes) => parseForm(Buffer.from(change(Buffer.from(bytes).toString('latin1')), 'latin1')),
  }
}

/**
 * Forms and credentials are misread. Where the usual spelling of an account's credentials is misread, that account never
 * gets a token: 1-exchange.
 */
export const FORM_FAULTS: readonly Fault[] = [
  {
    // Of an account that is registered with a space in its password too.
    name: '+ is no space',
    behaviour: reading((body) => body.replaceAll('+', '%2B')),
    failed: ['1-exchange', '4.1-form-encoding', '8-R1'],
    runs,
  },
  {
    name: '%C3%BC is read as Latin-1',
    behaviour: {
      parseForm: (bytes) => {
        const { pairs, malformed } = parseForm(bytes)
        return {
          pairs: pairs.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
          malformed,
        }
      },
    },
    failed: ['1-exchange', '4.1-form-encoding'],
    runs,
  },
  {
    name: 'an escape in lower case is none',
    behaviour: reading((body) => body.replace(/%(?=[0-9A-Fa-f]?[a-f])/g, '%25')),
    failed: ['4.1-form-encoding'],
    smallest: { '4.1/form-special-characters': /"lowerCaseHex":true/ },
    runs,
  },
  {
    name: 'grant_type must come first',
    behaviour: {
      parseForm: (bytes) => {
        const form = parseForm(bytes)
        return form.pairs[0]?.[0] === 'grant_type' ? form : { pairs: [], malformed: false }
      },
    },
    failed: ['4.1-form-encoding'],
    smallest: {
      '4.1/form-encoding':
        /"plusForSpace":false,"lowerCaseHex":false,"escapeEvery":0,"salt":0,"order":[1245]\}$/,
    },
    runs,
  },
  {
    name: 'values are decoded twice',
    behaviour: reading((body) => body.replaceAll('%25', '%')),
    failed: ['1-exchange', '4.1-form-encoding', '4.1-grant_type', '8-R1'],
    smallest: { '4.1/unknown-grant-type': /^%70assword$/ },
    runs: 60,
  },
  {
    name: 'values are trimmed',
    behaviour: { formValues: (form, name) => formValues(form, name).map((value) => value.trim()) },
    failed: ['4.1-grant_type'],
    smallest: { '4.1/unknown-grant-type': /^(password\s|\spassword)$/u },
    runs,
  },
  {
    name: 'without a grant_type it is taken to be password',
    behaviour: { allowsNoGrantType: () => true },
    failed: ['4.1-R2', '7-token-error-body'],
  },
  {
    name: 'a password is cut at 8 characters',
    behaviour: { passwordAsHashed: (password) => password.slice(0, 8) },
    failed: ['4.1-credentials'],
    smallest: { '4.1/wrong-password': /: character 9 changed›$/ },
    runs,
  },
  {
    name: 'the case of a password does not matter',
    behaviour: {
      passwordAsHashed: (password) => specifiedBehaviour.passwordAsHashed(password.toLowerCase()),
    },
    failed: ['4.1-credentials'],
    smallest: { '4.1/wrong-password': /: case of character \d+ flipped›$/ },
    runs,
  },
]
