import t from 'tap'
import { withoutSecretMembers } from './describe.js'

t.test('what a service says of a password is shown: it is the reason for a refusal', async (t) => {
  for (const body of [
    // The default template of Web API 2.
    '{"message":"The request is invalid.","modelState":{"model.Password":["The Password must be at least 6 characters long."]}}',
    '{"modelState":{"model.Password":["The Password field is required."],"model.ConfirmPassword":["No match."]}}',
    '{"errors":{"Password":["too short"],"password":"Password required"}}',
    '{"password":{"errors":["must hold a digit"]}}',
  ])
    t.equal(withoutSecretMembers(body), body)
})

t.test('what may be one is not', async (t) => {
  t.equal(withoutSecretMembers('{"password":"Correct-7-horses"}'), '{"password":"‹password›"}')
  t.equal(withoutSecretMembers('{"model.Password":["two words"]}'), '{"model.Password":["‹model.Password›"]}')
  t.equal(withoutSecretMembers('{"access_token":"four words and more"}'), '{"access_token":"‹access_token›"}')
})
