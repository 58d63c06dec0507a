import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { startServices } from '../../conformance/target/start-services.js'

/** Starts the service of a target's first deployment, until disposed of. */
export async function startTarget({
  deployments: [deployment],
}: Target): Promise<AsyncDisposable & { readonly deployment: Deployment }> {
  const nothingSecret = { output: (text: string): string => text }
  const started = await startServices([deployment], nothingSecret, new AbortController().signal)
  return { deployment, [Symbol.asyncDispose]: () => started.stop() }
}
