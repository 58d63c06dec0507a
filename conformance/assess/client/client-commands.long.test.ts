import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { clientSuite } from '../../../spec/load/client-suite.js'
import type { Report } from '../../../spec/model/report.js'
import { everyNth, seeds } from '../../../tests/fixtures/effort.js'
import { setTimeZone } from '../../../tests/fixtures/time-zone.js'
import { commandClient } from '../../drivers/host/run-command.js'
import { assessClient } from './assess-client.js'

/** After the first, of which all scenarios are played: no other scenario depends on the seed. */
const SEEDS = seeds(2).slice(1)

/** Seconds that these clients wait for an answer: enough on a busy machine. */
const LIMIT_S = 20

const NODE_FETCH = `
const { TOKEN_ASSAY_URL: url, TOKEN_ASSAY_USER_NAME: username, TOKEN_ASSAY_PASSWORD: password } = process.env
const body = new URLSearchParams({ grant_type: 'password', username, password })
setTimeout(() => process.exit(1), LIMIT * 1000).unref()
const response = await fetch(url + '/Token', { method: 'POST', body, redirect: 'error' })
if (!response.ok) throw new Error('refused')
const answer = await response.json()
if (answer.token_type !== 'bearer' || !answer.access_token) throw new Error('no token')
const headers = { Authorization: 'Bearer ' + answer.access_token }
const used = await fetch(process.env.TOKEN_ASSAY_RESOURCE_URL, { headers })
if (!used.ok) throw new Error('the token is refused')
console.log(JSON.stringify({ userName: answer.userName, expiresAt: answer['.expires'] }))
`

const NODE_HTTP = `
import { request } from 'node:http'
const { TOKEN_ASSAY_URL: url, TOKEN_ASSAY_USER_NAME: username, TOKEN_ASSAY_PASSWORD: password } = process.env
setTimeout(() => process.exit(1), LIMIT * 1000).unref()
const ask = (url, options, body) => new Promise((resolve, reject) => {
  const asked = request(url, options, async (response) => {
    let text = ''
    try {
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      if (response.statusCode === 200) resolve(text)
      else reject(new Error('refused'))
    } catch (error) { reject(error) }
  })
  asked.on('error', reject).end(body)
})
const form = ['grant_type=password', 'username=' + encodeURIComponent(username), 'password=' + encodeURIComponent(password)]
const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
const answer = JSON.parse(await ask(url + '/Token', { method: 'POST', headers }, form.join('&')))
if (answer.token_type !== 'bearer' || !answer.access_token) throw new Error('no token')
await ask(process.env.TOKEN_ASSAY_RESOURCE_URL, { headers: { Authorization: 'bearer ' + answer.access_token } })
console.log(JSON.stringify({ expiresAt: Date.now() + answer.expires_in * 1000 }))
`

const PYTHON_URLLIB = `
import json, os, signal, sys, urllib.parse, urllib.request
signal.alarm(LIMIT)
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *rest): return None
get = urllib.request.build_opener(Stay).open
form = {"grant_type": "password", "username": os.environ["TOKEN_ASSAY_USER_NAME"], "password": os.environ["TOKEN_ASSAY_PASSWORD"]}
try:
    answer = json.load(get(os.environ["TOKEN_ASSAY_URL"] + "/Token", urllib.parse.urlencode(form).encode()))
    token = answer["access_token"]
    if not token or answer["token_type"] != "bearer": raise Exception("no token")
    get(urllib.request.Request(os.environ["TOKEN_ASSAY_RESOURCE_URL"], headers={"Authorization": "Bearer " + token}))
except Exception as error:
    sys.exit(1)
print(json.dumps({"signedIn": True, "userName": answer["userName"], "expiresAt": answer[".expires"]}))
`

const PYTHON_HTTP = `
import http.client, json, os, signal, sys, time, urllib.parse
signal.alarm(LIMIT)
at = urllib.parse.urlsplit(os.environ["TOKEN_ASSAY_URL"])
def ask(method, path, body=None, headers={}):
    connection = http.client.HTTPConnection(at.hostname, at.port)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    text = response.read()
    if response.status != 200: raise Exception("refused")
    return text
form = [("password", os.environ["TOKEN_ASSAY_PASSWORD"]), ("username", os.environ["TOKEN_ASSAY_USER_NAME"]), ("grant_type", "password")]
body = urllib.parse.urlencode(form, quote_via=urllib.parse.quote)
answer = json.loads(ask("POST", at.path + "/Token", body, {"Content-Type": "APPLICATION/X-WWW-FORM-URLENCODED"}))
if not answer["access_token"] or answer["token_type"] != "bearer": raise Exception("no token")
resource = urllib.parse.urlsplit(os.environ["TOKEN_ASSAY_RESOURCE_URL"])
ask("GET", resource.path, headers={"Authorization": "Bearer " + answer["access_token"]})
print(json.dumps({"expiresAt": int(time.time()) + answer["expires_in"]}))
`

