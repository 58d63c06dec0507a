import type { Deployment } from './deployment.js'

/** The path of the base URL, without a slash at its end. */
export function basePathOf({ baseUrl }: Pick<Deployment, 'baseUrl'>): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}
