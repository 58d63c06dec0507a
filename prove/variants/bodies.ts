import { tokenMembers } from '../../reference/token-response.js'
import type { Json } from '../../spec/model/json.js'
import { conforming, type Variant } from './variant.js'

/** Bodies in other words: JSON leaves their order, white space and escapes free. */
export const bodyVariants: readonly Variant[] = conforming({
  'other-member-order: The members of the token response are in reverse order.': {
    tokenMembers: (grant) => [...tokenMembers(grant)].reverse(),
  },
  'extra-members: The token response has members that the specification does not list.': {
    tokenMembers: (grant) => [
      ['scope', 'all'],
      ...tokenMembers(grant),
      ['refresh_token', `refresh-${grant.accessToken}`],
      ['as:client_id', ''],
      ['roles', [{ name: 'user', access_token: null }]],
    ],
  },
  'pretty-printed: Every JSON body is indented, and ends in a line end.': {
    renderMembers: (members) => pretty(Object.fromEntries(members)),
    renderError: pretty,
    renderRegistration: pretty,
  },
  'escaped: Every character of every JSON string is escaped.': {
    renderMembers: (members) => escaped(Object.fromEntries(members)),
    renderError: escaped,
    renderRegistration: escaped,
  },
  'userid-last-of-many: Other members come between `.expires` and userId.': {
    behaviour: {
      tokenMembers: (grant) => [
        ...tokenMembers({ ...grant, includesUserId: false }),
        ['scope', 'all'],
        ...tokenMembers(grant).filter(([name]) => name === 'userId'),
      ],
    },
    needs: 'with-user-id',
  },
})

function pretty(body: Json): string {
  return `${JSON.stringify(body, undefined, 4)}\r\n`
}

function escaped(body: Json): string {
  return JSON.stringify(body).replace(/"(?:[^"\\]|\\.)*"/g, (string) => `"${escapeAll(string)}"`)
}

function escapeAll(string: string): string {
  const value = String(JSON.parse(string))
  return value.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
