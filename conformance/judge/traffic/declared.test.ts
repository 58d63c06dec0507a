import t from 'tap'
import { type DeclaredService, isTokenPath } from './declared.js'

// As far as the path depends on it.
const declared = { baseUrl: 'http://127.0.0.1/base/' } as DeclaredService

t.test('what a service may take for the token endpoint is a token request', async (t) => {
  const isToken = isTokenPath(declared)
  for (const path of ['', '//', '/.', '/x/..', '/%2e%2E/base'])
    for (const name of [
      ...['Token', 'token', 'Token/', '%54oken', 'tok%65n', '%54%4f%4b%45%4e', '%2FToken', '%2554oken'],
      ...[
        'Token;x=1',
        'Token;',
        'Token;x=1/',
        'x/..;y/Token',
        'Token%3Bx',
        '%5CToken',
        'Token%20',
        'Token%20/',
        ...['Token.', 'Token..', 'Token+', 'Token%00', 'Token%09', 'Token%C2%A0', 'Token#x'],
      ],
    ])
      t.ok(isToken(`/base${path}/${name}`), `/base${path}/${name}`)
  t.ok(isToken('/../base/Token'), 'beyond the root')
  for (const path of [
    '/Token',
    '/base/Tokens',
    '/base/Token/x',
    '/base;x=/Token/y',
    '/base/x;/Token',
    '/base/Token-',
    '/',
  ])
    t.notOk(isToken(path), path)
})
