import type { Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import type { Access } from './access/access.js'
import type { Answer } from './answer.js'
import type { Endpoint } from './endpoint.js'
import { headText } from './head.js'
import type { RequestIds } from './request-ids.js'
import { type SimpleRequest, simpleRequest } from './simple-request.js'

export interface LaneSettings {
  readonly access: Access
  readonly bodyBytesMax: number
  readonly idleMs: number
  readonly onFailure: (error: unknown) => void
}

/** What the lanes of an endpoint have in common. */
export interface Lanes {
  readonly endpoint: Endpoint
  readonly ids: RequestIds
  readonly settings: LaneSettings
  readonly stopping: boolean
  /** Takes over a connection for good, with what came on it and was not answered. */
  handOver(socket: Socket, bytes: Buffer): void
  closed(lane: Lane): void
}

/**
 * A connection on which only simple requests have come so far, one at a time, read and answered without Node's server,
 * which costs as much as an answer. The first one that is not simple goes there, with the whole connection.
 */
export class Lane {
  private busy = false
  /** Whether the last answer is still being taken, until when no other is made: they would pile up here. */
  private sending = false
  private ended = false
  /** What came while an answer was under way. */
  private waiting: Buffer | undefined

  constructor(
    private readonly socket: Socket,
    private readonly lanes: Lanes,
  ) {
    socket.on('data', this.onData)
    socket.on('end', this.onEnd)
    socket.on('error', this.onError)
    socket.on('close', this.onClose)
    socket.on('timeout', this.onTimeout)
    socket.setTimeout(lanes.settings.idleMs)
  }

  /** Closes the connection, after the answer that is under way if there is one. */
  stop(): void {
    if (this.sending) this.socket.end()
    else if (!this.busy) this.socket.destroy()
  }

  destroy(): void {
    this.socket.destroy()
  }

  private readonly onData = (bytes: Buffer): void => {
    if (this.busy || this.sending) {
      this.waiting = this.waiting === undefined ? bytes : Buffer.concat([this.waiting, bytes])
      this.socket.pause()
      return
    }
    const request = simpleRequest(bytes, this.lanes.settings.bodyBytesMax)
    if (request === undefined) this.leave(bytes)
    else this.answer(request)
  }

  private answer(request: SimpleRequest): void {
    this.busy = true
    try {
      const { endpoint, settings } = this.lanes
      const answer = settings.access.refusal(request) ?? endpoint.answer(request, request.body, request.body)
      if (answer instanceof Promise) answer.then(this.write, this.fail)
      else this.write(answer)
    } catch (error) {
      this.fail(error)
    }
  }

  private readonly write = (answer: Answer): void => {
    this.busy = false
    const { socket, lanes } = this
    if (!socket.writable) return
    const { status, contentType, text } = answer
    const bodyBytes = Buffer.byteLength(text)
    const keep = !lanes.stopping && (!this.ended || this.waiting !== undefined)
    const head = { status, contentType, requestId: lanes.ids.take(), checksum: crc32(text), bodyBytes, keep }
    // A text with as many bytes as characters is ASCII, which is what the quickest way of writing takes.
    const isAscii = bodyBytes === text.length
    this.sending = !socket.write(headText(head) + text, isAscii ? 'latin1' : 'utf8')
    if (!keep) socket.end()
    else if (this.sending) socket.once('drain', this.onSent)
    else this.proceed()
  }

  private readonly onSent = (): void => {
    this.sending = false
    // Where it was closed behind that answer, nothing is done that cannot be answered.
    if (this.socket.writable) this.proceed()
  }

  private proceed(): void {
    const { socket, waiting } = this
    if (waiting !== undefined) {
      this.waiting = undefined
      socket.resume()
      this.onData(waiting)
    } else if (this.ended) socket.end()
  }

  private readonly fail = (error: unknown): void => {
    this.lanes.settings.onFailure(error)
    this.socket.destroy()
  }

  /** Leaves the connection to Node's server. */
  private leave(bytes: Buffer): void {
    const { socket, lanes } = this
    socket.off('data', this.onData)
    socket.off('end', this.onEnd)
    socket.off('error', this.onError)
    socket.off('close', this.onClose)
    socket.off('timeout', this.onTimeout)
    socket.setTimeout(0)
    lanes.closed(this)
    lanes.handOver(socket, bytes)
  }

  /** The other side sends no more, and may still wait for an answer. */
  private readonly onEnd = (): void => {
    this.ended = true
    if (!this.busy && !this.sending) this.socket.end()
  }

  private readonly onError = (): void => {
    this.socket.destroy()
  }

  private readonly onClose = (): void => {
    this.lanes.closed(this)
  }

  private readonly onTimeout = (): void => {
    if (!this.busy) this.socket.destroy()
  }
}
