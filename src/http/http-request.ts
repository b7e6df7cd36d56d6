import type { IncomingHttpHeaders } from 'node:http'

/** The parts of a request, without its body, that the endpoint reads. */
export interface HttpRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The values of each header, in case a header is repeated. */
  readonly headersDistinct?: NodeJS.Dict<string[]>
}
