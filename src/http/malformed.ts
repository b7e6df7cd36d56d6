import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

type Response = ServerResponse<IncomingMessage>

/** The last two requests of a connection: the one before the last came whole. */
interface Latest {
  readonly last: Response
  readonly before: Response | undefined
}

/** Answers what is not HTTP, or did not arrive in time, behind the answers to what came whole before it. */
export class Malformed {
  private readonly latest = new WeakMap<Duplex, Latest>()
  private readonly refused = new WeakSet<Duplex>()

  /** A request has begun to arrive. */
  began(response: Response): void {
    const { socket } = response.req
    this.latest.set(socket, { last: response, before: this.latest.get(socket)?.last })
  }

  readonly refuse = (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // All that comes behind it is malformed again.
    if (this.refused.has(socket)) return
    this.refused.add(socket)
    const status = STATUS[error.code ?? ''] ?? '400 Bad Request'
    const answer = () => {
      // The last of those answers may have closed it.
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    }
    const { last, before } = this.latest.get(socket) ?? {}
    const whole = last?.req.complete ? last : before
    if (whole === undefined || whole.closed) answer()
    else whole.once('close', answer)
  }
}
