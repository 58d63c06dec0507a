/** The part of a k6 script that is called once an iteration: every case once, with one input each. */
export const RUNNING = `
export default function () {
  for (const one of CASES) {
    // What must wait would slow every iteration down: each virtual user does it once.
    if (one.steps.some((step) => step.waitMs !== undefined) && __ITER > 0) continue
    run(one, __VU - 1 + __ITER)
  }
}

// Sends a case, for the accounts and with the inputs in turn, and checks what came back.
function run(one, turn) {
  const account = one.account === 'throwaway' ? ACCOUNTS[ACCOUNTS.length - 1] : ACCOUNTS[turn % ACCOUNTS.length]
  const other = ACCOUNTS.find((known) => known.userName !== account.userName) || account
  const scope = { account, other, target: TARGET }
  for (const variable of Object.keys(one.forall || {})) {
    const inputs = INPUTS[one.forall[variable]]
    scope[variable] = inputs[turn % inputs.length]
  }
  const answers = {}
  const verdicts = []
  for (const step of one.steps) {
    if (step.waitMs !== undefined) sleep(step.waitMs / 1000)
    const answer = send(one, step.send, scope, account)
    if (answer === undefined) return
    if (step.name !== undefined) answers[step.name] = answer
    for (const expected of step.expect || []) {
      const judged = expected.of === undefined ? answer : answers[expected.of]
      verdicts.push(say(one.id, expected, judge(expected, judged, answers)))
    }
    // Whichever case drew it, an answer that yields a token has the documented shape.
    if (answer.yieldsToken && one.id !== GRANT.id)
      for (const expected of GRANT.expect) say(GRANT.id, expected, judge(expected, answer, answers))
  }
  // What has nothing to judge is no proof: never green for it.
  if (verdicts.indexOf(undefined) >= 0 && verdicts.indexOf(false) < 0)
    check(one, { [one.id + ' can be judged']: () => false }, { case: one.id })
}

function say(id, expected, verdict) {
  if (verdict !== undefined)
    check(expected, { [id + ' ' + expected.rule]: () => verdict }, { case: id, rule: expected.rule })
  return verdict
}
`
