import type { Finding, Located } from '../../spec/position.js'
import { readBaseUrl } from './base-url.js'
import type { TargetSettings } from './target-input.js'
import { checkHeaders, checkRequests } from './target-requests.js'

/** What the schema cannot say of the merged settings of one deployment. */
export function* checkSettings(settings: TargetSettings, located: Located): Generator<Finding> {
  const at = (pointer: string, message: string): Finding => ({ position: located.at(pointer), message })

  if (settings.baseUrl === undefined) yield at('', 'expected the key "baseUrl", found none')
  else {
    const read = readBaseUrl(settings.baseUrl)
    if ('problem' in read) yield at('/baseUrl', read.problem)
  }

  const names = (settings.accounts ?? []).map(({ userName }) => userName)
  if (names.length === 0) yield at('/accounts', 'expected at least one account with a password, found none')
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index)
      yield at(`/accounts/${index}/userName`, 'expected each user name once, found one a second time')

  const account = settings.externalLogin?.account
  if (account !== undefined && !names.includes(account))
    yield at('/externalLogin/account', 'expected the user name of a declared account, found another')

  const { accepted = [], rejected = [] } = settings.registration ?? {}
  const both = accepted.find((status) => rejected.includes(status))
  if (both !== undefined)
    yield at('/registration/rejected', `expected a status either accepted or rejected, found ${both} in both`)

  yield* checkHeaders(settings.headers ?? {}, '/headers', located)
  yield* checkRequests(settings, located)
}
