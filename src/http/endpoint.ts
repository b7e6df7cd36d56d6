import { isAscii, isUtf8 } from 'node:buffer'
import type { Store } from '../store/port.js'
import type { Answer } from './answer.js'
import { plainlySignedRegion, readSignature, regionOf } from './authentication.js'
import { NOT_BASE64 } from './base64.js'
import { mayHoldBytes } from './decode.js'
import { nestsBeyondReading, ranOut } from './depth.js'
import { toWire } from './encode.js'
import { type Fault, faultOf, INTERNAL, isServiceException, UNKNOWN_OPERATION, UNREADABLE } from './faults.js'
import { ItemTexts } from './item-texts.js'
import type { Received } from './received.js'
import { askedAt, type Route, routesOf, type Told } from './routes.js'
import type { SignatureCheck } from './signature.js'
import { write } from './write.js'

export interface EndpointSettings {
  readonly region: string
  readonly signatures: SignatureCheck | undefined
  readonly onFailure: (error: unknown) => void
  readonly pages: Pages
}

/** What is answered in JSON to a GET, by path. */
export type Pages = Readonly<Record<string, () => unknown>>

const OK = 200
const NOT_FOUND: Answer = { status: 404, contentType: undefined, text: '<UnknownOperationException/>\n' }
const PLAIN_JSON = 'application/json'
/** Version 1.1 of the protocol is of other services: DynamoDB does not know it. */
const JSON_TYPES: ReadonlySet<string> = new Set(['application/x-amz-json-1.0', PLAIN_JSON])

/** DynamoDB's protocol in front of a store, for requests that have been read whole: each gets an answer. */
export class Endpoint {
  private readonly routes: ReadonlyMap<string, Route>
  private readonly regions = new Map<string, Told>()
  private readonly texts = new ItemTexts()
  private readonly healthPage: Answer

  constructor(
    store: Store,
    private readonly settings: EndpointSettings,
  ) {
    this.routes = routesOf(store)
    const text = `healthy: dynamodb.${settings.region}.amazonaws.com `
    this.healthPage = { status: OK, contentType: undefined, text }
  }

  /** `sent` is the body as it was signed, compressed where it came so. */
  answer(request: Received, body: Buffer, sent: Buffer): Answer | Promise<Answer> {
    const { method, headers } = request
    const isPage = method === 'GET' || method === 'HEAD'
    if (isPage && isHealthPage(request.url)) return this.healthPage
    const page = isPage && this.settings.signatures === undefined && this.pageOf(request.url)
    if (page) return page
    const given = mediaType(headers['content-type'])
    const isJson = JSON_TYPES.has(given)
    if (method !== 'POST' || (body.length > 0 && !isJson)) return NOT_FOUND
    return this.operate(request, body, sent, isJson ? given : PLAIN_JSON)
  }

  private pageOf(path = ''): Promise<Answer> | undefined {
    const { pages, onFailure } = this.settings
    if (!Object.hasOwn(pages, path)) return undefined
    const made = async () => ({
      status: OK,
      contentType: PLAIN_JSON,
      text: JSON.stringify(toWire(await pages[path]!())),
    })
    return made().catch(error => {
      onFailure(error)
      return answerOf(INTERNAL, PLAIN_JSON)
    })
  }

  /** In the order in which the service looks at a request: its JSON, its target, its signature. */
  private operate(request: Received, body: Buffer, sent: Buffer, contentType: string): Answer | Promise<Answer> {
    const text = textOf(body)
    const parsed = text === undefined ? undefined : parse(text)
    if (parsed === undefined && body.length > 0) return answerOf(UNREADABLE, contentType)
    const known = this.routes.get(request.headers['x-amz-target'] as string)
    if (known === undefined) return answerOf(UNKNOWN_OPERATION, contentType)
    const route = known.operation === 'DescribeEndpoints' ? askedAt(known, request.headers.host) : known
    const region = this.settings.signatures === undefined ? plainlySignedRegion(request) : undefined
    if (region !== undefined && parsed !== undefined)
      return this.call(route, text!, parsed, this.told(region), contentType)
    const signed = readSignature(request.headers, request.url ?? '/')
    if ('body' in signed) return answerOf(signed, contentType)
    const forged = this.settings.signatures?.fault(request, sent, signed)
    if (forged) return answerOf(forged, contentType)
    if (parsed === undefined) return answerOf(UNREADABLE, contentType)
    return this.call(route, text!, parsed, this.told(regionOf(signed.credential)), contentType)
  }

  private async call(route: Route, text: string, request: unknown, told: Told, contentType: string): Promise<Answer> {
    // A store takes nothing for a request without members; the service refuses it even where none has to be there.
    if (request === null) return answerOf(UNREADABLE, contentType)
    const faults: string[] = []
    try {
      if (route.decode !== undefined && mayHoldBytes(text)) route.decode(request, faults)
      const answer = await route.call(request, told)
      return { status: OK, contentType, text: route.tells ? write(answer, this.texts) : '' }
    } catch (error) {
      return answerOf(this.faultOf(error, route, text, faults), contentType)
    }
  }

  private faultOf(error: unknown, route: Route, text: string, faults: readonly string[]): Fault {
    if (nestsBeyondReading(text) || ranOut(error, text)) return UNREADABLE
    if (isServiceException(error)) return faultOf(error, route.operation, messageOf(error, faults))
    this.settings.onFailure(error)
    return INTERNAL
  }

  /** One object a region, since every call is told of it. */
  private told(region = this.settings.region): Told {
    const known = this.regions.get(region)
    if (known) return known
    const told = { region }
    if (this.regions.size < REGIONS_KEPT) this.regions.set(region, told)
    return told
  }
}

/** More than there are; whoever sends others gets them made anew. */
const REGIONS_KEPT = 100

const answerOf = ({ status, body }: Fault, contentType: string): Answer => ({ status, contentType, text: body })

const isHealthPage = (url: string | undefined) => url === '/' || url === '/ping'

/** `  application/json ; charset=utf-8` as `application/json`. */
function mediaType(header: string | undefined): string {
  if (header === undefined) return ''
  if (JSON_TYPES.has(header)) return header
  return header.split(';')[0]!.trim().toLowerCase()
}

/** Nothing where the bytes are not UTF-8. */
function textOf(body: Buffer): string | undefined {
  if (isAscii(body)) return body.toString('latin1')
  return isUtf8(body) ? body.toString('utf8') : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Stores get a base64 text that cannot be read as it is, and can say no more of it than that it is not bytes. */
function messageOf(error: Error, faults: readonly string[]): string {
  const isOfBytes = error.name === 'SerializationException' && error.message === NOT_BASE64
  return (isOfBytes ? faults[0] : undefined) ?? error.message
}
