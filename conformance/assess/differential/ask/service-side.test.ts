import t from 'tap'
import { probeOf } from '../../../drivers/pair/probe.js'
import { SPENT } from '../../../drivers/pair/service-pair.js'
import { startPair } from '../fixtures/pair.js'
import { openSide } from './service-side.js'

const WRONG_PASSWORD = probeOf('wrong password', [
  { send: { form: { grant_type: 'password', username: '$account.userName', password: 'x' } } },
])

/** Of the registrations that a service is sent, so many fail, the first of them. */
async function sideWith(failing: number) {
  let registrations = 0
  const { old } = await startPair(t, {
    old: {
      altered: {
        deliver: (answer, request) =>
          request.path.endsWith('/accounts') && ++registrations <= failing
            ? { kind: 'answer', answer: { ...answer, status: 503 } }
            : { kind: 'answer', answer },
      },
    },
  })
  const side = openSide(old, { seed: 1 })
  return { side, made: () => registrations }
}

t.test('a registration that fails once is asked for again, and one that fails twice is not', async (t) => {
  const once = await sideWith(1)
  t.not(await once.side.ask(WRONG_PASSWORD), SPENT)
  t.notOk(once.side.lacksAccounts)
  t.equal(once.made(), 2)
  await once.side.close()
  const twice = await sideWith(2)
  t.equal(await twice.side.ask(WRONG_PASSWORD), SPENT)
  t.ok(twice.side.lacksAccounts)
  t.equal(twice.made(), 2)
  await twice.side.close()
})
