import fc, { type Arbitrary } from 'fast-check'
import { weighted } from './weighted.js'

/** How the end of a body is found. */
export const framing = fc.oneof(
  { weight: 24, arbitrary: fc.constant({ kind: 'length' } as const) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('chunks' as const),
      size: fc.integer({ min: 1, max: 200 }),
      mark: weighted(
        '',
        fc.constantFrom(';a', ';a=b;c="d e"', '; a', ';\0', ' ', `;${'e'.repeat(17_000)}`),
        6,
      ),
      tail: weighted(
        '',
        fc.constantFrom(
          'X: y\r\n',
          'Content-Type: text/plain\r\n',
          'bad\r\n',
          '\n',
          `X: ${'t'.repeat(9000)}\r\n`,
        ),
        6,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lie' as const),
      by: fc.constantFrom(-40, -2, -1, 1, 2, 40, 100_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'none' } as const) },
)

export type Framing = typeof framing extends Arbitrary<infer T> ? T : never

/** The headers that frame a body, and its bytes. */
export function framed(body: string, how: Framing): readonly [headers: readonly string[], bytes: string] {
  switch (how.kind) {
    case 'length':
      return [[`Content-Length: ${body.length}`], body]
    case 'lie':
      return [[`Content-Length: ${Math.max(0, body.length + how.by)}`], body]
    case 'none':
      return [[], body]
    case 'chunks': {
      const chunks = body.match(new RegExp(`[^]{1,${how.size}}`, 'g')) ?? []
      const marks = [how.mark, how.mark.slice(0, 20)]
      const parts = chunks.map(
        (chunk, index) => `${chunk.length.toString(16)}${marks[index] ?? ''}\r\n${chunk}\r\n`,
      )
      return [['Transfer-Encoding: chunked'], `${parts.join('')}0\r\n${how.tail}\r\n`]
    }
  }
}
