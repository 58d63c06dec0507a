import type { HttpResponse } from '../exchange/http-response.js'
import { isCredentialHeader, secretMembers } from './hidden-fields.js'

/** What a cookie may have (RFC 6265, section 4.1.1), and neither a text nor a usual word. */
const CREDENTIAL = /^[!#-+\--:<-[\]-~]{16,4096}$/
/** Of one answer: a flood of them is to push no other secret out. */
const MAX_SECRETS = 16

/** What an answer names a secret by a cookie, a header or a member: it may repeat it in another place. */
export function issuedSecrets({ raw, json }: HttpResponse): readonly string[] {
  const ofHeaders = raw.headers.flatMap(([name, value]) => {
    if (/^set-cookie2?$/i.test(name)) return (value.split(';', 1)[0] ?? '').replace(/^[^=]*="?|"$/g, '')
    return isCredentialHeader(name) ? value.replace(/^[A-Za-z]+ +/, '') : []
  })
  const members = json.root === undefined ? [] : secretMembers(json.root)
  // `PasswordRequiresNonAlphanumeric` says what is wrong with one.
  const ofMembers = members.filter(({ name, value }) => !/password$/i.test(name) || /\d/.test(value))
  const named = [...ofHeaders, ...ofMembers.map(({ value }) => value)]
  return named.filter((value) => CREDENTIAL.test(value)).slice(0, MAX_SECRETS)
}
