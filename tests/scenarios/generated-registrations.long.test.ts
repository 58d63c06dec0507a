/** `--reporter tests-…=DIR`: what is written registers the accounts that the run made up. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findMutant } from '../../prove/jobs/selection.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { callCommand } from '../fixtures/call-command.js'
import { everyNth } from '../fixtures/effort.js'
import { execute, PASSWORD, startService, TOOLCHAINS } from '../fixtures/toolchains.js'

const right = await startService(t)
const env = { TOKEN_ASSAY_PASSWORD: PASSWORD }

/** Each lets in who has no right to, with an account that the run made up, or has a wrong token response. */
const MUTANTS = [
  ...['any-method', 'longer-password', 'password-in-any-order', 'password-trimmed'],
  ...['duplicate-member', 'array', 'user-name-with-comment', 'address-without-password', 'query-read-too'],
]
/**
 * A right service may refuse a user name in another case: a test that asked for a token there would be wrong. A new account
 * has other letters where a name was cut, and only the suite looks for what is twice inside a member.
 */
const LEFT_TO_SUITE = ['user-name-in-case-of-request', 'user-name-filter', 'nested-duplicate-member']
const available = TOOLCHAINS.filter(({ isThere }) => isThere)

t.test('a test registers the accounts that the run made up, and has a control', async (t) => {
  const cwd = t.testdir({})
  for (const [at, id] of everyNth([...MUTANTS, ...LEFT_TO_SUITE], 2).entries()) {
    // Each in one language where a change lands, and each language once.
    const tried = everyNth(available, available.length, at)
    const baseUrl = await startService(t, { behaviour: findMutant(id).behaviour() })
    const target = {
      baseUrl,
      accounts: [{ userName: 'alice', password: PASSWORD }],
      registration: { request: REGISTRATION_REQUEST },
    }
    writeFileSync(join(cwd, 'target.json'), JSON.stringify(target))
    const formats = tried.flatMap(({ format }) => ['--reporter', `${format}=${join(cwd, id, format)}`])
    const only = ['--effort', 'quick', '--only', '4.1-*', '--only', '2.1-*']
    await callCommand(['run', '--target', 'target.json', '--quiet', '--seed', '1', ...only, ...formats], {
      cwd,
      env,
    })
    for (const { format, prepare, command, counts } of tried) {
      const out = join(cwd, id, format)
      if (prepare !== undefined) t.comment(await execute(prepare, out))
      const [passed, failed = 0, skipped] = counts(
        await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: baseUrl }),
      )
      const isLeft = LEFT_TO_SUITE.includes(id)
      t.strictSame([passed, skipped, failed > 0], [0, isLeft ? 1 : 0, !isLeft], `${format} on ${id}`)
      const printed = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: right })
      t.strictSame(counts(printed), [failed, 0, skipped], printed)
      // Once in each language.
      if (at >= available.length) continue
      const nothing = await execute(command, out, { ...env, TOKEN_ASSAY_BASE_URL: `${right}/elsewhere` })
      t.equal(counts(nothing)[0], 0, 'where no one can sign in, a refusal shows nothing')
    }
  }
})
