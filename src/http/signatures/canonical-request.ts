import { createHash } from 'node:crypto'
import type { HttpRequest } from '../http-request.js'
import type { RequestSignature } from './request-signature.js'

/** The canonical text of a request that a version 4 signature signs. */
export function formatCanonicalRequest(request: HttpRequest, body: Uint8Array, signed: RequestSignature): string {
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s)
  const names = signed.signedHeaders.toLowerCase().split(';').sort()
  const headers = names.map(name => `${name}:${headerValueOf(request, name)}\n`).join('')
  const payload = createHash('sha256').update(body).digest('hex')
  return [request.method, path, formatCanonicalQuery(query), headers, names.join(';'), payload].join('\n')
}

/** A repeated header becomes its values joined by commas. */
function headerValueOf({ headersDistinct }: HttpRequest, name: string): string {
  const values = headersDistinct?.[name] ?? []
  return values.map(value => value.trim().replace(/ +/g, ' ')).join(',')
}

/** Sorts by name: the separator between a name and its value sorts before every character of a name. */
function formatCanonicalQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escapeUri(name)} ${escapeUri(value)}`)
    .sort()
    .join('&')
    .replaceAll(' ', '=')
}

const escapeUri = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
