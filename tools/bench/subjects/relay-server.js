// A bare TCP relay to the port that its argument is: what no proxy can do with less.
import { connect, createServer } from 'node:net'

const port = Number(process.argv[2])
const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  client.on('error', () => service.destroy())
  service.on('error', () => client.destroy())
  client.pipe(service).pipe(client)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
