import { createWriteStream } from 'node:fs'
import { mkdir, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { sourceError } from './source-error.js'

type S3 = typeof import('@aws-sdk/client-s3')
type S3Client = import('@aws-sdk/client-s3').S3Client
type ListPage = import('@aws-sdk/client-s3').ListObjectsV2CommandOutput

/** The keys directly in a folder of a bucket, without those of its folders. A folder ends in a slash. */
export interface S3Listing {
  readonly objects: readonly string[]
  readonly folders: readonly string[]
}

const INSTALL = 'npm install @aws-sdk/client-s3'

async function loadS3(): Promise<S3> {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new GraphError('batch.s3', `batch: the package '@aws-sdk/client-s3' is not installed; run '${INSTALL}'.`)
  }
}

/** The SDK has no limit for a silent connection, which would then never end. */
const CONNECTION_TIMEOUT_MS = 5_000
const SILENT_TIMEOUT_MS = 60_000
/** The SDK repeats a request that fails, but not one whose response breaks off. */
const DOWNLOAD_ATTEMPTS = 3

/** A bucket that is read with the region, the credentials and the endpoint of the SDK's configuration. */
export class S3Bucket {
  /** The first failure cancels the other downloads. */
  private readonly failure = new AbortController()
  private readonly cancelled: AbortSignal

  private constructor(
    private readonly sdk: S3,
    private readonly client: S3Client,
    private readonly name: string,
    private readonly signal: AbortSignalLike | undefined,
  ) {
    this.cancelled = AbortSignal.any([...(signal ? [signal] : []), this.failure.signal])
  }

  static async open(name: string, signal: AbortSignalLike | undefined): Promise<S3Bucket> {
    const sdk = await loadS3()
    const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env
    const client = new sdk.S3Client({
      followRegionRedirects: true,
      // The host of another endpoint, such as localhost, has no subdomain for each bucket.
      forcePathStyle: Boolean(AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL),
      requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, socketTimeout: SILENT_TIMEOUT_MS },
    })
    return new S3Bucket(sdk, client, name, signal)
  }

  /** The URL of a key or a prefix. */
  urlOf(key: string): string {
    return `s3://${this.name}/${key}`
  }

  /** Lists the keys with a prefix up to the next slash. */
  async list(prefix: string): Promise<S3Listing> {
    const objects: string[] = []
    const folders: string[] = []
    let from: string | undefined
    do {
      const page = await this.orFail(this.urlOf(prefix), () => this.listPage(prefix, from))
      // A key that ends in a slash is the empty object by which a console shows a folder.
      for (const { Key } of page.Contents ?? []) if (Key && !Key.endsWith('/')) objects.push(Key)
      for (const { Prefix } of page.CommonPrefixes ?? []) if (Prefix) folders.push(Prefix)
      from = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (from !== undefined)
    return { objects, folders }
  }

  private listPage(prefix: string, from: string | undefined): Promise<ListPage> {
    const input = { Bucket: this.name, Prefix: prefix, Delimiter: '/', ContinuationToken: from }
    return this.client.send(new this.sdk.ListObjectsV2Command(input), { abortSignal: this.cancelled })
  }

  /** Downloads an object to a file, which gets the time of the object. */
  async download(key: string, path: string): Promise<void> {
    await this.orFail(this.urlOf(key), async () => {
      await mkdir(dirname(path), { recursive: true })
      for (let attempt = 1; ; attempt++) {
        const command = new this.sdk.GetObjectCommand({ Bucket: this.name, Key: key })
        const { Body, LastModified } = await this.client.send(command, { abortSignal: this.cancelled })
        try {
          await pipeline(Body as Readable, createWriteStream(path), { signal: this.cancelled })
          if (LastModified) await utimes(path, LastModified, LastModified)
          return
        } catch (error) {
          if (this.cancelled.aborted || isDiskFull(error) || attempt === DOWNLOAD_ATTEMPTS) throw error
        }
      }
    })
  }

  close(): void {
    this.client.destroy()
  }

  /** Rejects with the first failure, not with the cancellation of a download that it caused. */
  private async orFail<T>(url: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.signal?.throwIfAborted()
      this.failure.abort(s3Error(url, error as Error))
      throw this.failure.signal.reason
    }
  }
}

const isDiskFull = (error: unknown): boolean => (error as { code?: string }).code === 'ENOSPC'

/** Names of errors by which S3 refuses credentials with another status than 403. */
const REFUSED_CREDENTIALS = ['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired']

function s3Error(url: string, error: Error): GraphError {
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } }
  if (error.name === 'NoSuchBucket')
    return sourceError(url, 'the bucket does not exist', 'correct the name of the bucket, or check the endpoint')
  if (error.name === 'NoSuchKey') return sourceError(url, 'the object is missing', 'export the table again')
  if ($metadata?.httpStatusCode === 403 || REFUSED_CREDENTIALS.includes(error.name))
    return sourceError(
      url,
      `access is denied (${error.name})`,
      'check the AWS credentials, and allow s3:ListBucket and s3:GetObject',
    )
  if (error.message === 'Region is missing')
    return sourceError(url, 'no AWS region is set', 'set AWS_REGION, or the region of the AWS profile')
  if (error.name === 'CredentialsProviderError')
    return sourceError(
      url,
      `no AWS credentials can be loaded (${error.message})`,
      'set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    )
  if (isDiskFull(error))
    return sourceError(url, 'the disk is full', "free space for its files, or give a 'temporaryFolder' on another disk")
  const reason = error.message || code || error.name
  return sourceError(url, `it cannot be read (${reason})`, 'check the connection, the region and the endpoint')
}
