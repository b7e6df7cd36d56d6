import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/**
 * Limits the wait for a connection. A slower connection almost never succeeds, and a request that waits this long for a
 * free socket is retried.
 */
const CONNECTION_TIMEOUT_MS = 2_000
/** Exceeds the duration of any single request and is shorter than the time a caller accepts. */
const REQUEST_TIMEOUT_MS = 10_000
/** Replaces the SDK's limit of 50. A request that waits for a socket uses up its connection timeout. */
const SOCKETS_MAX = 256

const KEEP_ALIVE_AGENT = { keepAlive: true, maxSockets: SOCKETS_MAX }

const CONNECTIONS = {
  connectionTimeout: CONNECTION_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Without this flag, the handler only logs a warning when the request times out.
  throwOnRequestTimeout: true,
  httpAgent: KEEP_ALIVE_AGENT,
  httpsAgent: KEEP_ALIVE_AGENT,
}

const logNothing = () => undefined

/**
 * A logger without `info`. With `info`, the SDK formats every request and response for the log, which is half of its
 * cost for a Query of 50 items.
 */
const SILENT_LOGGER = { debug: logNothing, warn: logNothing, error: logNothing } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>

/**
 * Merges the given options over settings that suit a graph. Callers cannot add middleware to the created client, so the
 * client assembles its middleware once per operation. Assembling it per request costs a tenth of a Query of 50 items.
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

/** A handler instance is used unchanged; the settings of a handler are merged one by one. */
function resolveRequestHandler(handler: DynamoDBClientConfig['requestHandler'] = {}): typeof handler {
  return 'handle' in handler && typeof handler.handle === 'function' ? handler : { ...CONNECTIONS, ...handler }
}
