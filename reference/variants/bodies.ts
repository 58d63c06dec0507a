import type { Json } from '../../spec/types.js'
import { tokenMembers } from '../token-response.js'
import { variants } from './row.js'

/** Bodies in other words: JSON leaves their order, white space and escapes free. */
export const bodyVariants = variants([
  {
    id: 'other-member-order',
    sentence: 'The token response has its members in the opposite order.',
    behaviour: () => ({ tokenMembers: (grant) => [...tokenMembers(grant)].reverse() }),
  },
  {
    id: 'extra-members',
    sentence: 'The token response has members that the specification does not list.',
    behaviour: () => ({
      tokenMembers: (grant) => [
        ['scope', 'all'],
        ...tokenMembers(grant),
        ['refresh_token', `refresh-${grant.accessToken}`],
        ['as:client_id', ''],
        ['roles', [{ name: 'user', access_token: null }]],
      ],
    }),
  },
  {
    id: 'pretty-printed',
    sentence: 'Every JSON body is indented, and ends in a line end.',
    behaviour: () => ({
      renderMembers: (members) => pretty(Object.fromEntries(members)),
      renderError: pretty,
      renderRegistration: pretty,
    }),
  },
  {
    id: 'escaped',
    sentence: 'Every character of every JSON string is escaped.',
    behaviour: () => ({
      renderMembers: (members) => escaped(Object.fromEntries(members)),
      renderError: escaped,
      renderRegistration: escaped,
    }),
  },
  {
    id: 'userid-last-of-many',
    sentence: 'Other members stand between `.expires` and userId.',
    needs: 'with-user-id',
    behaviour: () => ({
      tokenMembers: (grant) => [
        ...tokenMembers({ ...grant, includesUserId: false }),
        ['scope', 'all'],
        ...tokenMembers(grant).filter(([name]) => name === 'userId'),
      ],
    }),
  },
])

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
