import t from 'tap'
import { schemaTypes } from '../tools/schema-types.js'

const schemas = new Map([
  [
    'case-file.schema.json',
    {
      description: 'Cases.',
      type: 'object',
      required: ['cases'],
      properties: {
        cases: { description: 'All of them.', type: 'array', items: { $ref: '#/$defs/case' } },
        '.at': { type: 'integer', default: 3 },
        pairs: {
          type: 'array',
          items: { prefixItems: [{ type: 'string' }, { type: 'number' }], type: 'array' },
        },
        other: { $ref: 'other.schema.json' },
        rows: { $ref: 'other.schema.json#/properties/rows' },
        name: { $ref: 'other.schema.json#/$defs/name' },
      },
      $defs: {
        case: {
          type: 'object',
          anyOf: [{ required: ['a'] }, { required: ['b'] }],
          properties: { a: { enum: ['x', 1] }, b: { type: ['string', 'null'] }, c: { const: true }, d: {} },
        },
        either: { oneOf: [{ $ref: '#/$defs/case' }, { type: 'null' }] },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
    },
  ],
  [
    'other.schema.json',
    { type: 'object', properties: { rows: { type: 'array' } }, $defs: { name: { type: 'string' } } },
  ],
])

t.test('a schema gives the types of what it lets pass', async (t) => {
  t.equal(
    schemaTypes('case-file.schema.json', schemas),
    `import type { Json } from '../../model/json.js'

import type { Other } from './other.js'

/** Cases. */
export interface CaseFile {
/** All of them. */
readonly cases: readonly Case[]
/** Default 3. */
readonly ".at"?: number
readonly pairs?: readonly (readonly [string, number])[]
readonly other?: Other
readonly rows?: Other['rows']
readonly name?: string
}

export interface Case {
readonly a?: "x" | 1
readonly b?: string | null
readonly c?: true
readonly d?: Json
}

export type Either = Case | null

export type Map = Readonly<Record<string, boolean>>
`,
  )
})
