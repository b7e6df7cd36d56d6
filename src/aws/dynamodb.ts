import { DynamoDBClient, type DynamoDBClientConfig, type DynamoDBClientResolvedConfig } from '@aws-sdk/client-dynamodb'
import type { Administration, Backups, Service, Streams, Vectors } from '../store/port.js'
import { createAwsService } from './commands.js'
import { withoutRetries } from './disable-retries.js'
import { resolveClientConfig } from './settings.js'
import { createAwsStreams } from './streams.js'

/** DynamoDB and its streams. */
export interface AwsStore extends Service, Streams, Administration, Backups, Partial<Vectors> {
  /** Closes the connections of a client that was made here; a given one is closed by whoever made it. */
  destroy(): void
}

interface StreamOptions {
  /** Where streams are read; unless said, at the endpoint that was given for tables, or else where AWS has them. */
  readonly streamsEndpoint?: string | undefined
}

/** Whatever the SDK's client takes, but for its retries: a graph has its own. */
export interface ClientOptions
  extends Omit<DynamoDBClientConfig, 'maxAttempts' | 'retryMode' | 'retryStrategy'>,
    StreamOptions {
  /** A client that is there already goes under `client`. */
  readonly send?: never
}

/** The SDK's `DynamoDBClient`, `DynamoDB` or `DynamoDBDocumentClient`. */
export interface AwsClient {
  readonly config: DynamoDBClientResolvedConfig
  send(command: never, options?: never): unknown
}

/** A client of the SDK that is there already. */
export interface AwsStoreOptions extends StreamOptions {
  /** It is used as it is, but its retries are left out. */
  readonly client: AwsClient
}

/**
 * A store on the AWS SDK, for AWS itself, DynamoDB Local or `edgewise serve`: by a client of its own with settings that
 * suit a graph (no retries beside ours, time limits, connections kept alive), or by a client that is there already.
 */
export function dynamodb(options?: ClientOptions): AwsStore
export function dynamodb(given: AwsStoreOptions): AwsStore
export function dynamodb(options: ClientOptions | AwsStoreOptions = {}): AwsStore {
  if (typeof options !== 'object')
    throw new TypeError("dynamodb() takes options by name: dynamodb({ endpoint: 'http://localhost:8000' })")
  if ('send' in options) throw new TypeError('dynamodb() takes a client as dynamodb({ client })')
  const { streamsEndpoint, ...given } = options
  if ('client' in given) {
    const client = withoutRetries(given.client as DynamoDBClient)
    return { ...createAwsService(client, {}), ...createAwsStreams(client, streamsEndpoint), destroy: () => undefined }
  }
  const client = new DynamoDBClient(resolveClientConfig(given))
  return { ...createAwsService(client), ...createAwsStreams(client, streamsEndpoint), destroy: () => client.destroy() }
}
