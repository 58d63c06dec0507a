import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newman, stepci } from './api-tools.js'
import { FORM, fileOf, IN_FLIGHT, type Peer } from './peer.js'

const BODY = new URLSearchParams(FORM).toString()

/** One test for each grant, run in the process that is measured: `node --test` would start another. */
const nodeTest: Peer = {
  name: 'node:test',
  prepare: (folder, url, grants) => {
    const file = join(folder, `grants-${grants}.mjs`)
    writeFileSync(
      file,
      `import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
describe('grants', { concurrency: ${IN_FLIGHT} }, () => {
${testsOf(url, grants)}
      assert.equal(answer.status, 200)
      assert.ok(json.access_token.length > 0)
      assert.equal(json.token_type, 'bearer')
    })
})
`,
    )
    return ['--test-reporter=spec', file]
  },
}

/** With threads rather than processes, so that what they cost is measured too. */
const vitest: Peer = {
  name: 'vitest',
  package: 'vitest',
  prepare: (folder, url, grants) => {
    const name = `grants-${grants}.test.mjs`
    writeFileSync(
      join(folder, name),
      `describe.concurrent('grants', () => {
${testsOf(url, grants)}
      expect(answer.status).toBe(200)
      expect(json.access_token).not.toHaveLength(0)
      expect(json.token_type).toBe('bearer')
    })
})
`,
    )
    const flags = ['--globals', '--pool=threads', `--maxConcurrency=${IN_FLIGHT}`]
    return [fileOf('vitest', 'vitest.mjs'), 'run', name, '--root', folder, ...flags]
  },
}

function testsOf(url: string, grants: number): string {
  return `  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (let at = 0; at < ${grants}; at++)
    test('grant ' + at + ' is made', async () => {
      const answer = await fetch('${url}/Token', { method: 'POST', headers, body: '${BODY}' })
      const json = await answer.json()`
}

/** Other tools, at the same grants and checks. */
export const PEERS: readonly Peer[] = [nodeTest, vitest, newman, stepci]
