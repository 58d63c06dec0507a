/** The characters of ASCII, as section 8 tells them apart. */
export const DIGITS = '0123456789'
export const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz'
export const UPPERCASE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** Printable, and neither letter nor digit: the space, and every mark of punctuation, `_` among them. */
export const SYMBOLS = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
export const PRINTABLE = DIGITS + LOWERCASE + UPPERCASE + SYMBOLS
