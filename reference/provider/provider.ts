import { specifiedBehaviour } from '../behaviour.js'
import { type Clock, createClock } from '../clock.js'
import { createDispatch } from '../connection/dispatch.js'
import { createHttpServer } from '../connection/http-server.js'
import { listenerDefaults } from '../options/settings.js'
import { type ProviderClient, providerRoutes } from './provider-routes.js'

export type { ProviderClient }

export interface ProviderOptions {
  readonly clients: readonly ProviderClient[]
  readonly clock?: Clock
}

/** A running provider. Its endpoints are `POST /code`, `POST /token` and `GET /userinfo`. */
export interface RunningProvider {
  /** Without a trailing slash. */
  readonly url: string
  readonly tokenEndpoint: string
  readonly userInfoEndpoint: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts an outside identity provider for tests: the code flow of OpenID Connect without its login page. Instead,
 * `POST /code` with `{"user": …}` hands out a code for the named user, whatever the name.
 * @throws the system's error when it cannot listen.
 */
export async function startProvider({
  clients,
  clock = createClock(),
}: ProviderOptions): Promise<RunningProvider> {
  const routes = providerRoutes(clients, clock)
  const log = (): void => undefined
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= http.close()
    return closing
  }
  const dispatch = createDispatch(routes, {
    behaviour: specifiedBehaviour,
    clock,
    log,
    isClosing: () => closing !== undefined,
    observe: () => undefined,
  })
  const http = createHttpServer(dispatch, { ...listenerDefaults, log })
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`
  return {
    url,
    tokenEndpoint: `${url}/token`,
    userInfoEndpoint: `${url}/userinfo`,
    close,
    [Symbol.asyncDispose]: close,
  }
}
