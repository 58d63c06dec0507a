import { isText, parseJsonObject } from '../http/json-body.js'
import { isMediaType } from '../http/media-type.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { literally, type Reply, type Route, type Service } from '../service.js'
import { issue, refuse } from './reply.js'

/**
 * `POST {base_url}/external-login` signs in the registered user to whom an outside provider's authorization code
 * belongs, and answers as the password grant does (2.1-R4, 4.2). Path and payload are ours. Where the provider is
 * comes from the configuration alone: a request only names it.
 */
export function externalLoginRoute(service: Service): Route {
  return {
    path: literally(`${service.settings.basePath}/external-login`),
    answer: (request) => signIn(service, request),
  }
}

async function signIn(service: Service, request: ReceivedRequest): Promise<Reply> {
  const { behaviour, providers, externalLogins, signingIn } = service
  if (request.method !== 'POST') return refuse(behaviour, 'wrong-method')
  if (!isMediaType(request.contentType, 'application/json')) return refuse(behaviour, 'not-json')
  if (request.bodyTooLong) return refuse(behaviour, 'body-too-long')
  const { provider: name, code = '' } = parseJsonObject(request.body) ?? {}
  if (!isText(name) || !isText(code)) return refuse(behaviour, 'malformed-sign-in')

  const state = service.state()
  const provider = providers.get(name)
  if (provider === undefined) return refuse(behaviour, 'unknown-provider')
  // An absent code is the provider's to refuse: where no callback is registered its answer is another one (5-R3).
  const answer = await signingIn.offer(() => externalLogins.exchange(provider, code))
  if (answer === undefined) return refuse(behaviour, 'busy')
  if ('refusal' in answer) return refuse(behaviour, answer.refusal)

  const linked = state.accounts.findByLogin({ provider: name, subject: answer.subject })
  const bearer = behaviour.signInExternally(linked)
  return bearer === undefined
    ? refuse(behaviour, 'not-linked')
    : issue(service, state, bearer, 'external-login')
}
