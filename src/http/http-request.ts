import type { IncomingHttpHeaders } from 'node:http'

/** What is looked at of a request beside its body. */
export interface HttpRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The values of each header, where one may have come several times. */
  readonly headersDistinct?: NodeJS.Dict<string[]>
}
