import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Another tool that sends the grants of `writeCases` and makes the same three checks. */
export interface Peer {
  readonly name: string
  /** Of tools/bench/package.json; absent: a part of Node. */
  readonly package?: string
  /** What Node is started with; writes the files that the tool needs into the folder. */
  readonly prepare: (folder: string, url: string, grants: number) => readonly string[]
  readonly env?: (folder: string) => NodeJS.ProcessEnv
}

export const IN_FLIGHT = 16
export const FORM = { grant_type: 'password', username: 'alice', password: 'Correct-horse-1' }

const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url))

/** A file of an installed package. */
export function fileOf(name: string, file: string): string {
  return join(PACKAGES, name, file)
}

export function isInstalled(peer: Peer): boolean {
  return peer.package === undefined || existsSync(dirname(fileOf(peer.package, 'package.json')))
}
