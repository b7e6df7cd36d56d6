import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccessRules } from './access/access-rules.js'
import { isPreflight, respondToPreflight } from './access/preflight.js'
import { BodyTooLargeError, decompress, readBody, UndecodableBodyError } from './body/read-body.js'
import { rejectBody } from './body/reject-body.js'
import type { MalformedRequests } from './connections/malformed-requests.js'
import type { StalledConnections } from './connections/stalled-connections.js'
import type { StoreEndpoint } from './endpoint.js'
import { INTERNAL_ERROR } from './error-response.js'
import type { HttpResponse } from './http-response.js'
import type { RequestIds } from './request-ids.js'
import { sendResponse } from './send-response.js'

const BAD_REQUEST = 400

export interface RequestHandlerSettings {
  readonly access: AccessRules
  readonly bodyBytesMax: number
  readonly onFailure: (error: unknown) => void
  readonly malformedRequests: MalformedRequests
  readonly stalledConnections: StalledConnections
}

/** Reads requests from Node's server and writes the endpoint's responses. */
export class NodeRequestHandler {
  private isStopping = false

  constructor(
    private readonly endpoint: StoreEndpoint,
    private readonly ids: RequestIds,
    private readonly settings: RequestHandlerSettings,
  ) {}

  /** From this point, every response closes its connection, which would otherwise stay open for more requests. */
  stop(): void {
    this.isStopping = true
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { malformedRequests, stalledConnections } = this.settings
    malformedRequests.noteRequestStart(response)
    stalledConnections.noteRequestStart(request.socket)
    readBody(request, this.settings.bodyBytesMax, body => {
      const isRefused = body instanceof BodyTooLargeError || hasTwoHosts(request)
      if (isRefused) stalledConnections.noteResponseStart(request.socket)
      if (body instanceof BodyTooLargeError) return rejectBody(request, response)
      if (isRefused) return void response.writeHead(BAD_REQUEST, { Connection: 'close' }).end()
      this.respond(request, response, body).catch(error => {
        this.settings.onFailure(error)
        response.destroy()
      })
    })
  }

  private async respond(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const { access } = this.settings
    const rejection = access.rejectionOf(request)
    const isAllowedPreflight = rejection === undefined && isPreflight(request)
    const answer = isAllowedPreflight ? undefined : (rejection ?? (await this.responseOf(request, body)))
    if (this.isStopping) response.shouldKeepAlive = false
    this.settings.stalledConnections.noteResponseStart(request.socket)
    if (answer === undefined) return respondToPreflight(response, this.ids, access.origins)
    await sendResponse(response, answer, this.ids.take(), access.origins.headersFor(request.headers.origin))
  }

  private responseOf(request: IncomingMessage, body: Buffer): HttpResponse | Promise<HttpResponse> {
    const encoding = request.headers['content-encoding']
    return encoding === undefined
      ? this.endpoint.respondTo(request, body, body)
      : this.decompressedResponse(request, body, encoding)
  }

  private async decompressedResponse(
    request: IncomingMessage,
    compressedBody: Buffer,
    encoding: string,
  ): Promise<HttpResponse> {
    try {
      const body = await decompress(compressedBody, encoding, this.settings.bodyBytesMax)
      return await this.endpoint.respondTo(request, body, compressedBody)
    } catch (error) {
      if (!(error instanceof UndecodableBodyError)) throw error
      return { status: INTERNAL_ERROR.status, contentType: 'application/x-amz-json-1.0', text: INTERNAL_ERROR.body }
    }
  }
}

/**
 * Node uses the first of duplicate headers. The service rejects both, as HTTP requires, because a proxy may have used
 * the other one.
 */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1
}
