// A TCP relay to the port that its first argument is: bare, it is what no proxy can do with less. The second is JSON:
// `delayMs`: each answer is that late; `atATime`: it does no more at once, the others wait in line; `slowsDown`: none
// waits, and what is beyond `atATime` slows all down; `fault`: a text in answers, and what replaces it.
import { connect, createServer } from 'node:net'

const [port, options = '{}'] = process.argv.slice(2)
const { delayMs = 0, atATime = Infinity, slowsDown = false, fault } = JSON.parse(options)

let active = 0
const waiting = []
/** Sends one answer in its time. */
function later(send) {
  if (active >= atATime && !slowsDown) return void waiting.push(send)
  active++
  // Where n are at it, and b would do no harm, each takes n²/b² as long: all together do less than b alone.
  const factor = slowsDown ? Math.max(1, (active / atATime) ** 2) : 1
  setTimeout(() => {
    active--
    send()
    const next = waiting.shift()
    if (next !== undefined) later(next)
  }, delayMs * factor)
}

/** The same number of bytes. */
function withFault(chunk) {
  return fault === undefined ? chunk : Buffer.from(chunk.toString('latin1').replaceAll(...fault), 'latin1')
}

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  client.on('error', () => service.destroy())
  service.on('error', () => client.destroy())
  client.pipe(service)
  if (delayMs === 0) return void service.pipe(client)
  // Both in the order in which they came.
  let last = Promise.resolve()
  const inTurn = (send) => {
    const sent = new Promise((resolve) => later(resolve))
    last = Promise.all([last, sent]).then(send)
  }
  service.on('data', (chunk) => inTurn(() => client.write(withFault(chunk))))
  service.on('end', () => (last = last.then(() => setTimeout(() => client.end(), delayMs))))
  client.on('close', () => service.destroy())
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
