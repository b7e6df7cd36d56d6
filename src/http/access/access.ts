import type { Answer } from '../answer.js'
import { refusal } from '../faults.js'
import type { Received } from '../received.js'
import type { Hosts } from './hosts.js'
import type { Origins } from './origins.js'

const FORBIDDEN = 403
const JSON_TYPE = 'application/json'

/** Which clients an endpoint answers, by the headers that browsers set and pages cannot change. */
export class Access {
  constructor(
    readonly origins: Origins,
    /** Absent where signatures or a certificate keep foreign names out. */
    private readonly hosts: Hosts | undefined,
  ) {}

  /** The response to a request that must not be executed, or undefined for any other. */
  refusal({ headers }: Received): Answer | undefined {
    const { host, origin } = headers
    if (this.hosts !== undefined && !this.hosts.allows(host)) return forbidden(hostText(host!))
    if (!this.origins.allows(origin, host)) return forbidden(originText(origin!))
    return undefined
  }
}

const hostText = (host: string) =>
  `Host '${host}': this endpoint does not answer under this name, which a web page could have pointed here; ` +
  "call it as localhost, or allow the name by 'edgewise serve --allow-host' (the option allowHosts of serve())."

const originText = (origin: string) =>
  `Origin '${origin}': this endpoint does not answer pages of this origin; ` +
  "allow it by 'edgewise serve --cors' (the option cors of serve())."

function forbidden(text: string): Answer {
  return { status: FORBIDDEN, contentType: JSON_TYPE, text: refusal('AccessDeniedException', text).body }
}
