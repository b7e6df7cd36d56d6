import { isAscii, isUtf8 } from 'node:buffer'
import type { Store } from '../store/port.js'
import {
  type ErrorResponse,
  INTERNAL_ERROR,
  isServiceException,
  SERIALIZATION_ERROR,
  toErrorResponse,
  UNKNOWN_OPERATION_ERROR,
} from './error-response.js'
import type { HttpRequest } from './http-request.js'
import type { HttpResponse } from './http-response.js'
import { NOT_BASE64 } from './json/base64.js'
import { canHoldBytes } from './json/decode-bytes.js'
import { ItemJsonCache } from './json/item-json-cache.js'
import { isNestedTooDeep, isStackOverflow } from './json/nesting-depth.js'
import { formatOutput } from './json/output-json.js'
import { toWireValue } from './json/wire-json.js'
import { type CallContext, type OperationRoute, operationRoutesOf, withRequestHost } from './operation-routes.js'
import { parseSignature, regionOfCredential, regionOfPlainSignature } from './signatures/request-signature.js'
import type { SignatureVerifier } from './signatures/signature-verifier.js'

export interface EndpointSettings {
  readonly region: string
  readonly signatures: SignatureVerifier | undefined
  readonly onFailure: (error: unknown) => void
  readonly pages: JsonPages
}

/** The pages that a GET returns as JSON, by path. */
export type JsonPages = Readonly<Record<string, () => unknown>>

const OK = 200
const NOT_FOUND: HttpResponse = { status: 404, contentType: undefined, text: '<UnknownOperationException/>\n' }
const PLAIN_JSON = 'application/json'
/** Protocol version 1.1 belongs to other services; DynamoDB does not accept it. */
const JSON_TYPES: ReadonlySet<string> = new Set(['application/x-amz-json-1.0', PLAIN_JSON])

/** Speaks DynamoDB's protocol for a store: each completely received request gets a response. */
export class StoreEndpoint {
  private readonly routes: ReadonlyMap<string, OperationRoute>
  private readonly contextByRegion = new Map<string, CallContext>()
  private readonly itemJsonCache = new ItemJsonCache()
  private readonly healthPage: HttpResponse

  constructor(
    store: Store,
    private readonly settings: EndpointSettings,
  ) {
    this.routes = operationRoutesOf(store)
    const text = `healthy: dynamodb.${settings.region}.amazonaws.com `
    this.healthPage = { status: OK, contentType: undefined, text }
  }

  /** `sent` is the body as it was signed, compressed if the client compressed it. */
  respondTo(request: HttpRequest, body: Buffer, signedBody: Buffer): HttpResponse | Promise<HttpResponse> {
    const { method, headers } = request
    const isPage = method === 'GET' || method === 'HEAD'
    if (isPage && isHealthPage(request.url)) return this.healthPage
    const page = isPage && this.settings.signatures === undefined && this.pageOf(request.url)
    if (page) return page
    const contentType = mediaType(headers['content-type'])
    const isJson = JSON_TYPES.has(contentType)
    if (method !== 'POST' || (body.length > 0 && !isJson)) return NOT_FOUND
    return this.respondToOperation(request, body, signedBody, isJson ? contentType : PLAIN_JSON)
  }

  private pageOf(path = ''): Promise<HttpResponse> | undefined {
    const { pages, onFailure } = this.settings
    if (!Object.hasOwn(pages, path)) return undefined
    const createPage = async () => ({
      status: OK,
      contentType: PLAIN_JSON,
      text: JSON.stringify(toWireValue(await pages[path]!())),
    })
    return createPage().catch(error => {
      onFailure(error)
      return toHttpResponse(INTERNAL_ERROR, PLAIN_JSON)
    })
  }

