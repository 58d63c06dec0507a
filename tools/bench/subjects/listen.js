import { createServer } from 'node:http'

/** Serves on a free port, and tells who has started this process where. */
export function listen(handler, ready = () => {}) {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${server.address().port}`
    ready(url)
    process.send({ url })
  })
  return server
}
