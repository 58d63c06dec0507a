import type { SeedAccount } from '../seed-account.js'
import type { ExternalLogin } from '../store.js'
import { ControlError } from './control-error.js'
import { given } from './given.js'
import { readObject } from './read-object.js'

const longestText = 1024

/** @throws ControlError `bad-request`, which never quotes the password */
export function readAccount(value: unknown): SeedAccount {
  const fields = readObject('the account', value)
  const account = {
    userName: fields.text('userName', longestText, true),
    password: fields.text('password', longestText, true),
    ...given({
      userId: fields.text('userId', longestText),
      email: fields.text('email', longestText),
      externalLogins: loginsOf(fields.json('externalLogins')),
    }),
  }
  fields.done()
  return account
}

function loginsOf(value: unknown): readonly ExternalLogin[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length > 10)
    throw new ControlError('bad-request', 'the account: expected externalLogins to be a list of at most 10')
  return value.map((item: unknown) => {
    const fields = readObject('an external login', item)
    const login = {
      provider: fields.text('provider', longestText, true),
      subject: fields.text('subject', longestText, true),
    }
    fields.done()
    return login
  })
}