  /** Checks a request in the order of the service: its JSON, its target, its signature. */
  private respondToOperation(
    request: HttpRequest,
    body: Buffer,
    signedBody: Buffer,
    contentType: string,
  ): HttpResponse | Promise<HttpResponse> {
    const text = decodeUtf8(body)
    const parsed = text === undefined ? undefined : parseJson(text)
    if (parsed === undefined && body.length > 0) return toHttpResponse(SERIALIZATION_ERROR, contentType)
    const knownRoute = this.routes.get(request.headers['x-amz-target'] as string)
    if (knownRoute === undefined) return toHttpResponse(UNKNOWN_OPERATION_ERROR, contentType)
    const route =
      knownRoute.operation === 'DescribeEndpoints' ? withRequestHost(knownRoute, request.headers.host) : knownRoute
    const region = this.settings.signatures === undefined ? regionOfPlainSignature(request) : undefined
    if (region !== undefined && parsed !== undefined)
      return this.callStore(route, text!, parsed, this.contextOf(region), contentType)
    const signature = parseSignature(request.headers, request.url ?? '/')
    if ('body' in signature) return toHttpResponse(signature, contentType)
    const signatureError = this.settings.signatures?.errorOf(request, signedBody, signature)
    if (signatureError) return toHttpResponse(signatureError, contentType)
    if (parsed === undefined) return toHttpResponse(SERIALIZATION_ERROR, contentType)
    return this.callStore(route, text!, parsed, this.contextOf(regionOfCredential(signature.credential)), contentType)
  }

  private async callStore(
    route: OperationRoute,
    text: string,
    request: unknown,
    context: CallContext,
    contentType: string,
  ): Promise<HttpResponse> {
    // Stores accept a missing request object; the service requires one even if no member is required.
    if (request === null) return toHttpResponse(SERIALIZATION_ERROR, contentType)
    const base64Errors: string[] = []
    try {
      if (route.decode !== undefined && canHoldBytes(text)) route.decode(request, base64Errors)
      const answer = await route.call(request, context)
      return { status: OK, contentType, text: route.hasBody ? formatOutput(answer, this.itemJsonCache) : '' }
    } catch (error) {
      return toHttpResponse(this.errorResponseOf(error, route, text, base64Errors), contentType)
    }
  }

  private errorResponseOf(
    error: unknown,
    route: OperationRoute,
    text: string,
    base64Errors: readonly string[],
  ): ErrorResponse {
    if (isNestedTooDeep(text) || isStackOverflow(error, text)) return SERIALIZATION_ERROR
    if (isServiceException(error)) return toErrorResponse(error, route.operation, errorMessageOf(error, base64Errors))
    this.settings.onFailure(error)
    return INTERNAL_ERROR
  }

  /** One options object per region, because every call receives one. */
  private contextOf(region = this.settings.region): CallContext {
    const existing = this.contextByRegion.get(region)
    if (existing) return existing
    const context = { region }
    if (this.contextByRegion.size < REGIONS_MAX) this.contextByRegion.set(region, context)
    return context
  }
}

/** Exceeds the number of regions; further regions get a new object for each call. */
const REGIONS_MAX = 100

const toHttpResponse = ({ status, body }: ErrorResponse, contentType: string): HttpResponse => ({
  status,
  contentType,
  text: body,
})

const isHealthPage = (url: string | undefined) => url === '/' || url === '/ping'

/** Normalizes `  application/json ; charset=utf-8` to `application/json`. */
function mediaType(header: string | undefined): string {
  if (header === undefined) return ''
  if (JSON_TYPES.has(header)) return header
  return header.split(';')[0]!.trim().toLowerCase()
}

/** Returns undefined if the bytes are not UTF-8. */
function decodeUtf8(body: Buffer): string | undefined {
  if (isAscii(body)) return body.toString('latin1')
  return isUtf8(body) ? body.toString('utf8') : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Stores receive invalid base64 unchanged and can only report that it is not bytes. */
function errorMessageOf(error: Error, base64Errors: readonly string[]): string {
  const isBase64Error = error.name === 'SerializationException' && error.message === NOT_BASE64
  return (isBase64Error ? base64Errors[0] : undefined) ?? error.message
}