const BASH = `
set -euo pipefail
answer=$(curl -sf -m LIMIT "$TOKEN_ASSAY_URL/Token" -d grant_type=password --data-urlencode "username=$TOKEN_ASSAY_USER_NAME" \\
  --data-urlencode "password=$TOKEN_ASSAY_PASSWORD")
token=$(python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["access_token"] if a["token_type"] == "bearer" and a["access_token"] else sys.exit(1))' <<< "$answer")
curl -sf -o /dev/null -H "Authorization: Bearer $token" "$TOKEN_ASSAY_RESOURCE_URL"
`

const CONFORMING = [
  ['node, fetch', process.execPath, 'fetch.mjs', NODE_FETCH],
  ['node, http', process.execPath, 'http.mjs', NODE_HTTP],
  ['python, urllib', 'python3', 'urllib.py', PYTHON_URLLIB],
  ['python, http.client', 'python3', 'client.py', PYTHON_HTTP],
  ['bash, curl', 'bash', 'curl.sh', BASH],
] as const

/** Takes `.expires` for a local time: it reports another one, or finds its token expired. */
const LOCAL_TIME = `
import datetime
expires = datetime.datetime.strptime(answer[".expires"], "%a, %d %b %Y %H:%M:%S GMT").timestamp()
`
const REPORTS_LOCAL_TIME = `${PYTHON_URLLIB.replace(/^print.*\n/m, '')}${LOCAL_TIME}
print(json.dumps({"expiresAt": expires}))
`
/** Takes it for a local time of winter all the year. */
const REPORTS_WINTER_TIME = `${PYTHON_URLLIB.replace(/^print.*\n/m, '')}
import time
at = time.strptime(answer[".expires"], "%a, %d %b %Y %H:%M:%S GMT")
print(json.dumps({"expiresAt": time.mktime(at) - time.timezone}))
`
/** Reckons it from the issue by the clock on the wall. */
const REPORTS_WALL_CLOCK = `${PYTHON_URLLIB.replace(/^print.*\n/m, '')}
import calendar, datetime, time
at = calendar.timegm(time.strptime(answer[".issued"], "%a, %d %b %Y %H:%M:%S GMT"))
expires = datetime.datetime.fromtimestamp(at) + datetime.timedelta(seconds=answer["expires_in"])
print(json.dumps({"expiresAt": expires.timestamp()}))
`
const EXPIRES_LOCALLY = `${PYTHON_URLLIB.replace(/^print.*\n/m, '')}${LOCAL_TIME}
sys.exit(1 if expires < datetime.datetime.now().timestamp() else 0)
`

const IDS = clientSuite().scenarios.map(({ id }) => id)

// Each call is a process: the clients play the scenarios by turns.
for (const [at, [name, command, file, source]] of CONFORMING.entries())
  t.test(`a conforming client is green: ${name}`, async (t) => {
    const path = join(t.testdir({}), file)
    writeFileSync(path, source.replace('LIMIT', String(LIMIT_S)))
    const client = commandClient(command, [path], 120_000)
    const notGreen = ({ results }: Report) =>
      results.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'inapplicable')
    const only = [...everyNth(IDS, CONFORMING.length, at), clientSuite().search.id]
    const report = await assessClient(client, { seed: 1, runs: 5, only, patienceMs: 3000 * LIMIT_S })
    t.equal(report.results.length, only.length)
    t.strictSame(notGreen(report), [])
    for (const seed of SEEDS)
      t.strictSame(
        notGreen(await assessClient(client, { seed, runs: 1, only: [clientSuite().search.id] })),
        [],
        `${seed}`,
      )
  })

t.test('a client that takes the times for local ones is found by a suite in UTC too', async (t) => {
  setTimeZone(t, 'UTC')
  const failures = async (command: string, file: string, source: string) => {
    const path = join(t.testdir({}), file)
    writeFileSync(path, source.replace('LIMIT', String(LIMIT_S)))
    const only = [
      'client:request/plain',
      'client:answer/*-time',
      'client:answer/time-zone',
      'client:answer/the-token-lives-for-an-hour',
    ]
    const { results } = await assessClient(commandClient(command, [path], 120_000), { seed: 1, only })
    return results.flatMap(({ case: id, judgements }) =>
      judgements.flatMap(({ rule, outcome }) => (outcome === 'failed' ? [`${id} ${rule}`] : [])),
    )
  }
  const [zone, winter, summer] = ['time-zone', 'winter-time', 'summer-time'].map(
    (id) => `client:answer/${id} client:answer`,
  )
  const reported = [zone, winter, summer].map((own) => `${own}-reported`)
  t.strictSame((await failures('python3', 'reports.py', REPORTS_LOCAL_TIME)).toSorted(), reported.toSorted())
  t.strictSame(await failures('python3', 'winter.py', REPORTS_WINTER_TIME), [`${summer}-reported`])
  t.strictSame(await failures('python3', 'wall.py', REPORTS_WALL_CLOCK), [`${winter}-reported`])
  t.strictSame(await failures('python3', 'expires.py', EXPIRES_LOCALLY), [`${zone}-dates`])
  for (const [name, command, file, source] of CONFORMING)
    t.strictSame(await failures(command, file, source), [], name)
})
