import type { RegistrationTemplate, RequestTemplate, Step } from '../../../../spec/model/case.js'
import { type PairProbe, probeOf } from '../../../drivers/pair/probe.js'

/** A probe that is small as it is: what it shows has one cause, which has a name. */
export interface NamedProbe {
  readonly phrase: string
  readonly place: string
  /** The narrowest first: a service that accepts all of a wider kind accepts this. */
  readonly kinds: readonly string[]
  /** Parameters that a service may take for others, or not see, if it reads the request so. */
  readonly implies: readonly string[]
  readonly probe: PairProbe
  readonly needsRegistration: boolean
}

const RIGHT = 'grant_type=password&username=$account.userName&password=$account.password'

/** Forms that are not spelled as they should be, with the right credentials. */
const SPELLINGS: readonly (readonly [kind: string, phrase: string, body: string, ...implies: string[]])[] = [
  ['BOM', 'a BOM before the form', `\ufeff${RIGHT}`, 'grant_type'],
  ['no =', 'a parameter without `=`', `${RIGHT}&x`],
  ['no =', '`password` without `=`', RIGHT.replace('=$account.password', ''), 'password'],
  ['no =', '`username` without `=`', RIGHT.replace('=$account.userName', ''), 'username'],
  ['no =', '`grant_type` without `=`', RIGHT.replace('=password', ''), 'grant_type'],
  ['malformed %', 'a malformed `%` in another parameter', `${RIGHT}&x=%zz`],
  ['malformed %', 'a malformed `%` at the end', `${RIGHT}&x=%`],
  ['malformed %', 'a malformed `%` in the `grant_type`', RIGHT.replace('word', 'word%'), 'grant_type'],
  ['semicolon', 'parameters separated by `;`', RIGHT.replaceAll('&', ';'), 'grant_type'],
  ['empty pairs', 'empty parameters (`&&`)', `&&${RIGHT.replaceAll('&', '&&')}&&`],
  ['invalid UTF-8', 'a `%` sequence that is not UTF-8', `${RIGHT}&x=%ff%fe`],
]

/** An account that is registered, and logs in with another spelling or with one that is hard to read. */
interface TwiceSpelled {
  readonly place: string
  readonly kinds: readonly string[]
  readonly phrase: string
  readonly register: RegistrationTemplate
  readonly userName?: string
  readonly password?: string
}

const LONG = `$fresh.password${'-Quiet-7'.repeat(8)}`

const TWICE_SPELLED: readonly TwiceSpelled[] = [
  {
    place: 'username',
    kinds: ['normalised', 'any'],
    phrase: 'a `username` in decomposed letters, registered in composed ones',
    register: { userName: 'é$fresh.userName' },
    userName: 'e\u0301$fresh.userName',
  },
  {
    place: 'username',
    kinds: ['normalised', 'any'],
    phrase: 'a `username` in compatible letters (`fi` for `ﬁ`)',
    register: { userName: 'ﬁ$fresh.userName' },
    userName: 'fi$fresh.userName',
  },
  {
    place: 'password',
    kinds: ['normalised', 'longer', 'any'],
    phrase: 'a `password` in decomposed letters, registered in composed ones',
    register: { password: '$fresh.password-é' },
    password: '$fresh.password-e\u0301',
  },
  {
    place: 'password',
    kinds: ['normalised', 'longer', 'any'],
    phrase: 'a `password` in compatible letters (`fi` for `ﬁ`)',
    register: { password: '$fresh.password-ﬁ' },
    password: '$fresh.password-fi',
  },
  {
    place: 'registered password',
    kinds: ['beyond ASCII'],
    phrase: 'a `password` with letters beyond ASCII',
    register: { password: '$fresh.password-Łß😀' },
    password: '$fresh.password-Łß😀',
  },
  {
    place: 'space as +',
    kinds: ['space'],
    phrase: 'a space in the `password`, sent as `+`',
    register: { password: '$fresh.password x' },
    password: '$fresh.password x',
  },
  {
    place: 'username',
    kinds: ['white space', 'any'],
    phrase: 'a `userName` registered with spaces around it, and `username` without',
    register: { userName: ' $fresh.userName ' },
    userName: '$fresh.userName',
  },
  {
    place: 'registered userName',
    kinds: ['white space', 'any'],
    phrase: 'account registered with `userName` surrounded by spaces',
    register: { userName: ' $fresh.userName ' },
    userName: ' $fresh.userName ',
  },
  {
    place: 'username',
    kinds: ['address', 'any'],
    phrase: 'the e-mail address of a new account as `username`',
    register: {},
    userName: '$fresh.email',
  },
  {
    place: 'password',
    kinds: ['other end', 'longer', 'any'],
    phrase: 'a `password` of more than 72 bytes with another end',
    register: { password: `${LONG}x` },
    password: `${LONG}y`,
  },
]

