// Debian's glewlwyd with a fresh SQLite database in a temporary folder, set up over its administration's API as its pages
// "Getting started" and OAUTH2.md describe: an instance of the OAuth2 plugin with the password grant alone, and two users.
// Configured for the contract by its lifetime; its path is fixed. The port is opened to others only after that. FOLDER, GRANTS
// and LIFETIME are for rehearsals: the database outlives a restart, and tokens are refreshed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const { ALICE_PASSWORD, ZOE_PASSWORD, PORT, SETUP_PORT, FOLDER, GRANTS = 'password' } = process.env
const { LIFETIME = 14 * 24 * 60 * 60 } = process.env
const ADMIN = { username: 'admin', password: 'password' }
const PLUGIN = {
  module: 'oauth2-glewlwyd',
  name: 'glwd',
  display_name: 'OAuth2',
  parameters: {
    'jwt-type': 'sha',
    'jwt-key-size': '256',
    key: 'only-for-this-run',
    'access-token-duration': Number(LIFETIME),
    'refresh-token-duration': 14 * 24 * 60 * 60,
    'code-duration': 600,
    'refresh-token-rolling': true,
    'auth-type-code-enabled': false,
    'auth-type-implicit-enabled': false,
    'auth-type-password-enabled': true,
    'auth-type-client-enabled': false,
    'auth-type-refresh-enabled': GRANTS.includes('refresh_token'),
    scope: [],
  },
}
const folder = FOLDER ?? mkdtempSync(join(tmpdir(), 'glewlwyd-'))
if (FOLDER === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const database = join(folder, 'glewlwyd.db')
const isNew = !existsSync(database)
const tables = readFileSync('/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3')
if (isNew && spawnSync('sqlite3', [database], { input: tables }).status !== 0) throw new Error('no database')

if (isNew) {
  const setUpService = start(SETUP_PORT)
  await setUp(`http://127.0.0.1:${SETUP_PORT}/api`)
  setUpService.kill()
  await once(setUpService, 'exit')
}
const service = start(PORT)
service.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => service.kill(signal))

function start(port) {
  const file = join(folder, `${port}.conf`)
  const lib = '/usr/lib/glewlwyd'
  writeFileSync(
    file,
    `port=${port}
bind_address="127.0.0.1"
external_url="http://127.0.0.1:${port}"
api_prefix="api"
log_mode="console"
log_level="ERROR"
cookie_secure=0
session_expiration=2419200
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${lib}/user"
client_module_path="${lib}/client"
user_auth_scheme_module_path="${lib}/scheme"
plugin_module_path="${lib}/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3" path = "${database}" };
`,
  )
  return spawn('glewlwyd', ['-c', file], { stdio: 'inherit' })
}

async function setUp(api) {
  let signedIn
  while (signedIn === undefined) {
    signedIn = await post(`${api}/auth`, ADMIN).catch(() => undefined)
    if (signedIn === undefined) await pause(50)
  }
  const cookie = signedIn.headers
    .getSetCookie()
    .map((value) => value.split(';')[0])
    .join('; ')
  await post(`${api}/mod/plugin/`, PLUGIN, cookie)
  for (const [username, password] of [
    ['alice', ALICE_PASSWORD],
    ['Zoë Straße', ZOE_PASSWORD],
  ])
    await post(
      `${api}/user/`,
      { username, password, name: username, email: 'user@example.com', scope: ['g_profile'], enabled: true },
      cookie,
    )
}

async function post(url, json, cookie = '') {
  const headers = { 'Content-Type': 'application/json', cookie }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(json) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}
