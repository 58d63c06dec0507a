import { randomUUID } from 'node:crypto'
import { isText, parseJsonObject } from '../http/json-body.js'
import { isMediaType } from '../http/media-type.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { literally, type Reply, type Route, type Service } from '../service.js'
import type { Bearer } from '../token-response.js'
import { type NewAccount, registrationErrors } from './registration-errors.js'
import { refuse } from './reply.js'

/**
 * `POST {base_url}/accounts` registers an account under the policy of section 8. The specification shows no such
 * endpoint; path and shapes are ours.
 */
export function accountsRoute(service: Service): Route {
  return {
    path: literally(service.settings.basePath + service.behaviour.registrationPath()),
    answer: (request) => register(service, request),
  }
}

async function register(service: Service, request: ReceivedRequest): Promise<Reply> {
  const { behaviour, hasher, hashing } = service
  if (request.method !== 'POST') return refuse(behaviour, 'wrong-method')
  if (!isMediaType(request.contentType, 'application/json')) return refuse(behaviour, 'not-json')
  if (request.bodyTooLong) return refuse(behaviour, 'body-too-long')
  const members = parseJsonObject(request.body)
  const asked = members && readNewAccount(behaviour.newAccount(members))
  if (asked === undefined)
    return reject(service, ['The body is no JSON object with the strings that it needs.'])

  const { accounts } = service.state()
  const errors = registrationErrors(service, accounts, asked)
  const bearer = { userName: asked.userName, userId: randomUUID() }
  if (behaviour.storesAccount(errors)) {
    const { userName, email, password } = asked
    const address = email === undefined ? {} : { email }
    // Taken before the hash is computed: meanwhile the same name or address may be asked for again.
    const release = accounts.reserve({
      ...(behaviour.reserves('userName') && { userName }),
      ...(behaviour.reserves('email') && address),
    })
    try {
      const hash = await hashing.offer(() => hasher.hash(behaviour.passwordAsHashed(password)))
      if (hash === undefined) return refuse(behaviour, 'busy')
      await behaviour.beforeStoring()
      accounts.add({ ...bearer, ...address, passwordHash: hash })
    } finally {
      release()
    }
  }
  return behaviour.reportsSuccess(errors) ? accept(service, bearer) : reject(service, errors)
}

function readNewAccount(members: Readonly<Record<string, unknown>>): NewAccount | undefined {
  const { userName, email, password } = members
  if (!isText(userName) || !isText(password)) return undefined
  if (email === undefined || email === null || email === '') return { userName, password }
  return isText(email) ? { userName, email, password } : undefined
}

function accept({ behaviour }: Service, bearer: Bearer): Reply {
  return {
    answer: {
      status: behaviour.registeredStatus(),
      headers: [['Content-Type', behaviour.registrationMediaType()], ...behaviour.commonHeaders()],
      body: behaviour.renderRegistration(behaviour.registeredBody(bearer)),
    },
  }
}

function reject({ behaviour }: Service, errors: readonly string[]): Reply {
  return {
    refusal: 'account-rejected',
    errors,
    answer: {
      status: behaviour.rejectedStatus(errors),
      headers: [['Content-Type', behaviour.registrationMediaType()], ...behaviour.commonHeaders()],
      body: behaviour.renderRegistration(behaviour.rejectedBody(errors)),
    },
  }
}
