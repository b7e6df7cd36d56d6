import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { CallOptions, Streams } from '../store/port.js'
import { withAbortReason } from './abort-reason.js'

type StreamsPackage = typeof import('@aws-sdk/client-dynamodb-streams')

/**
 * The streams of the tables of a client: DynamoDB Streams is a service of its own, in a package of its own, which is
 * loaded with the first call. It has the client's region, credentials and connections.
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
    const message = 'streams are read by the package @aws-sdk/client-dynamodb-streams: install it'
    // By Node's code whoever follows a stream knows that trying again is of no use.
    throw Object.assign(new Error(message, { cause }), { code: 'ERR_MODULE_NOT_FOUND' })
  }
}
