import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** A connection that takes longer is not coming; whoever waits as long for a free socket tries again. */
const CONNECTION_TIMEOUT_MS = 2_000
/** Far above what any single request takes, and below what a caller waits for. */
const REQUEST_TIMEOUT_MS = 10_000
/** Many more than the SDK's 50: whoever waits for a socket runs out of the time for its connection. */
const SOCKETS = 256

const KEPT_ALIVE = { keepAlive: true, maxSockets: SOCKETS }

const CONNECTIONS = {
  connectionTimeout: CONNECTION_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Else it is only logged.
  throwOnRequestTimeout: true,
  httpAgent: KEPT_ALIVE,
  httpsAgent: KEPT_ALIVE,
}

const nothing = () => undefined

/**
 * Without `info` the SDK does not prepare every request and every answer for a log that nobody reads, which is half of
 * what a Query of 50 items costs it.
 */
const QUIET = { debug: nothing, warn: nothing, error: nothing } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>

/**
 * What is given, over the settings that suit a graph. Nobody adds to the middleware of a client that is made here, so it
 * is put together once for each operation and not for each request, which is a tenth of what a Query of 50 items costs.
 */
export function settingsOf({ requestHandler, logger = QUIET, ...given }: DynamoDBClientConfig): DynamoDBClientConfig {
  return { cacheMiddleware: true, ...given, logger, maxAttempts: 1, requestHandler: handlerOf(requestHandler) }
}

/** A handler is taken as it is; settings of one are taken one by one. */
function handlerOf(given: DynamoDBClientConfig['requestHandler'] = {}): typeof given {
  return 'handle' in given && typeof given.handle === 'function' ? given : { ...CONNECTIONS, ...given }
}
