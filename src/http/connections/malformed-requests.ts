import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createErrorResponse } from '../error-response.js'

/** Without this message, users would look for the fault in the request body. */
const HEAD_TOO_LONG = createErrorResponse(
  'SerializationException',
  'The request line and the headers together are longer than 16 KB.',
).body

const BAD_REQUEST_REJECTION: RejectionResponse = { status: '400 Bad Request', text: '' }
const REJECTIONS: Record<string, RejectionResponse> = {
  // The service responds with 400 where Node would respond with 431.
  HPE_HEADER_OVERFLOW: { status: '400 Bad Request', text: HEAD_TOO_LONG },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', text: '' },
}

interface RejectionResponse {
  readonly status: string
  readonly text: string
}

function formatRejection({ status, text }: RejectionResponse): string {
  const type = text === '' ? '' : 'Content-Type: application/json\r\n'
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n${type}Content-Length: ${text.length}\r\n\r\n${text}`
}

type Response = ServerResponse<IncomingMessage>

/** The last two requests of a connection; the earlier one was received completely. */
interface LatestResponses {
  readonly last: Response
  readonly before: Response | undefined
}

/** Responds to malformed or late requests, after the responses to the complete requests before them. */
export class MalformedRequests {
  private readonly latestResponses = new WeakMap<Duplex, LatestResponses>()
  private readonly rejectedSockets = new WeakSet<Duplex>()

  /** Called when a request begins to arrive. */
  noteRequestStart(response: Response): void {
    const { socket } = response.req
    this.latestResponses.set(socket, { last: response, before: this.latestResponses.get(socket)?.last })
  }

  readonly reject = (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // Everything after a malformed request is malformed too.
    if (this.rejectedSockets.has(socket)) return
    this.rejectedSockets.add(socket)
    const rejection = REJECTIONS[error.code ?? ''] ?? BAD_REQUEST_REJECTION
    const sendRejection = () => {
      // The last of those responses may have closed the connection.
      if (socket.writable) socket.end(formatRejection(rejection))
    }
    const { last, before } = this.latestResponses.get(socket) ?? {}
    const lastComplete = last?.req.complete ? last : before
    if (lastComplete === undefined || lastComplete.closed) sendRejection()
    else lastComplete.once('close', sendRejection)
  }
}
