import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { RequestTemplate } from '../../spec/model/case.js'
import { plain, secret } from './redactable-text.js'
import { type Bindings, fill, prepareRequest } from './template.js'

const usual = { plusForSpace: true, lowerCaseHex: false, escapeEvery: 0, salt: 0, order: 0 }
const bindings: Bindings = {
  account: {
    userName: plain('Zoë & co'),
    password: secret('p w+1', 'password of Zoë', 'TOKEN_ASSAY_PASSWORD'),
  },
  grant: plain('x$account.password'),
  wrong: secret('p w+2', 'password of Zoë: last character changed'),
  how: { spelling: { ...usual, plusForSpace: false, lowerCaseHex: true, order: 5 } },
}

function prepare(template: RequestTemplate, basePath = '') {
  const prepared = prepareRequest(template, bindings, basePath)
  const { wire, shownPath, headers, shownBody } = prepared
  const body = wire.body && Buffer.from(wire.body).toString()
  return { ...prepared, shownPath, headers, shownBody, wire: { ...wire, body } }
}

t.test('references', async (t) => {
  const texts: readonly (readonly [string, string, string])[] = [
    ['', '', ''],
    ['no reference', 'no reference', 'no reference'],
    ['$grant', 'x$account.password', 'x$account.password'],
    ['<$account.userName>', '<Zoë & co>', '<Zoë & co>'],
    ['$account.password', 'p w+1', '‹password of Zoë›'],
    ['$account.password$account.password', 'p w+1p w+1', '‹password of Zoë›‹password of Zoë›'],
    ['a $wrong.', 'a p w+2.', 'a ‹password of Zoë: last character changed›.'],
    ['$$grant $$$grant', '$grant $x$account.password', '$grant $x$account.password'],
    ['$grant.json', 'x$account.password.json', 'x$account.password.json'],
    ['$$$$', '$$', '$$'],
    ['$ $1 $-', '$ $1 $-', '$ $1 $-'],
    ['$account.userName@example.com', 'Zoë & co@example.com', 'Zoë & co@example.com'],
  ]
  for (const [template, wire, shown] of texts)
    t.match(fill(template, bindings), { wire, shown }, template === '' ? 'empty' : template)
  t.equal(
    fill('$account.password', bindings).variable,
    'TOKEN_ASSAY_PASSWORD',
    'alone, a command may take it',
  )
  t.equal(fill('x$account.password', bindings).variable, undefined)
  for (const unbound of ['$absent', '$account', '$account.email', '$how.spelling'])
    t.throws(() => fill(unbound, bindings), TypeError, unbound)
  t.throws(() => prepare({ spelling: '$account.userName', form: {} }), /is no spelling/)
})

t.test('what is around a label is spelled as it is sent', async (t) => {
  const form = { username: '&b $wrong ö@', spelling: 'x' }
  t.match(prepare({ form }), {
    wire: { body: 'username=%26b+p+w%2B2+%C3%B6%40&spelling=x' },
    shownBody: 'username=%26b+‹password of Zoë: last character changed›+%C3%B6%40&spelling=x',
  })
})