/** Registrations that are rejected for one reason, and may be stored all the same. */
const REJECTED: readonly (readonly [reason: string, register: RegistrationTemplate, userName?: string])[] = [
  ['a password without a digit', { password: 'Quiet-x-Rivers*Bend-yz-Times' }],
  ['a password without a capital', { password: 'quiet-7-rivers*bend-42-times' }],
  ['a password without a small letter', { password: 'QUIET-7-RIVERS*BEND-42-TIMES' }],
  ['a password of letters and digits alone', { password: 'Quiet7RiversBend42Times' }],
  ['a short password', { password: 'Aa1!x' }],
  ['a user name with a symbol', { userName: '$fresh.userName!' }, '$fresh.userName!'],
]

/** Has nothing in common with that of a new account. */
const OTHER_PASSWORD = 'Loud/9/Streams*Turn/35/Hours'

const WEAK_PASSWORD = 'quiet'

const NAME_AGAIN = { userName: '$fresh.userName', email: '$second.email' }
const ADDRESS_AGAIN = { userName: '$second.userName', email: '$fresh.email' }
const BOTH_AGAIN = { userName: '$fresh.userName', email: '$fresh.email' }

/** What of an account is registered again, and how that one might log in. */
const TAKEN = [
  { what: 'user name', place: 'password', logsInAs: '$fresh.loginName', register: NAME_AGAIN },
  { what: 'address', place: 'username', logsInAs: '$second.loginName', register: ADDRESS_AGAIN },
  { what: 'user name and address', place: 'password', logsInAs: '$fresh.loginName', register: BOTH_AGAIN },
]

/** What was asked for beside it is free. */
const BESIDE_TAKEN = [
  ['user name', 'address', NAME_AGAIN],
  ['address', 'user name', ADDRESS_AGAIN],
] as const

/** How it is registered: a service may look at the password first, or last. */
const SECOND_PASSWORDS = [
  ['', OTHER_PASSWORD],
  [' and a weak password', WEAK_PASSWORD],
] as const

const UNKNOWN_GRANTS = [
  ['refresh_token', 'refresh_token'],
  ['authorization_code', 'code'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'subject_token'],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'assertion'],
] as const

function login(userName: string, password: string): RequestTemplate {
  return {
    form: [
      ['grant_type', 'password'],
      ['username', userName],
      ['password', password],
    ],
  }
}

function named(
  place: string,
  kinds: readonly string[],
  phrase: string,
  steps: readonly Step[],
  implies: readonly string[] = [],
): NamedProbe {
  const needsRegistration = steps.length > 1
  const probe = probeOf(phrase, steps, needsRegistration ? {} : { account: 'throwaway', failedLogin: true })
  return { place, kinds, phrase, implies, needsRegistration, probe }
}

const FORM = 'application/x-www-form-urlencoded'

export const NAMED_PROBES: readonly NamedProbe[] = [
  ...SPELLINGS.map(([kind, phrase, body, ...implies]) =>
    named('body', [kind], phrase, [{ send: { contentType: FORM, body } }], implies),
  ),
  named('username', ['normalised', 'any'], '`username` in full-width letters', [
    { send: login('$account.fullWidth', '$account.password') },
  ]),
  named('password', ['line end', 'white space', 'longer', 'any'], 'a line end after the form', [
    { send: { contentType: FORM, body: `${RIGHT}\r\n` } },
  ]),
  ...UNKNOWN_GRANTS.map(([grant, name]) => {
    const send = {
      form: [
        ['grant_type', grant],
        [name, 'x'],
      ],
    } as const
    const one = named('grant_type', [`value ${grant}`, 'any'], `\`grant_type\` "${grant}" with a value`, [
      { send },
    ])
    return { ...one, probe: probeOf(one.phrase, [{ send }]) }
  }),
  ...REJECTED.flatMap(([reason, register, userName = '$fresh.loginName']) => [
    // A service that lets in anyone lets in these.
    named('username', [`after ${reason}`, 'any'], `login of a new account with ${reason}`, [
      { register },
      { send: login(userName, register.password ?? '$fresh.password') },
    ]),
    named(`registration after ${reason}`, ['any'], `data that was rejected before, for ${reason}`, [
      { register },
      { register: {} },
    ]),
  ]),
  ...TAKEN.flatMap(({ what, place, logsInAs, register }) =>
    SECOND_PASSWORDS.flatMap(([alsoWeak, password]) => {
      const steps = [{ register: {} }, { register: { ...register, password } }]
      return [
        named(
          place,
          [`after a taken ${what}${alsoWeak}`, 'any'],
          `login of a new account with a taken ${what}${alsoWeak}`,
          [...steps, { send: login(logsInAs, password) }],
        ),
        named(
          `owner of a taken ${what}${alsoWeak}`,
          ['any'],
          `login of an account after a registration with its ${what}${alsoWeak}`,
          [...steps, { send: login('$fresh.loginName', '$fresh.password') }],
        ),
      ]
    }),
  ),
  ...BESIDE_TAKEN.map(([what, other, register]) =>
    named(
      `registration after a taken ${what}`,
      ['any'],
      `the ${other} of one that was rejected for its ${what}`,
      [
        { register: {} },
        { register },
        { register: { userName: '$second.userName', email: '$second.email' } },
      ],
    ),
  ),
  ...TWICE_SPELLED.map(
    ({ place, kinds, phrase, register, userName = '$fresh.loginName', password = '$fresh.password' }) =>
      named(place, kinds, phrase, [{ register }, { send: login(userName, password) }]),
  ),
]
