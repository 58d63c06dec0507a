import t from 'tap'
import { specifiedBehaviour } from '../../../reference/behaviour.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { startReference } from '../../../tests/fixtures/reference.js'
import { startCase } from '../../drivers/send/session/case-run.js'
import { createRunContext } from '../../drivers/send/session/run-context.js'
import { send } from '../../drivers/send/session/send.js'
import { openSession } from '../../drivers/send/session/session.js'
import { plain } from '../../exchange/redactable-text.js'
import { resolveTarget } from '../../target/target.js'
import { Invariant } from './invariant.js'

const ANN = { userName: 'ann', password: 'Correct-7-horses' }

t.test('a success without a token that can be read is judged, whichever case asked for it', async (t) => {
  const { url } = await startReference(t, {
    accounts: [ANN],
    behaviour: { renderMembers: (members) => specifiedBehaviour.renderMembers(members).slice(0, -1) },
  })
  const target = resolveTarget({ baseUrl: url, accounts: [ANN] })
  const run = createRunContext(target, { seed: 1 })
  const session = openSession(run, target.deployments[0], undefined, () => undefined)
  t.teardown(() => session.close())
  const testCase = loadSpecification().cases.find(({ invariant }) => invariant === 'token')
  if (testCase === undefined) throw new TypeError('no case is of every token')
  const failedBy = async (userName: string, password: string) => {
    const invariant = new Invariant(session, testCase)
    const form = { grant_type: 'password', username: '$userName', password: '$password' }
    const bindings = { userName: plain(userName), password: plain(password) }
    const sent = await send(startCase(session, testCase), { label: 'first', template: { form }, bindings })
    invariant.onResponse(sent, '2.1/issue-time-advances', 1)
    const { judgements } = invariant.result()
    return judgements.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule)
  }
  t.ok((await failedBy(ANN.userName, ANN.password)).includes('2.1-json-object'))
  t.strictSame(await failedBy(ANN.userName, 'x'), [], 'a refusal is none')
})