t.test('a form', async (t) => {
  const form = { grant_type: 'password', username: '$account.userName', password: '$account.password' }
  t.strictSame(prepare({ form }), {
    method: 'POST',
    shownPath: '/Token',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    shownBody: 'grant_type=password&username=Zo%C3%AB+%26+co&password=‹password of Zoë›',
    form: prepareRequest({ form }, bindings, '').form,
    userName: 'Zoë & co',
    namesUser: true,
    isJson: false,
    wire: {
      method: 'POST',
      path: '/Token',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'grant_type=password&username=Zo%C3%AB+%26+co&password=p+w%2B1',
    },
  })
  t.match(prepare({ form, spelling: 'percent-20' }).wire.body, 'Zo%C3%AB%20%26%20co', 'by name')
  const spelled = prepare({ form, spelling: '$how.spelling' })
  const pairs = ['grant_type=password', 'username=Zo%c3%ab%20%26%20co', 'password=p%20w%2b1']
  t.strictSame(spelled.wire.body?.split('&').sort(), [...pairs].sort(), 'in another spelling')
  t.not(spelled.wire.body, pairs.join('&'), 'and another order')
  t.strictSame(
    spelled.form?.map(({ name }) => name),
    spelled.wire.body?.split('&').map((pair) => pair.split('=')[0]),
    'told in the order of sending',
  )
  const { grant_type, password } = form
  const written = prepare({
    form: [
      ['grant%5Ftype', 'p%61ssword'],
      ['username', '$account.userName'],
      ['password', '$account.password'],
      ['scope', 'a%20b+c$$'],
    ],
    spelling: 'as-written percent-20 lower-hex',
  })
  t.equal(
    written.wire.body,
    'grant%5Ftype=p%61ssword&username=Zo%c3%ab%20%26%20co&password=p%20w%2b1&scope=a%20b+c$',
    'as written, but for references',
  )
  t.equal(
    written.shownBody,
    'grant%5Ftype=p%61ssword&username=Zo%c3%ab%20%26%20co&password=‹password of Zoë›&scope=a%20b+c$',
  )
  t.strictSame(
    written.form?.map(({ name, value: { wire, shown } }) => [name, wire, shown]),
    [
      ['grant_type', 'password', 'password'],
      ['username', 'Zoë & co', 'Zoë & co'],
      ['password', 'p w+1', '‹password of Zoë›'],
      ['scope', 'a b c$', 'a b c$'],
    ],
    'known by what they stand for',
  )
  t.throws(() => prepare({ form, spelling: 'upper-hex' }), /upper-hex is no spelling/)
  const elsewhere = prepare({ form: { grant_type, password }, query: { username: '$account.userName' } })
  t.equal(elsewhere.userName, undefined, 'a query beside it names no one')
  t.equal(prepare({ query: { username: '$account.userName' } }).userName, 'Zoë & co')
  const twice = prepare({
    form: [
      ['a', '1'],
      ['a', '$grant'],
      ['b c', ''],
    ],
  })
  t.equal(twice.wire.body, 'a=1&a=x%24account.password&b+c=', 'a value is not scanned again')
  t.match(prepare({ form: {} }), { wire: { body: '' }, namesUser: true })
})

t.test('other bodies', async (t) => {
  const json = {
    user: '$account.userName',
    deep: [{ pass: '$account.password' }, 1, null, true],
    $grant: '$$',
  }
  t.match(prepare({ json }), {
    headers: [['Content-Type', 'application/json']],
    wire: { body: '{"user":"Zoë & co","deep":[{"pass":"p w+1"},1,null,true],"$grant":"$"}' },
    shownBody: '{"user":"Zoë & co","deep":[{"pass":"‹password of Zoë›"},1,null,true],"$grant":"$"}',
    namesUser: false,
  })
  t.match(prepare({ body: 'raw $wrong' }), {
    headers: [],
    wire: { body: 'raw p w+2' },
    shownBody: 'raw ‹password of Zoë: last character changed›',
  })
  const empty = prepare({ contentType: 'application/json', body: '' })
  t.match(empty, { headers: [['Content-Type', 'application/json']], wire: { body: '' }, shownBody: '' })
  const none = prepare({ method: 'GET' })
  t.strictSame(
    [none.wire, none.namesUser],
    [{ method: 'GET', path: '/Token', headers: [], body: undefined }, false],
  )
  t.strictSame(prepare({ form: {}, contentType: null }).headers, [], 'no Content-Type')
  t.strictSame(prepare({ form: {}, contentType: '$grant' }).headers, [['Content-Type', 'x$account.password']])
  const withHeader = prepare({ headers: { 'X-Key': 'a $account.password' } })
  t.strictSame(withHeader.wire.headers, [['X-Key', 'a p w+1']])
  t.strictSame(
    withHeader.headers,
    [['X-Key', 'a ‹password of Zoë›']],
    'what is shown of a header holds no secret',
  )
})

t.test('path and query', async (t) => {
  t.match(prepare({ query: { a: '$account.password' } }, '/auth'), {
    shownPath: '/Token?a=‹password of Zoë›',
    wire: { path: '/auth/Token?a=p+w%2B1' },
    namesUser: true,
  })
  t.equal(prepare({ path: '/token/' }, '/auth').wire.path, '/auth/token/')
  t.equal(prepare({ path: '/accounts/$account.userName' }).wire.path, '/accounts/Zo%C3%AB%20%26%20co')
  t.equal(prepare({ query: { username: '$account.userName' } }).userName, 'Zoë & co')
})

t.test('what is drawn without end is not kept', async (t) => {
  const [texts, characters] = [4000, 5000]
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < texts; count++) fill(`${count} $grant`.padEnd(characters), bindings)
  collect()
  t.ok(process.memoryUsage().heapUsed - before < (texts * characters) / 2)
})
