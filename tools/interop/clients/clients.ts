import { fileURLToPath } from 'node:url'
import type { Verdict } from '../../../spec/model/report.js'

/** A client that others wrote, with the shortest script that signs in with it. */
export interface RealClient {
  readonly name: string
  /** Packages whose versions are shown; the client is skipped where one is not installed. */
  readonly packages: readonly string[]
  readonly from: 'npm' | 'Debian'
  readonly command: readonly string[]
  /** The expectations from reading its source, before any run. */
  readonly expected: { readonly verdict: Verdict; readonly broken: readonly string[] }
  readonly because: string
}

const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const node = (file: string): readonly string[] => [process.execPath, at(file)]
// User names are not ASCII, so the locale must not be.
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
      '`querystring` writes the form. Wreck reads the answer: it compares the media type without case and refuses what is not JSON. No retries, no redirects.',
  },
  {
    name: 'client-oauth2',
    packages: ['client-oauth2'],
    from: 'npm',
    command: node('client-oauth2.js'),
    expected: KEEPS,
    because:
      '`querystring` writes the form. The answer is parsed as JSON under any media type; `token_type` is compared without case.',
  },
  {
    name: '@badgateway/oauth2-client',
    packages: ['@badgateway/oauth2-client'],
    from: 'npm',
    command: node('badgateway.js'),
    expected: { verdict: 'nonconformant', broken: ['client:answer-media-type'] },
    because:
      'It compares the media type with case (`/^application\\/(.*\\+)?json/`), against RFC 9110 8.3.1: `Application/JSON` is not JSON.',
  },
  {
    name: 'oauth4webapi',
    packages: ['oauth4webapi'],
    from: 'npm',
    command: node('oauth4webapi.js'),
    expected: KEEPS,
    because:
      'A generic token request: `URLSearchParams` writes the form. The media type matters only if parsing fails; each member is checked for its type.',
  },
  {
    name: 'Authlib',
    packages: ['python3-authlib', 'python3-requests'],
    from: 'Debian',
    command: debian('/usr/bin/python3', at('authlib_sign_in.py')),
    expected: KEEPS,
    because:
      'The form is encoded, decoded and encoded again without loss. The answer is parsed as JSON under any media type; an `error` or 5xx raises.',
  },
  {
    name: 'requests-oauthlib',
    packages: ['python3-requests-oauthlib', 'python3-requests'],
    from: 'Debian',
    command: debian('/usr/bin/python3', at('requests_oauthlib_sign_in.py')),
    expected: KEEPS,
    because:
      'As Authlib, but an answer that is not JSON is tried as a form, which has no `access_token`. An unrequested `scope` is ignored.',
  },
  {
    name: 'oauth2 (Ruby)',
    packages: ['ruby-oauth2'],
    from: 'Debian',
    command: debian('/usr/bin/ruby', at('ruby-oauth2.rb')),
    expected: { verdict: 'nonconformant', broken: ['client:answer-media-type'] },
    because:
      'It looks up the parser by the media type, with case: `Application/JSON` has none, so the answer counts as empty. On 302 it sends the password to the new location.',
  },
  {
    name: 'Net::OAuth2 (Perl)',
    packages: ['libnet-oauth2-perl', 'libwww-perl'],
    from: 'Debian',
    command: debian('/usr/bin/perl', at('net-oauth2.pl')),
    expected: KEEPS,
    because:
      '`URI` writes the form, with an additional empty `code`. The answer is parsed as JSON under any media type, then as a form, whose token the resource refuses.',
  },
  {
    name: 'golang.org/x/oauth2',
    packages: ['golang-golang-x-oauth2-dev'],
    from: 'Debian',
    command: debian(at('bin/x-oauth2')),
    expected: { verdict: 'nonconformant', broken: ['client:refusal-retry'] },
    because:
      'By default it tries Basic authentication and, after any error, immediately the form: also after 429 and 503, whatever `Retry-After` says.',
  },
  {
    name: 'curl and jq',
    packages: ['curl', 'jq'],
    from: 'Debian',
    command: debian('bash', at('curl.sh')),
    expected: KEEPS,
    because:
      '`--data-urlencode` encodes every byte that needs it, `-f` fails for every refusal, and jq reads any JSON. Neither checks the media type.',
  },
]
