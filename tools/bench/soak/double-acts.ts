import { accounts, logIn, oneOf, post } from './sound-requests.js'

/** Sends one request, judges its answer, and gives the body. */
export type Ask = (
  to: 'service' | 'control',
  bytes: string,
  expected: { readonly status: number; readonly body?: RegExp },
) => Promise<string>

/** What a test does with its double: everything that it makes it also takes away. */
type Act = (ask: Ask, secret: string, serial: number) => Promise<void>

const [alice] = accounts
const json = 'application/json'
const userName = alice.userName

function control(secret: string, path: string, body?: object, method = 'POST'): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  return post(path, json, text, method, [`Authorization: Bearer ${secret}`])
}

function me(token: string): string {
  return `GET /me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

const acts: readonly Act[] = [
  async function mint(ask, secret) {
    const minted = await ask('control', control(secret, '/tokens', { userName }), { status: 201 })
    const token = /"access_token":"([^"]+)"/.exec(minted)?.[1] ?? 'none'
    const body = new RegExp(`"active":true,"username":"${userName}"`)
    await ask('control', control(secret, '/tokens/introspect', { token }), { status: 200, body })
    await ask('service', me(token), { status: 200, body: /"userName":"alice"/ })
    await ask('control', control(secret, '/tokens/revoke', { token }), { status: 200, body: /true/ })
    await ask('control', control(secret, '/tokens/introspect', { token }), { status: 200, body: /:false}$/ })
    await ask('service', me(token), { status: 401 })
  },
  async function mintExpired(ask, secret, serial) {
    const token = `expired-${serial}`
    const expired = { userName, lifetime: 60, issuedAt: 1_709_208_000_000, value: token }
    await ask('control', control(secret, '/tokens', expired), { status: 201 })
    await ask('control', control(secret, '/tokens/introspect', { token }), { status: 200, body: /:false}$/ })
    await ask('service', me(token), { status: 401 })
  },
  async function hook(ask, secret, serial) {
    const hooked = `hooked-${serial}`
    const change = { status: 418, set: { serial }, headers: { 'X-Serial': `${serial}` } }
    const asked = { match: { userName: hooked }, change, times: 1 }
    const added = await ask('control', control(secret, '/hooks', asked), { status: 201 })
    const path = `/hooks/${/"id":"(\w+)"/.exec(added)?.[1]}`
    const odd = new RegExp(`"serial":${serial}}$`)
    await ask('service', logIn(hooked, 'Wrong-1'), { status: 418, body: odd })
    await ask('service', logIn(hooked, 'Wrong-1'), { status: 400, body: /"invalid_grant"/ })
    await ask('control', control(secret, path, undefined, 'DELETE'), { status: 204 })
  },
  async function scope(ask, secret, serial) {
    const name = `soak-${serial}`
    const below = `/scopes/${name}`
    await ask('control', control(secret, '/scopes', { name }), { status: 201 })
    await ask('control', control(secret, `${below}/tokens`, { userName, value: name }), { status: 201 })
    const asked = control(secret, `${below}/tokens/introspect`, { token: name })
    await ask('control', asked, { status: 200, body: /"active":true/ })
    // No other store knows it.
    const elsewhere = control(secret, '/tokens/introspect', { token: name })
    await ask('control', elsewhere, { status: 200, body: /:false}$/ })
    await ask('control', control(secret, below, undefined, 'DELETE'), { status: 204 })
  },
  async function reload(ask, secret, serial) {
    // It reads and checks a file: now and then.
    if (serial % 20 === 0)
      await ask('control', control(secret, '/settings/reload'), { status: 200, body: /"changed":\[\]/ })
  },
]

/** One of them, chosen by chance. */
export function playDoubleAct(ask: Ask, secret: string, random: () => number, serial: number): Promise<void> {
  return oneOf(acts, random)(ask, secret, serial)
}
