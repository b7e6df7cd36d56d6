import type { IncomingHttpHeaders } from 'node:http'

/** What is looked at of a request beside its body. */
export interface Received {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}
