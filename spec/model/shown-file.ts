/** PEM, or its DER in base64, which begins with a sequence. */
const KEY = /-----BEGIN|LS0tLS1CRUdJTi|(?:^|\/)M[A-P][A-Za-z0-9+/=\s]{62,}$/

/** Whether a text that should be the path of a file is what a file of a key or a certificate holds. */
export function isKey(file: string): boolean {
  return KEY.test(file)
}

/** The path of a file as messages show it: a key in its place is not repeated. */
export function shownFile(file: string): string {
  return isKey(file) ? '‹a key in the place of a path›' : file
}
