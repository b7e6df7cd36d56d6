import { STATUS_CODES } from 'node:http'

const SECOND_MS = 1000
let second = 0
let date = ''

/** The Date header, formatted once a second. */
function currentDateText(): string {
  const now = Math.floor(Date.now() / SECOND_MS)
  if (now !== second) {
    second = now
    date = new Date(now * SECOND_MS).toUTCString()
  }
  return date
}

export interface ResponseHead {
  readonly status: number
  readonly contentType: string | undefined
  readonly requestId: string
  readonly checksum: number
  readonly bodyBytes: number
  readonly keep: boolean
}

/** The head of a response: everything before the body. */
export function formatResponseHead({
  status,
  contentType,
  requestId,
  checksum,
  bodyBytes,
  keep,
}: ResponseHead): string {
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`
  const connection = keep ? 'keep-alive' : 'close'
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nServer: Server\r\nx-amzn-RequestId: ${requestId}\r\nx-amz-crc32: ${checksum}\r\n` +
    `Content-Length: ${bodyBytes}\r\n${type}Date: ${currentDateText()}\r\nConnection: ${connection}\r\n\r\n`
  )
}
