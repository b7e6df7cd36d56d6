import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { refusal } from './faults.js'

/** A client that is told nothing would look for the fault in its body. */
const TOO_LONG = refusal(
  'SerializationException',
  'The request line and the headers together are longer than 16 KB.',
).body

const BAD_REQUEST: Refused = { status: '400 Bad Request', text: '' }
const REFUSED: Record<string, Refused> = {
  // The service answers 400 where Node would answer 431.
  HPE_HEADER_OVERFLOW: { status: '400 Bad Request', text: TOO_LONG },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', text: '' },
}

interface Refused {
  readonly status: string
  readonly text: string
}

function refusalText({ status, text }: Refused): string {
  const type = text === '' ? '' : 'Content-Type: application/json\r\n'
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n${type}Content-Length: ${text.length}\r\n\r\n${text}`
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
    const refused = REFUSED[error.code ?? ''] ?? BAD_REQUEST
    const answer = () => {
      // The last of those answers may have closed it.
      if (socket.writable) socket.end(refusalText(refused))
    }
    const { last, before } = this.latest.get(socket) ?? {}
    const whole = last?.req.complete ? last : before
    if (whole === undefined || whole.closed) answer()
    else whole.once('close', answer)
  }
}
