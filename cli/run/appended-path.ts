import type { Ask } from '../../conformance/drivers/send/probe/probe-client.js'
import type { Deployment } from '../../conformance/target/deployment.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { print } from '../shared/print.js'

/**
 * `/Token` is appended to every base URL. One that ends in it may be the endpoint itself, given by mistake: that is said, and
 * asked by the documented request that needs no account.
 * @throws AssayError `bad-base-url` where there is nothing at `…/Token/Token`, and something at `…/Token`
 */
export async function refuseEndpointAsBase(deployments: readonly Deployment[]): Promise<void> {
  for (const { baseUrl, shownBaseUrl, start, tokenRequest } of deployments) {
    if (!/\/token$/i.test(new URL(baseUrl).pathname) || tokenRequest?.path !== undefined) continue
    print(`/Token is appended to the base URL: the endpoint is ${shownBaseUrl}/Token`)
    // What the run starts is not there yet.
    if (start !== undefined) continue
    const { withService } = await import('../../conformance/drivers/send/probe/probe-client.js')
    const [appended, itself] = await withService(baseUrl, async (ask) => [
      await statusAt(ask, '/Token'),
      await statusAt(ask, ''),
    ])
    if (appended === 404 && itself !== undefined && itself !== 404)
      throw new AssayError(
        'bad-base-url',
        `${shownBaseUrl}/Token is not there (404), and ${shownBaseUrl} is: give ${shownBaseUrl.replace(/\/token$/i, '')}`,
      )
  }
}

async function statusAt(ask: Ask, path: string): Promise<number | undefined> {
  const answer = await ask({ method: 'POST', path, contentType: 'application/json' })
  return typeof answer === 'string' ? undefined : answer.status
}
