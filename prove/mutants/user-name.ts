import { asIs, breaking, type Mutant } from './mutant.js'
import { renamed, type TextChange, text, value, without } from './overrides.js'
import type { Override } from './rows.js'

const violates = ['2.1-userName']
/** The user name shows whom an external sign-in signs in. */
const collateral = ['4.2-external-login']

/** 2.1: `userName` is the name of the account that was authenticated, in its spelling. */
export const userNameMutants: readonly Mutant[] = [
  ...breaking({ violates, collateral }, (change: TextChange) => text('userName', change), {
    'lower-case-user-name: userName is converted to lower case.': (name) => name.toLowerCase(),
    'user-name-with-space: A space follows the user name in userName.': [/$/, ' '],
    'decomposed-user-name: userName is in Unicode normalisation form D.': (name) => name.normalize('NFD'),
    'user-name-read-as-latin-1: The UTF-8 of userName is read as ISO 8859-1 and encoded again.': (name) =>
      Buffer.from(name).toString('latin1'),
    'user-name-before-at-sign: userName ends before an at sign.': [/@.*/, ''],
    'user-name-of-20-characters: userName is cut to 20 characters.': (name) => name.slice(0, 20),
    'user-name-in-html: Non-ASCII characters in userName are HTML character references.': (name) =>
      name.replace(/[^ -~]/gu, (char) => `&#${char.codePointAt(0)};`),
    'user-name-escaped: userName is escaped for HTML.': (name) =>
      name.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
    'user-name-without-markup: Markup characters are removed from userName.': [/[<>"'&]/g, ''],
  }),
  ...breaking(violates, asSent, {
    'user-name-in-case-of-request: User names match in any letter case, and userName repeats the case of the request.':
      (name) => name.toLowerCase(),
    'user-name-with-space-of-request: User names are trimmed, and userName repeats the spelling of the request.':
      (name) => name.trim(),
  }),
  ...breaking({ violates, collateral }, asIs, {
    'user-name-null: userName is null.': value('userName', () => null),
    'user-name-of-the-first: userName is that of the main account for every account.': value(
      'userName',
      () => 'alice',
    ),
    "identifier-for-user-name: userName holds the account's identifier.": value(
      'userName',
      (_, { bearer }) => bearer.userId,
    ),
    'no-user-name: userName is left out.': without('userName'),
    'lower-case-member-user-name: The member userName is named `username`.': renamed('userName', 'username'),
  }),
]

/** userName is the spelling of the request, which the service takes for the account's. */
function asSent(userNameKey: (name: string) => string): Override {
  return {
    userNameKey,
    signIn: ({ matches, account, userName }) =>
      matches && account !== undefined ? { ...account, userName: userName ?? '' } : undefined,
  }
}
