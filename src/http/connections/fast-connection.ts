import type { Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import type { AccessRules } from '../access/access-rules.js'
import type { StoreEndpoint } from '../endpoint.js'
import type { HttpResponse } from '../http-response.js'
import type { RequestIds } from '../request-ids.js'
import { formatResponseHead } from './response-head.js'
import { parseSimpleRequest, type SimpleRequest } from './simple-request.js'

export interface FastConnectionSettings {
  readonly access: AccessRules
  readonly bodyBytesMax: number
  readonly idleMs: number
  readonly onFailure: (error: unknown) => void
}

/** The state that the fast connections of an endpoint share. */
export interface FastConnectionContext {
  readonly endpoint: StoreEndpoint
  readonly ids: RequestIds
  readonly settings: FastConnectionSettings
  readonly isStopping: boolean
  /** Takes over a connection permanently, with the received bytes that have no response yet. */
  handOverToNode(socket: Socket, bytes: Buffer): void
  removeClosed(lane: FastConnection): void
}

/**
 * A connection with only simple requests so far, one at a time. It parses and answers them without Node's HTTP server,
 * which costs as much as a response. The first request that is not simple moves the whole connection to that server.
 */
export class FastConnection {
  private isAnswering = false
  /**
   * Whether the client has not yet taken the last response. The next response waits, because responses would accumulate
   * here.
   */
  private isSending = false
  private hasEnded = false
  /** The bytes received while a response was in progress. */
  private pendingBytes: Buffer | undefined

  constructor(
    private readonly socket: Socket,
    private readonly context: FastConnectionContext,
  ) {
    socket.on('data', this.onData)
    socket.on('end', this.onEnd)
    socket.on('error', this.onError)
    socket.on('close', this.onClose)
    socket.on('timeout', this.onTimeout)
    socket.setTimeout(context.settings.idleMs)
  }

  /** Closes the connection, after the response in progress if there is one. */
  stop(): void {
    if (this.isSending) this.socket.end()
    else if (!this.isAnswering) this.socket.destroy()
  }

  destroy(): void {
    this.socket.destroy()
  }

  private readonly onData = (bytes: Buffer): void => {
    if (this.isAnswering || this.isSending) {
      this.pendingBytes = this.pendingBytes === undefined ? bytes : Buffer.concat([this.pendingBytes, bytes])
      this.socket.pause()
      return
    }
    const request = parseSimpleRequest(bytes, this.context.settings.bodyBytesMax)
    if (request === undefined) this.leaveToNode(bytes)
    else this.answer(request)
  }

  private answer(request: SimpleRequest): void {
    this.isAnswering = true
    try {
      const { endpoint, settings } = this.context
      const answer = settings.access.rejectionOf(request) ?? endpoint.respondTo(request, request.body, request.body)
      if (answer instanceof Promise) answer.then(this.sendResponse, this.fail)
      else this.sendResponse(answer)
    } catch (error) {
      this.fail(error)
    }
  }

  private readonly sendResponse = (answer: HttpResponse): void => {
    this.isAnswering = false
    const { socket, context } = this
    if (!socket.writable) return
    const { status, contentType, text } = answer
    const bodyBytes = Buffer.byteLength(text)
    const keep = !context.isStopping && (!this.hasEnded || this.pendingBytes !== undefined)
    const head = { status, contentType, requestId: context.ids.take(), checksum: crc32(text), bodyBytes, keep }
    // A text with as many bytes as characters is ASCII and takes the fastest way of writing.
    const isAscii = bodyBytes === text.length
    this.isSending = !socket.write(formatResponseHead(head) + text, isAscii ? 'latin1' : 'utf8')
    if (!keep) socket.end()
    else if (this.isSending) socket.once('drain', this.onDrain)
    else this.continueReading()
  }

  private readonly onDrain = (): void => {
    this.isSending = false
    // If the connection closed after that response, no further request runs, because nobody would receive its response.
    if (this.socket.writable) this.continueReading()
  }

  private continueReading(): void {
    const { socket, pendingBytes } = this
    if (pendingBytes !== undefined) {
      this.pendingBytes = undefined
      socket.resume()
      this.onData(pendingBytes)
    } else if (this.hasEnded) socket.end()
  }

  private readonly fail = (error: unknown): void => {
    this.context.settings.onFailure(error)
    this.socket.destroy()
  }

  /** Hands the connection over to Node's server. */
  private leaveToNode(bytes: Buffer): void {
    const { socket, context } = this
    socket.off('data', this.onData)
    socket.off('end', this.onEnd)
    socket.off('error', this.onError)
    socket.off('close', this.onClose)
    socket.off('timeout', this.onTimeout)
    socket.setTimeout(0)
    context.removeClosed(this)
    context.handOverToNode(socket, bytes)
  }

  /** The client ended its side, but may still wait for a response. */
  private readonly onEnd = (): void => {
    this.hasEnded = true
    if (!this.isAnswering && !this.isSending) this.socket.end()
  }

  private readonly onError = (): void => {
    this.socket.destroy()
  }

  private readonly onClose = (): void => {
    this.context.removeClosed(this)
  }

  private readonly onTimeout = (): void => {
    if (!this.isAnswering) this.socket.destroy()
  }
}
