// A bare TCP relay to the port that its argument is: what no proxy can do with less. With a second argument, each answer is
// that many milliseconds late.
import { connect, createServer } from 'node:net'

const [port, delayMs = 0] = process.argv.slice(2).map(Number)
const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  client.on('error', () => service.destroy())
  service.on('error', () => client.destroy())
  client.pipe(service)
  if (delayMs === 0) return void service.pipe(client)
  service.on('data', (chunk) => setTimeout(() => client.write(chunk), delayMs))
  service.on('end', () => setTimeout(() => client.end(), delayMs))
  client.on('close', () => service.destroy())
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
