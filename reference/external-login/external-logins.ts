import type { Agent, Dispatcher } from 'undici'
import { parseJsonObject } from '../http/json-body.js'
import { askProvider, type Provider, type ProviderAnswer, type ProviderResponse } from './code-flow.js'

/** Exchanges authorization codes at providers. */
export interface ExternalLogins {
  /** Never rejected: a provider that fails is an answer too. */
  exchange(provider: Provider, code: string): Promise<ProviderAnswer>
  close(): Promise<void>
}

const longestAnswerBytes = 65_536

/** `timeoutMs` is for both requests of a sign-in together. */
export function createExternalLogins(timeoutMs: number): ExternalLogins {
  let agent: Promise<Agent> | undefined
  return {
    async exchange(provider, code) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        agent ??= openAgent()
        const dispatcher = await agent
        const asked = askProvider(provider, code, (url, request) =>
          send(dispatcher, url, { ...request, signal }),
        )
        // Raced too: undici does not see the signal of a request that it has queued.
        return await Promise.race([asked, abortOf(signal)])
      } catch {
        return { refusal: 'provider-failed' }
      }
    },
    async close() {
      await (await agent)?.destroy()
    },
  }
}

async function openAgent(): Promise<Agent> {
  // Loaded on demand: a server whose clients ask no provider never pays for it.
  const { Agent } = await import('undici')
  return new Agent({ maxResponseSize: longestAnswerBytes })
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function send(
  dispatcher: Dispatcher,
  url: string,
  request: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'>,
): Promise<ProviderResponse> {
  const { origin, pathname, search } = new URL(url)
  const response = await dispatcher.request({ ...request, origin, path: `${pathname}${search}` })
  const bytes = new Uint8Array(await response.body.arrayBuffer())
  return { status: response.statusCode, json: parseJsonObject(bytes) ?? {} }
}
