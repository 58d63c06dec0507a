import { isParameterName } from '../exchange/parse-form.js'

export const USER_NAME = /^(?:user(?:_?name)?|login|e-?mail)$/i
export const PASSWORD = /pass[\W_]?word|^pass(?:wd|phrase)?$|^p(?:wd|w|sw|swd)$/i
export const OTHER_CREDENTIAL = /^(?:pin|otp|totp|mfa|sid|sig)$|captcha|code$|csrf|xsrf/i
/** Of a parameter whose value is no secret. */
export const HARMLESS_NAME =
  /^(?:x-)?(?:grant[\W_]?type|client(?:[\W_]?(?:id|name|type))?|scopes?|resource|audience|realm|tenant(?:[\W_]?id)?|locale|culture|lang(?:uage)?|ui[\W_]?locales|response[\W_]?(?:type|mode)|(?:app|device|os)[\W_]?(?:name|type|model)|app|os|platform|product|channel|market|country|region|currency|time[\W_]?zone)$/i

/** Whether a list says what a parameter is. */
export function isKnownName(name: string): boolean {
  const isListed =
    isPassword(name) || [USER_NAME, HARMLESS_NAME, OTHER_CREDENTIAL].some((list) => list.test(name))
  return isListed && isParameterName(name)
}

/** A token, or the base64 of a form, in the place of a name. */
export const OPAQUE_NAME = /^(?=.*\d)[\w+/.~-]{12,}$|^[\w+/.~-]{40,}$/

/**
 * Whether the name in a pair of a form may be shown. Where a client does not encode `&`, what follows it in a password looks
 * like a name, mostly without `=`.
 */
export function isShownName(pair: string, name: string): boolean {
  if (isKnownName(name)) return true
  return isParameterName(name) && pair.includes('=') && !(pair.endsWith('=') && OPAQUE_NAME.test(name))
}

/** Also in fullwidth letters. */
export function isPassword(name: string): boolean {
  return PASSWORD.test(name.normalize('NFKC'))
}
