/** More pairs than this are no honest token request, and each costs memory. */
export const maximumPairs = 1000

/** A decoded `application/x-www-form-urlencoded` body. */
export interface FormBody {
  /** In the order of the body; a name may occur more than once. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Some pair was not decodable and is left out: a bad `%` escape, invalid UTF-8, or too many pairs. */
  readonly malformed: boolean
}

/**
 * Decodes a form strictly, on its bytes: pairs are split before anything is decoded, `+` is a space, `%XX` a byte,
 * and the bytes of each part must be UTF-8. A guess at a broken password would be a different password.
 */
export function parseForm(body: Uint8Array): FormBody {
  const pairs: [string, string][] = []
  let malformed = false
  for (const text of Buffer.from(body).toString('latin1').split('&')) {
    if (text === '') continue
    const [, name = '', value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
    const [decodedName, decodedValue] = [decodePart(name), decodePart(value)]
    if (decodedName === undefined || decodedValue === undefined || pairs.length === maximumPairs)
      malformed = true
    else pairs.push([decodedName, decodedValue])
  }
  return { pairs, malformed }
}

/** Every value that the form gives under this name; names are case-sensitive. */
export function formValues(form: FormBody, name: string): readonly string[] {
  return form.pairs.filter(([given]) => given === name).map(([, value]) => value)
}

/** The one value of a name, if it is given once. */
export function onlyValue(form: FormBody, name: string): string | undefined {
  const [value, ...others] = formValues(form, name)
  return others.length === 0 ? value : undefined
}

/** @param part its bytes, as Latin-1 */
function decodePart(part: string): string | undefined {
  // ASCII that stands for itself, as most parts do.
  if (!/[%+\x80-\xff]/.test(part)) return part
  if (/%(?![0-9A-Fa-f]{2})/.test(part)) return undefined
  const bytes = part
    .replaceAll('+', ' ')
    .replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return decodeUtf8(Buffer.from(bytes, 'latin1'))
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 text with its byte order mark kept; `undefined` when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}
