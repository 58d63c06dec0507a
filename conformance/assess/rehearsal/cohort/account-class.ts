/** What an account is like, as a migration may treat it differently. Never a part of its values. */
export type AccountClass = string

/** The shape of a value that is a hash of a password, by who writes it so. The first that fits counts. */
const HASHES: readonly (readonly [name: string, isOne: (value: string) => boolean])[] = [
  ['hash: ASP.NET Identity, version 2', (value) => isIdentity(value, 0)],
  ['hash: ASP.NET Identity, version 3', (value) => isIdentity(value, 1)],
  ['hash: argon2', (value) => /^\$argon2(?:id|i|d)\$/.test(value)],
  ['hash: bcrypt', (value) => /^\$2[abxy]?\$\d\d\$[./\w]{53}$/.test(value)],
  ['hash: scrypt', (value) => /^(?:\$scrypt\$|scrypt[:$]|\$7\$)/.test(value)],
  ['hash: PBKDF2', (value) => /^\$?pbkdf2[-_:$]/i.test(value)],
  ['hash: crypt, SHA-2', (value) => /^\$[56]\$/.test(value)],
  ['hash: crypt, MD5', (value) => /^\$(?:1|apr1)\$/.test(value)],
  ['hash: 32 hexadecimal digits', (value) => /^[\da-f]{32}$/i.test(value)],
  ['hash: 40 hexadecimal digits', (value) => /^[\da-f]{40}$/i.test(value)],
  ['hash: 64 hexadecimal digits', (value) => /^[\da-f]{64}$/i.test(value)],
  ['hash: 128 hexadecimal digits', (value) => /^[\da-f]{128}$/i.test(value)],
]

/** A field that is meant to hold one. */
const HASH_FIELD =
  /(?:^|[_\W])(?:pass(?:word)?)?[_\W]?hash(?:ed)?(?:$|[_\W])|password_?hash|hashed_?password|^pass(?:word|wd)$/i
const BEYOND_ASCII = /[^\x00-\x7f]/
const UPPER_CASE = /\p{Lu}/u

/**
 * What an account is like.
 * @param fields all that the file has of it, the password apart
 */
export function classesOf(
  userName: string,
  fields: Readonly<Record<string, string>>,
  password: string,
): readonly AccountClass[] {
  return [
    hashClass(fields),
    ...(BEYOND_ASCII.test(userName) ? ['user name: letters beyond ASCII'] : []),
    ...(/\s/.test(userName) ? ['user name: spaces'] : []),
    ...(UPPER_CASE.test(userName) ? ['user name: upper case'] : []),
    ...(userName.includes('@') ? ['user name: an address'] : []),
    ...(BEYOND_ASCII.test(password) ? ['password: letters beyond ASCII'] : []),
    ...(/\s/.test(password) ? ['password: spaces'] : []),
  ]
}

function hashClass(fields: Readonly<Record<string, string>>): AccountClass {
  for (const value of Object.values(fields)) for (const [name, isOne] of HASHES) if (isOne(value)) return name
  const [, value] = Object.entries(fields).find(([name]) => HASH_FIELD.test(name)) ?? []
  return value === undefined || value === '' ? 'hash: none' : 'hash: of another format'
}

/** Base64 of a format marker, a salt and a key: version 2 has 49 bytes, or a few more, version 3 has 61 and more. */
function isIdentity(value: string, marker: number): boolean {
  if (!/^[A-Za-z\d+/]{60,}={0,2}$/.test(value) || value.length % 4 !== 0) return false
  const bytes = Buffer.from(value, 'base64')
  return bytes[0] === marker && (marker === 0 ? Math.abs(bytes.length - 49) <= 2 : bytes.length >= 61)
}
