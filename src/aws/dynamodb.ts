import { DynamoDBClient, type DynamoDBClientConfig, type DynamoDBClientResolvedConfig } from '@aws-sdk/client-dynamodb'
import type { Administration, Backups, Service, Streams, Transfers, Vectors } from '../store/port.js'
import { createAwsService } from './commands.js'
import { withoutRetries } from './disable-retries.js'
import { resolveClientConfig } from './settings.js'
import { createAwsStreams } from './streams.js'

/** A store on the AWS SDK: DynamoDB and DynamoDB Streams. */
export interface AwsStore extends Service, Streams, Administration, Backups, Transfers, Partial<Vectors> {
  /** Closes the connections of the client that `dynamodb()` created. A client passed as `client` stays open. */
  destroy(): void
}

interface StreamOptions {
  /**
   * The endpoint of DynamoDB Streams. The default is the `endpoint` of the tables, or the AWS endpoint of the region.
   */
  readonly streamsEndpoint?: string | undefined
}

/** The options of the SDK's client, without the retry options, because a graph has its own retries. */
export interface ClientOptions
  extends Omit<DynamoDBClientConfig, 'maxAttempts' | 'retryMode' | 'retryStrategy'>,
    StreamOptions {
  /** Rejects an SDK client in place of options; pass a client as `client`. */
  readonly send?: never
}

/** The SDK's `DynamoDBClient`, `DynamoDB` or `DynamoDBDocumentClient`. */
export interface AwsClient {
  readonly config: DynamoDBClientResolvedConfig
  send(command: never, options?: never): unknown
}

/** Options for a store on an existing client of the SDK. */
export interface AwsStoreOptions extends StreamOptions {
  /** The existing client. The store uses its configuration and connections, without its retries. */
  readonly client: AwsClient
}

/**
 * Creates a store on the AWS SDK, for DynamoDB, DynamoDB Local or `edgewise serve`.
 *
 * Without a client, the store creates one with settings that suit a graph: no SDK retries, time limits, and connections
 * that stay open.
 *
 * @param options - The options of the SDK's client, or `{ client }` for an existing client.
 * @returns A store for `graph()`, with `destroy()` to close its connections.
 * @throws {TypeError} if the argument is not an object, or is a client in place of `{ client }`.
 * @example
 * ```ts
 * import { dynamodb } from 'edgewise/aws'
 *
 * const store = dynamodb({ region: 'eu-central-1' })
 * const local = dynamodb({ endpoint: 'http://localhost:8000' })
 * ```
 */
export function dynamodb(options?: ClientOptions): AwsStore
export function dynamodb(options: AwsStoreOptions): AwsStore
export function dynamodb(options: ClientOptions | AwsStoreOptions = {}): AwsStore {
  if (typeof options !== 'object')
    throw new TypeError(
      "dynamodb(): the argument is not an object; give options by name, as in dynamodb({ endpoint: 'http://localhost:8000' }).",
    )
  if ('send' in options)
    throw new TypeError('dynamodb(): the argument is a client; give it by name, as in dynamodb({ client }).')
  const { streamsEndpoint, ...clientOptions } = options
  if ('client' in clientOptions) {
    const client = withoutRetries(clientOptions.client as DynamoDBClient)
    return { ...createAwsService(client, {}), ...createAwsStreams(client, streamsEndpoint), destroy: () => undefined }
  }
  const client = new DynamoDBClient(resolveClientConfig(clientOptions))
  return { ...createAwsService(client), ...createAwsStreams(client, streamsEndpoint), destroy: () => client.destroy() }
}
