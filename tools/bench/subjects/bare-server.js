// The least that can be called a token service: node:http, no store.
import { createServer } from 'node:http'

const DAY_S = 86_400
let grants = 0

const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const form = new URLSearchParams(text)
    const right =
      request.headers['content-type'] === 'application/x-www-form-urlencoded' &&
      form.get('grant_type') === 'password' &&
      form.get('username') === 'alice' &&
      form.get('password') === 'Correct-horse-1'
    const now = Date.now()
    const body = JSON.stringify(
      right
        ? {
            access_token: `token-${grants++}-${now}`,
            token_type: 'bearer',
            expires_in: 14 * DAY_S - 1,
            userName: 'alice',
            '.issued': new Date(now).toUTCString(),
            '.expires': new Date(now + 14 * DAY_S * 1000).toUTCString(),
          }
        : { error: 'unsupported_grant_type' },
    )
    response.writeHead(right ? 200 : 400, {
      'Content-Type': 'application/json;charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
