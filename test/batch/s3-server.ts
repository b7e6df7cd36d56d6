import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, sep } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fake of S3 on loopback. Buckets are the subfolders of a folder, addressed by path. */
export interface S3Server {
  readonly url: string
  /** The requests so far: `LIST prefix` and `GET key`. */
  readonly requests: string[]
  /** How many objects were sent at the same time at most. */
  readonly sentAtOnce: () => number
}

export interface S3ServerOptions {
  /** Keys and folders on a page of a listing. */
  readonly pageSize?: number
  /** Buckets that answer 403. */
  readonly denied?: readonly string[]
  /** Replaces the response of an object, or returns false to send it. */
  readonly onGet?: (key: string, response: ServerResponse, bytes: Buffer) => boolean
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export async function s3Server(folder: string, options: S3ServerOptions = {}): Promise<S3Server> {
  const requests: string[] = []
  const sending = { now: 0, most: 0 }
  const server = createServer((request, response) => {
    const [, bucket, key] = /^\/([^/?]+)\/?([^?]*)/.exec(request.url!)!.map(decodeURIComponent)
    if (options.denied?.includes(bucket!)) return fail(response, 403, 'AccessDenied')
    if (!hasBucket(folder, bucket!)) return fail(response, 404, 'NoSuchBucket')
    const keys = keysOf(join(folder, bucket!))
    if (key === '') return list(request, response, keys, { ...options, requests })
    requests.push(`GET ${key}`)
    if (!keys.includes(key!)) return fail(response, 404, 'NoSuchKey')
    sending.most = Math.max(sending.most, ++sending.now)
    response.on('close', () => sending.now--)
    const bytes = readFileSync(join(folder, bucket!, key!))
    response.setHeader('last-modified', statSync(join(folder, bucket!, key!)).mtime.toUTCString())
    if (!options.onGet?.(key!, response, bytes)) response.end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sentAtOnce: () => sending.most,
  }
}

const hasBucket = (folder: string, bucket: string) => readdirSync(folder).includes(bucket)

const keysOf = (bucket: string): string[] =>
  readdirSync(bucket, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(bucket.length + 1)
        .replaceAll(sep, '/'),
    )
    .sort()

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** ListObjectsV2: keys up to the next delimiter become common prefixes, and both count for a page. */
function list(
  request: IncomingMessage,
  response: ServerResponse,
  keys: readonly string[],
  { pageSize = 1000, requests }: S3ServerOptions & Pick<S3Server, 'requests'>,
): void {
  const query = new URL(request.url!, 'http://host').searchParams
  const prefix = query.get('prefix') ?? ''
  const token = query.get('continuation-token') ?? ''
  requests.push(`LIST ${prefix}`)
  const named = keys.filter(key => key.startsWith(prefix)).map(key => upToSlash(key, prefix))
  const entries = [...new Set(named)].filter(entry => entry > token)
  const page = entries.slice(0, pageSize)
  const shown = page.map(entry =>
    entry.endsWith('/')
      ? `<CommonPrefixes><Prefix>${escapeXml(entry)}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${escapeXml(entry)}</Key><Size>1</Size></Contents>`,
  )
  const isTruncated = page.length < entries.length
  const next = isTruncated ? `<NextContinuationToken>${escapeXml(page.at(-1)!)}</NextContinuationToken>` : ''
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${shown.join('')}</ListBucketResult>`)
}

function upToSlash(key: string, prefix: string): string {
  const slash = key.indexOf('/', prefix.length)
  return slash === -1 ? key : key.slice(0, slash + 1)
}
