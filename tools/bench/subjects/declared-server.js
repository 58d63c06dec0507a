// The reference server with all that a target can declare. Writes that target to the file that its argument is.
import { writeFileSync } from 'node:fs'
import { embeddedDeployments } from '../../../dist/reference/embedded/embedded-deployments.js'
import { startEmbeddedProvider, startServers } from '../../../dist/reference/embedded/embedded-servers.js'

const provider = await startEmbeddedProvider()
const own = { ...embeddedDeployments().get('default'), includesUserId: true }
const { input } = await startServers({ name: 'bench', provider, settings: new Map([['default', own]]) })
writeFileSync(process.argv[2], JSON.stringify(input))
console.log(input.deployments.default.baseUrl)
