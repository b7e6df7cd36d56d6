import { createErrorResponse } from '../error-response.js'
import type { HttpRequest } from '../http-request.js'
import type { HttpResponse } from '../http-response.js'
import type { AllowedHosts } from './allowed-hosts.js'
import type { AllowedOrigins } from './allowed-origins.js'

const FORBIDDEN = 403
const JSON_TYPE = 'application/json'

/** Which clients an endpoint answers, by the headers that browsers set and pages cannot change. */
export class AccessRules {
  constructor(
    readonly origins: AllowedOrigins,
    /** Absent where signatures or a certificate keep foreign names out. */
    private readonly hosts: AllowedHosts | undefined,
  ) {}

  /** The response to a request that must not be executed, or undefined for any other. */
  rejectionOf({ headers }: HttpRequest): HttpResponse | undefined {
    const { host, origin } = headers
    if (this.hosts !== undefined && !this.hosts.allows(host)) return forbiddenResponse(hostMessage(host!))
    if (!this.origins.allows(origin, host)) return forbiddenResponse(originMessage(origin!))
    return undefined
  }
}

const hostMessage = (host: string) =>
  `Host '${host}': this endpoint does not answer under this name, which a web page could have pointed here; ` +
  "call it as localhost, or allow the name by 'edgewise serve --allow-host' (the option allowHosts of serve())."

const originMessage = (origin: string) =>
  `Origin '${origin}': this endpoint does not answer pages of this origin; ` +
  "allow it by 'edgewise serve --cors' (the option cors of serve())."

function forbiddenResponse(text: string): HttpResponse {
  return { status: FORBIDDEN, contentType: JSON_TYPE, text: createErrorResponse('AccessDeniedException', text).body }
}
