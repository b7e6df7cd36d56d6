import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { CallOptions, Streams } from '../store/port.js'
import { withAbortReason } from './abort-reason.js'

type StreamsPackage = typeof import('@aws-sdk/client-dynamodb-streams')

/**
 * The stream operations for the tables of a client. DynamoDB Streams is a separate service with a separate SDK package,
 * which loads on the first call. It uses the region, credentials and connections of the client.
 */
export function createAwsStreams(client: DynamoDBClient, endpoint: string | undefined): Streams {
  let loading: Promise<Streams> | undefined
  const streamsClient = () => {
    loading ??= loadStreamsPackage().then(
      ({ DynamoDBStreams }) => new DynamoDBStreams(streamsConfigOf(client, endpoint)) as unknown as Streams,
    )
    return loading
  }
  const send = <T>(options: CallOptions | undefined, call: (loading: Streams) => Promise<T>) =>
    withAbortReason(streamsClient().then(call), options)
  return {
    listStreams: (request, options) => send(options, loading => loading.listStreams(request, options)),
    describeStream: (request, options) => send(options, loading => loading.describeStream(request, options)),
    getShardIterator: (request, options) => send(options, loading => loading.getShardIterator(request, options)),
    getRecords: (request, options) => send(options, loading => loading.getRecords(request, options)),
  }
}

function streamsConfigOf({ config }: DynamoDBClient, streamsEndpoint: string | undefined): object {
  const { region, credentials, requestHandler } = config
  const endpoint = streamsEndpoint ?? config.endpoint
  return { region, credentials, requestHandler, maxAttempts: 1, ...(endpoint && { endpoint }) }
}

async function loadStreamsPackage(): Promise<StreamsPackage> {
  try {
    return await import('@aws-sdk/client-dynamodb-streams')
  } catch (cause) {
    const message = 'DynamoDB Streams: the package @aws-sdk/client-dynamodb-streams is missing; install it.'
    // Node's error code shows a stream follower that a retry cannot succeed.
    throw Object.assign(new Error(message, { cause }), { code: 'ERR_MODULE_NOT_FOUND' })
  }
}
