// What `token-assay proxy` starts, as it is built, in front of the port that its argument is.

import { startProxy } from '../../../dist/conformance/assess/traffic/proxy.js'
import { resolveTarget } from '../../../dist/conformance/target/target.js'

const [declared] = resolveTarget({
  baseUrl: `http://127.0.0.1:${process.argv[2]}`,
  accounts: [{ userName: 'alice', password: 'Correct-horse-1' }],
}).deployments
const proxy = await startProxy({ declared })
console.log(proxy.url)
