import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { CallOptions, Streams } from '../store/port.js'
import { abortedByReason } from './aborted.js'

type Package = typeof import('@aws-sdk/client-dynamodb-streams')

/**
 * The streams of the tables of a client: DynamoDB Streams is a service of its own, in a package of its own, which is
 * loaded with the first call. It has the client's region, credentials and connections.
 */
export function streamsOf(client: DynamoDBClient, endpoint: string | undefined): Streams {
  let made: Promise<Streams> | undefined
  const streams = () => {
    made ??= load().then(
      ({ DynamoDBStreams }) => new DynamoDBStreams(settingsOf(client, endpoint)) as unknown as Streams,
    )
    return made
  }
  const send = <T>(options: CallOptions | undefined, call: (made: Streams) => Promise<T>) =>
    abortedByReason(streams().then(call), options)
  return {
    listStreams: (request, options) => send(options, made => made.listStreams(request, options)),
    describeStream: (request, options) => send(options, made => made.describeStream(request, options)),
    getShardIterator: (request, options) => send(options, made => made.getShardIterator(request, options)),
    getRecords: (request, options) => send(options, made => made.getRecords(request, options)),
  }
}

function settingsOf({ config }: DynamoDBClient, given: string | undefined): object {
  const { region, credentials, requestHandler } = config
  const endpoint = given ?? config.endpoint
  return { region, credentials, requestHandler, maxAttempts: 1, ...(endpoint && { endpoint }) }
}

async function load(): Promise<Package> {
  try {
    return await import('@aws-sdk/client-dynamodb-streams')
  } catch (cause) {
    const message = 'streams are read by the package @aws-sdk/client-dynamodb-streams: install it'
    // By Node's code whoever follows a stream knows that trying again is of no use.
    throw Object.assign(new Error(message, { cause }), { code: 'ERR_MODULE_NOT_FOUND' })
  }
}
