import { createHash } from 'node:crypto'
import type { Signed } from './authentication.js'
import type { Received } from './received.js'

/** The text of a request that version 4 signatures sign. */
export function canonicalRequest(request: Received, body: Uint8Array, signed: Signed): string {
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s)
  const names = signed.signedHeaders.toLowerCase().split(';').sort()
  const headers = names.map(name => `${name}:${headerText(request, name)}\n`).join('')
  const payload = createHash('sha256').update(body).digest('hex')
  return [request.method, path, canonicalQuery(query), headers, names.join(';'), payload].join('\n')
}

/** A header that came several times is its values with commas between, whatever else they were. */
function headerText({ headersDistinct }: Received, name: string): string {
  const values = headersDistinct?.[name] ?? []
  return values.map(value => value.trim().replace(/ +/g, ' ')).join(',')
}

/** In the order of the names: what stands between a name and its value comes before all that a name is made of. */
function canonicalQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)} ${escaped(value)}`)
    .sort()
    .join('&')
    .replaceAll(' ', '=')
}

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
