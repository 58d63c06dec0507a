import { embeddedDeployments, exhaustiveDeployments } from './embedded-deployments.js'
import { type Embedded, startEmbeddedProvider, startServers } from './embedded-servers.js'

/**
 * The reference server in every deployment that it takes to exercise every rule, with an outside provider of its own.
 * @param exhaustive every combination of policy settings instead
 */
export async function startEmbedded(exhaustive = false): Promise<Embedded> {
  const provider = await startEmbeddedProvider()
  const servers = await startServers({
    name: 'the embedded reference server',
    settings: exhaustive ? exhaustiveDeployments() : embeddedDeployments(),
    provider,
  })
  const close = async (): Promise<void> => {
    await Promise.all([servers.close(), provider.close()])
  }
  return { target: servers.target, close, [Symbol.asyncDispose]: close }
}
