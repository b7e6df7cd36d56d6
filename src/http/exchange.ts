import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Access } from './access/access.js'
import { isPreflight, respondToPreflight } from './access/preflight.js'
import type { Answer } from './answer.js'
import { decompressed, readBody, TooLarge, Undecodable } from './body.js'
import type { Endpoint } from './endpoint.js'
import { INTERNAL } from './faults.js'
import type { Malformed } from './malformed.js'
import type { RequestIds } from './request-ids.js'
import { respond } from './respond.js'
import type { StalledConnections } from './stalled-connections.js'
import { refuseBody } from './too-large.js'

const BAD_REQUEST = 400

export interface ExchangeSettings {
  readonly access: Access
  readonly bodyBytesMax: number
  readonly onFailure: (error: unknown) => void
  readonly malformed: Malformed
  readonly stalled: StalledConnections
}

/** Takes requests off the wire and puts the endpoint's answers on it. */
export class Exchange {
  private stopping = false

  constructor(
    private readonly endpoint: Endpoint,
    private readonly ids: RequestIds,
    private readonly settings: ExchangeSettings,
  ) {}

  /** From now on every answer closes its connection, which would otherwise be kept for more requests. */
  stop(): void {
    this.stopping = true
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { malformed, stalled } = this.settings
    malformed.began(response)
    stalled.began(request.socket)
    readBody(request, this.settings.bodyBytesMax, body => {
      const isRefused = body instanceof TooLarge || namesTwoHosts(request)
      if (isRefused) stalled.answered(request.socket)
      if (body instanceof TooLarge) return refuseBody(request, response)
      if (isRefused) return void response.writeHead(BAD_REQUEST, { Connection: 'close' }).end()
      this.answer(request, response, body).catch(error => {
        this.settings.onFailure(error)
        response.destroy()
      })
    })
  }

  private async answer(request: IncomingMessage, response: ServerResponse, sent: Buffer): Promise<void> {
    const { access } = this.settings
    const refused = access.refusal(request)
    const isAllowedPreflight = refused === undefined && isPreflight(request)
    const answer = isAllowedPreflight ? undefined : (refused ?? (await this.answerOf(request, sent)))
    if (this.stopping) response.shouldKeepAlive = false
    this.settings.stalled.answered(request.socket)
    if (answer === undefined) return respondToPreflight(response, this.ids, access.origins)
    await respond(response, answer, this.ids.take(), access.origins.headersFor(request.headers.origin))
  }

  private answerOf(request: IncomingMessage, sent: Buffer): Answer | Promise<Answer> {
    const encoding = request.headers['content-encoding']
    return encoding === undefined
      ? this.endpoint.answer(request, sent, sent)
      : this.decompressedAnswer(request, sent, encoding)
  }

  private async decompressedAnswer(request: IncomingMessage, sent: Buffer, encoding: string): Promise<Answer> {
    try {
      const body = await decompressed(sent, encoding, this.settings.bodyBytesMax)
      return await this.endpoint.answer(request, body, sent)
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error
      return { status: INTERNAL.status, contentType: 'application/x-amz-json-1.0', text: INTERNAL.body }
    }
  }
}

/** Node takes the first of them; the service, as HTTP has it, neither, since a proxy may have taken the other. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1
}
