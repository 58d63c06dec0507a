import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Aborted, with the reason, when an answer can no longer be sent, or is not likely to be read: a client that ends its
 * side looks like one that is gone.
 */
export function clientGone(
  { socket }: IncomingMessage,
  response: ServerResponse,
  reason?: Error,
): AbortSignal {
  const gone = new AbortController()
  const end = (): void => gone.abort(reason)
  socket.once('end', end)
  // Of an answer that has left, too: nothing is kept on a connection that lives on.
  response.once('close', () => {
    socket.off('end', end)
    end()
  })
  if (socket.readableEnded || response.closed) end()
  return gone.signal
}
