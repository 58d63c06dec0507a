import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { assayClient } from './assay-client.js'
import { assessClient } from './assess-client.js'
import { clientWith, FAULTS } from './fixtures/clients.js'
import { commandClient } from './run-command.js'
import { SEARCH } from './search.js'

for (const [fault, [changes, expected]] of Object.entries(FAULTS))
  t.test(`a client that ${fault} breaks these rules and no other`, async (t) => {
    const { rules } = await assayClient(clientWith(changes), { seed: 1, skip: [SEARCH.id] })
    const failed = rules.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
    t.strictSame(failed, expected)
  })

const PYTHON = `
import json, os, sys, urllib.parse, urllib.request
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *rest): return None
get = urllib.request.build_opener(Stay).open
form = {"grant_type": "password", "username": os.environ["TOKEN_ASSAY_USER_NAME"], "password": os.environ["TOKEN_ASSAY_PASSWORD"]}
try:
    answer = json.load(get(os.environ["TOKEN_ASSAY_URL"] + "/Token", urllib.parse.urlencode(form).encode()))
    token = answer["access_token"]
    get(urllib.request.Request(os.environ["TOKEN_ASSAY_RESOURCE_URL"], headers={"Authorization": "Bearer " + token}))
except Exception as error:
    sys.exit(1)
print(json.dumps({"signedIn": True, "userName": answer["userName"], "expiresAt": answer[".expires"]}))
`

t.test('a conforming client in Python is green', async (t) => {
  const file = join(t.testdir({}), 'client.py')
  writeFileSync(file, PYTHON)
  const report = await assessClient(commandClient('python3', [file], 60_000), { seed: 1, runs: 5 })
  t.strictSame(
    report.results
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ id, judgements }) => [id, judgements]),
    [],
  )
})
