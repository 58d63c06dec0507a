import { text } from 'node:stream/consumers'
import type { Account } from '../../conformance/target/deployment.js'
import { listen, type Running } from './listen.js'

/** The places where a server that somebody writes in an hour goes wrong. */
export interface Parts {
  /** The form of a request, or undefined where the body is none. */
  read(contentType: string, body: string): URLSearchParams | undefined
  supports(grantType: string | null): boolean
  admits(account: Account, userName: string | null, password: string | null): boolean
  /** @param now milliseconds since the epoch */
  token(userName: string, now: number): object
  readonly error: object
  readonly errorType: string
}

const DAYS_14_S = 14 * 24 * 60 * 60

/** Written from the specification alone. */
export const conforming: Parts = {
  read: (contentType, body) =>
    contentType.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
      ? new URLSearchParams(body)
      : undefined,
  supports: (grantType) => grantType === 'password',
  admits: (account, userName, password) => userName === account.userName && password === account.password,
  token: (userName, now) => ({
    access_token: crypto.randomUUID(),
    token_type: 'bearer',
    expires_in: DAYS_14_S - 1,
    userName,
    '.issued': new Date(now).toUTCString(),
    '.expires': new Date(now + DAYS_14_S * 1000).toUTCString(),
  }),
  error: { error: 'unsupported_grant_type' },
  errorType: 'application/json;charset=UTF-8',
}

/** A token service in a few lines of `node:http`. @param changes what it does otherwise */
export function startMinimalServer(account: Account, changes: Partial<Parts> = {}): Promise<Running> {
  const parts = { ...conforming, ...changes }
  return listen(async (request, response) => {
    const send = (status: number, contentType: string, body: object): void => {
      response.writeHead(status, { 'Content-Type': contentType }).end(JSON.stringify(body))
    }
    const body = await text(request)
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method !== 'POST' || pathname !== '/Token') return void response.writeHead(404).end()
    const form = parts.read(request.headers['content-type'] ?? '', body)
    if (form === undefined || !parts.supports(form.get('grant_type')))
      return send(400, parts.errorType, parts.error)
    if (!parts.admits(account, form.get('username'), form.get('password')))
      return send(400, 'application/json', { error: 'invalid_grant' })
    send(200, 'application/json', parts.token(account.userName, Date.now()))
  })
}
