/** `npm run docs:interop`: runs the suite against the servers of `interop/` and writes `docs/interop.md`. */
import { fileURLToPath } from 'node:url'
import { assessImplementation } from '../interop/assess-implementation.js'
import { nodeOauth2Server, oauth2MockServer } from '../interop/implementations.js'
import { type Assessed, renderPage } from '../interop/page.js'
import { writeIfChanged } from './write-if-changed.js'

const assessed: Assessed[] = []
for (const implementation of [oauth2MockServer, nodeOauth2Server])
  assessed.push({ implementation, report: await assessImplementation(implementation) })
writeIfChanged(fileURLToPath(new URL('../docs/interop.md', import.meta.url)), renderPage(assessed))
