// The reference server as it is built, as users embed it.
import { startReferenceServer } from '../../../dist/index.js'

const server = await startReferenceServer({
  accounts: [{ userName: 'alice', password: 'Correct-horse-1' }],
  hashing: 'fast',
})
console.log(server.url)
