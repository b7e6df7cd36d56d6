import type { IncomingMessage, ServerResponse } from 'node:http'

const TOO_LARGE_STATUS = 413
/** Declares chunked encoding without a chunk, the same response as the service's. */
const TOO_LARGE_RESPONSE = `HTTP/1.1 ${TOO_LARGE_STATUS} Payload Too Large\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
/** How long the endpoint still reads a rejected body, so that the sender receives the response. */
const LINGER_MS = 1000

/**
 * Rejects a body without reading all of it. Node would close the connection right after the response, and a client that
 * is still sending would see only a reset. So this ends its own side and closes the other side a little later.
 */
export function rejectBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  if (response.socket === null) {
    // The responses to earlier requests on this connection are still pending and must go first.
    response.writeHead(TOO_LARGE_STATUS, ['Connection', 'close', 'Transfer-Encoding', 'chunked'])
    response.end()
    return
  }
  socket.end(TOO_LARGE_RESPONSE)
  request.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
