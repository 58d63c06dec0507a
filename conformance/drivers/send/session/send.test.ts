import t from 'tap'
import { templatesOf } from './send.js'

t.test('a request to another host is shown with the names of the variables in its address', async (t) => {
  const { template, shownTemplate } = templatesOf({
    method: 'POST',
    url: 'http://127.0.0.1:6000/code?tenant=7',
    shown: { method: 'POST', url: 'http://127.0.0.1:‹PORT from the environment›/code?tenant=‹TENANT›' },
  })
  t.equal(template.path, '/code?tenant=7')
  t.equal(shownTemplate?.path, '/code?tenant=‹TENANT›')
  const whole = { method: 'POST', url: '‹URL from the environment›' }
  t.equal(templatesOf({ method: 'POST', url: 'http://a/b', shown: whole }).shownTemplate?.path, '')
})
