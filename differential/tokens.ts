import { HttpResponse } from '../conformance/wire/http-response.js'
import type { Difference } from './compare.js'
import { PLAIN, probeOf } from './probe.js'
import { type Side, SPENT } from './side.js'

/** Tokens are opaque, but clients store them: what they are made of, how long they are, and whether one comes twice. */
export interface TokenKind {
  readonly alphabet: string
  readonly length: string
  readonly reuse: string
}

const SAMPLE = 12

const ALPHABETS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['digits', /^\d+$/],
  ['hexadecimal digits', /^[\da-f]+$/i],
  ['letters and digits', /^[\da-z]+$/i],
  ['letters, digits, `-` and `_`', /^[\w-]+$/],
  ['three parts of a JSON Web Token', /^[\w-]+\.[\w-]+\.[\w-]*$/],
  ['letters, digits and signs of RFC 6750', /^[\w.~+/-]+=*$/],
  ['printable ASCII', /^[ -~]+$/],
]

/** @returns undefined where it yields no tokens */
export async function tokenKindOf(side: Side): Promise<TokenKind | undefined> {
  const probe = probeOf('tokens', [{ send: PLAIN }])
  const tokens: string[] = []
  for (let count = 0; count < SAMPLE; count++) {
    const asked = await side.ask(probe)
    const response = asked === SPENT ? undefined : asked.sent[0]?.response
    const token = response instanceof HttpResponse ? response.member('access_token')?.value : undefined
    if (token?.kind === 'string') tokens.push(token.value)
  }
  if (tokens.length === 0) return undefined
  return {
    alphabet:
      ALPHABETS.find(([, pattern]) => tokens.every((token) => pattern.test(token)))?.[0] ?? 'any characters',
    length: lengthClass(tokens),
    reuse: new Set(tokens).size === tokens.length ? 'each is new' : 'one account gets the same again',
  }
}

/** Up to which power of two: columns and headers are made for such lengths. */
function lengthClass(tokens: readonly string[]): string {
  const classes = tokens.map(({ length }) => 2 ** Math.max(5, Math.ceil(Math.log2(Math.max(length, 1)))))
  const [min, max] = [Math.min(...classes), Math.max(...classes)]
  return min === max ? `up to ${max} characters` : `up to ${min} and up to ${max} characters`
}

/** In what two kinds differ. Pure. */
export function compareTokenKinds(a: TokenKind | undefined, b: TokenKind | undefined): readonly Difference[] {
  if (a === undefined || b === undefined) return []
  return (['alphabet', 'length', 'reuse'] as const).flatMap((at) =>
    a[at] === b[at] ? [] : [{ at: `token ${at}`, old: a[at], new: b[at] }],
  )
}
