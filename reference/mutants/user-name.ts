import type { Mutant } from './mutant.js'
import { renamed, text, value, without } from './overrides.js'
import { mutants, type Row } from './row.js'

const violates = ['2.1-userName']
/** Whom an external sign-in signs in is told by the user name. */
const collateral = ['4.2-external-login']

/** 2.1: `userName` is the name of the account that was authenticated, in its spelling. */
export const userNameMutants: readonly Mutant[] = mutants([
  spelled('lower-case-user-name', 'userName is put into lower case.', (name) => name.toLowerCase()),
  spelled('user-name-with-space', 'A space follows the user name in userName.', (name) => `${name} `),
  spelled('decomposed-user-name', 'userName is in Unicode normalisation form D.', (name) =>
    name.normalize('NFD'),
  ),
  spelled(
    'user-name-read-as-latin-1',
    'The UTF-8 of userName is taken for ISO 8859-1 and encoded again.',
    (name) => Buffer.from(name).toString('latin1'),
  ),
  spelled('user-name-before-at-sign', 'userName ends before an at sign.', (name) => name.replace(/@.*/, '')),
  spelled('user-name-of-20-characters', 'userName is cut to 20 characters.', (name) => name.slice(0, 20)),
  spelled('user-name-in-html', 'Non-ASCII characters of userName are character references of HTML.', (name) =>
    name.replace(/[^ -~]/gu, (char) => `&#${char.codePointAt(0)};`),
  ),
  {
    id: 'user-name-null',
    sentence: 'userName is null.',
    violates,
    collateral,
    behaviour: value('userName', () => null),
  },
  {
    id: 'user-name-of-the-first',
    sentence: "userName is the main account's, whoever logs in.",
    violates,
    collateral,
    behaviour: value('userName', () => 'alice'),
  },
  {
    id: 'identifier-for-user-name',
    sentence: "userName holds the account's identifier.",
    violates,
    collateral,
    behaviour: value('userName', (_, { bearer }) => bearer.userId),
  },
  {
    id: 'no-user-name',
    sentence: 'userName is left out.',
    violates,
    collateral,
    behaviour: without('userName'),
  },
  {
    id: 'lower-case-member-user-name',
    sentence: 'The member userName is named `username`.',
    violates,
    collateral,
    behaviour: renamed('userName', 'username'),
  },
])

function spelled(id: string, sentence: string, change: (name: string) => string): Row {
  return { id, sentence, violates, collateral, behaviour: text('userName', change) }
}
