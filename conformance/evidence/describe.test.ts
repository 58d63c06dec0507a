import t from 'tap'
import { RECORDED_SECTION, vocabularyOf, vocabularyWith } from './describe.js'
import { hideSecretMembers } from './hidden-fields.js'

t.test('what a service says of a password is shown: it is the reason for a refusal', async (t) => {
  for (const body of [
    // The default template of Web API 2.
    '{"message":"The request is invalid.","modelState":{"model.Password":["The Password must be at least 6 characters long."]}}',
    '{"modelState":{"model.Password":["The Password field is required."],"model.ConfirmPassword":["No match."]}}',
    '{"errors":{"Password":["too short"],"password":"Password required"}}',
    '{"password":{"errors":["must hold a digit"]}}',
  ])
    t.equal(hideSecretMembers(body), body)
})

t.test('what may be one is not', async (t) => {
  t.equal(hideSecretMembers('{"password":"Correct-7-horses"}'), '{"password":"‹password›"}')
  t.equal(hideSecretMembers('{"model.Password":["two words"]}'), '{"model.Password":["‹model.Password›"]}')
  t.equal(hideSecretMembers('{"access_token":"four words and more"}'), '{"access_token":"‹access_token›"}')
})

t.test('runs of one specification share its words, and those of another have their own', async (t) => {
  const empty = { hash: '', requirements: [], cases: [], observations: [] }
  const rule = { id: '1-a', section: '1', statement: 'A griffin guards it.', level: 'must' } as const
  const other = { ...empty, requirements: [rule] }
  t.equal(vocabularyOf(empty), vocabularyOf(empty))
  t.notOk(vocabularyOf(empty).has('griffin'))
  t.ok(vocabularyOf(other).has('griffin'))
})

t.test('what a recording adds is no word of reports', async (t) => {
  const recorded = { id: 'har:request/1', section: RECORDED_SECTION, statement: 'griffin', steps: [] }
  const found = {
    hash: '',
    requirements: [],
    cases: [],
    observations: [{ ...recorded, shows: 'answer' as const }],
  }
  t.notOk(vocabularyOf(found).has('griffin'), 'a client may send a password in capitals, too')
})

t.test('a part of the URL of the token endpoint is shown with it, what extends it is not', async (t) => {
  const empty = { hash: '', requirements: [], cases: [], observations: [] }
  const service = { shownBaseUrl: 'http://127.0.0.1:8080/api', accounts: [] }
  const { isShown } = vocabularyWith([service], empty)
  for (const text of [
    'http://127.0.0.1:8080',
    'http://127.0.0.1:8080/api/',
    'http://127.0.0.1:8080/api/Token',
  ])
    t.ok(isShown(text), text)
  for (const text of ['http://127.0.0.1:8080/api/Token?key=1', 'http://127.0.0.1:8080/key'])
    t.notOk(isShown(text), text)
  const tokenRequest = { path: '/‹P from the environment›', headers: {}, form: {} }
  const other = { ...service, tokenRequest: { ...tokenRequest, path: '/oauth/token', shown: tokenRequest } }
  t.notOk(vocabularyWith([other], empty).isShown('oauth/token'), 'what came from the environment')
})
