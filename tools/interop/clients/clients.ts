import { fileURLToPath } from 'node:url'
import type { Verdict } from '../../../spec/model/report.js'

/** A client that others wrote, with the shortest script that signs in by it. */
export interface RealClient {
  readonly name: string
  /** Whose versions are shown; the client is skipped where one of them is not installed. */
  readonly packages: readonly string[]
  readonly from: 'npm' | 'Debian'
  readonly command: readonly string[]
  /** What reading its source says, before any run. */
  readonly expected: { readonly verdict: Verdict; readonly broken: readonly string[] }
  readonly because: string
}

const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const node = (file: string): readonly string[] => [process.execPath, at(file)]
// A locale of ASCII would be a fault of the machine: user names are not.
const debian = (...command: readonly string[]): readonly string[] => ['env', 'LC_ALL=C.UTF-8', ...command]

const KEEPS = { verdict: 'conformant', broken: [] } as const

export const CLIENTS: readonly RealClient[] = [
  {
    name: 'simple-oauth2',
    packages: ['simple-oauth2'],
    from: 'npm',
    command: node('simple-oauth2.js'),
    expected: KEEPS,
    because:
      'The form is written by `querystring`, the answer read by Wreck, which lowers the case of the media type and refuses what is not JSON; nothing is asked again, and redirects are not followed.',
  },
  {
    name: 'client-oauth2',
    packages: ['client-oauth2'],
    from: 'npm',
    command: node('client-oauth2.js'),
    expected: KEEPS,
    because:
      'The form is written by `querystring`; the answer is tried as JSON whatever its media type, and `token_type` is compared in lower case.',
  },
  {
    name: '@badgateway/oauth2-client',
    packages: ['@badgateway/oauth2-client'],
    from: 'npm',
    command: node('badgateway.js'),
    expected: { verdict: 'nonconformant', broken: ['client:answer-media-type'] },
    because:
      'The answer is JSON for it where its media type matches `/^application\\/(.*\\+)?json/`, letter case included: `Application/JSON` is none, though media types have no case (RFC 9110 8.3.1).',
  },
  {
    name: 'oauth4webapi',
    packages: ['oauth4webapi'],
    from: 'npm',
    command: node('oauth4webapi.js'),
    expected: KEEPS,
    because:
      'As a generic token request: the form is a `URLSearchParams`, the answer is parsed first and its media type looked at only where that fails, and each member of it is checked for its type.',
  },
  {
    name: 'Authlib',
    packages: ['python3-authlib', 'python3-requests'],
    from: 'Debian',
    command: debian('/usr/bin/python3', at('authlib_sign_in.py')),
    expected: KEEPS,
    because:
      'The form is encoded, decoded and encoded again without loss; the answer is parsed as JSON whatever its media type, and an `error` in it, or 5xx, raises.',
  },
  {
    name: 'requests-oauthlib',
    packages: ['python3-requests-oauthlib', 'python3-requests'],
    from: 'Debian',
    command: debian('/usr/bin/python3', at('requests_oauthlib_sign_in.py')),
    expected: KEEPS,
    because:
      'As Authlib; an answer that is no JSON is tried as a form, which has no `access_token`, and a `scope` that was not asked for changes nothing where none was asked for.',
  },
  {
    name: 'oauth2 (Ruby)',
    packages: ['ruby-oauth2'],
    from: 'Debian',
    command: debian('/usr/bin/ruby', at('ruby-oauth2.rb')),
    expected: { verdict: 'nonconformant', broken: ['client:answer-media-type'] },
    because:
      'The parser is found by the media type as a key of a hash, letter case included: for `Application/JSON` there is none, and the answer counts as empty. A 302 makes it send the password again, to where the redirect leads.',
  },
  {
    name: 'Net::OAuth2 (Perl)',
    packages: ['libnet-oauth2-perl', 'libwww-perl'],
    from: 'Debian',
    command: debian('/usr/bin/perl', at('net-oauth2.pl')),
    expected: KEEPS,
    because:
      'The form is written by `URI`, with an empty `code` besides; the answer is tried as JSON whatever its media type, then as a form, whose token the resource refuses.',
  },
  {
    name: 'golang.org/x/oauth2',
    packages: ['golang-golang-x-oauth2-dev'],
    from: 'Debian',
    command: debian(at('bin/x-oauth2')),
    expected: { verdict: 'nonconformant', broken: ['client:refusal-retry'] },
    because:
      'Unless told how, it tries Basic authentication first and, after any error at all, the parameters of the form at once: after 429 and 503 too, whatever `Retry-After` says.',
  },
  {
    name: 'curl and jq',
    packages: ['curl', 'jq'],
    from: 'Debian',
    command: debian('bash', at('curl.sh')),
    expected: KEEPS,
    because:
      '`--data-urlencode` encodes every byte that is not unreserved, `-f` fails for every refusal, and jq reads any JSON; neither looks at the media type.',
  },
]
