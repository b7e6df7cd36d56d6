import type { IncomingMessage, ServerResponse } from 'node:http'

const TOO_LARGE_STATUS = 413
/** In chunks, of which there are none, as the service answers it. */
const TOO_LARGE_RESPONSE = `HTTP/1.1 ${TOO_LARGE_STATUS} Payload Too Large\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
/** How long the rest of a refused body is still taken, so that its sender comes to read the answer. */
const LINGER_MS = 1000

/**
 * Refuses a body whose rest nobody wants. Node would close the connection right behind the answer, and a sender that is
 * still busy sending would see only that; so this side of it is closed by hand, and the other one a little later.
 */
export function rejectBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  if (response.socket === null) {
    // The answers to earlier requests on this connection are still to come, and go first.
    response.writeHead(TOO_LARGE_STATUS, ['Connection', 'close', 'Transfer-Encoding', 'chunked'])
    response.end()
    return
  }
  socket.end(TOO_LARGE_RESPONSE)
  request.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
