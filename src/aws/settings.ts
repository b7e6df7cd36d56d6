import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** A connection that takes longer is not coming; whoever waits as long for a free socket tries again. */
const CONNECTION_TIMEOUT_MS = 2_000
/** Far above what any single request takes, and below what a caller waits for. */
const REQUEST_TIMEOUT_MS = 10_000
/** Many more than the SDK's 50: whoever waits for a socket runs out of the time for its connection. */
const SOCKETS_MAX = 256

const KEEP_ALIVE_AGENT = { keepAlive: true, maxSockets: SOCKETS_MAX }

const CONNECTIONS = {
  connectionTimeout: CONNECTION_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Else it is only logged.
  throwOnRequestTimeout: true,
  httpAgent: KEEP_ALIVE_AGENT,
  httpsAgent: KEEP_ALIVE_AGENT,
}

const logNothing = () => undefined

/**
 * Without `info` the SDK does not prepare every request and every answer for a log that nobody reads, which is half of
 * what a Query of 50 items costs it.
 */
const SILENT_LOGGER = { debug: logNothing, warn: logNothing, error: logNothing } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>

/**
 * What is given, over the settings that suit a graph. Nobody adds to the middleware of a client that is made here, so it
 * is put together once for each operation and not for each request, which is a tenth of what a Query of 50 items costs.
 */
export function resolveClientConfig({
  requestHandler,
  logger = SILENT_LOGGER,
  ...given
}: DynamoDBClientConfig): DynamoDBClientConfig {
  return {
    cacheMiddleware: true,
    ...given,
    logger,
    maxAttempts: 1,
    requestHandler: resolveRequestHandler(requestHandler),
  }
}

/** A handler is taken as it is; settings of one are taken one by one. */
function resolveRequestHandler(handler: DynamoDBClientConfig['requestHandler'] = {}): typeof handler {
  return 'handle' in handler && typeof handler.handle === 'function' ? handler : { ...CONNECTIONS, ...handler }
}
