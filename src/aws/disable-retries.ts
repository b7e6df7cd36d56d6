import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/**
 * Returns a client that shares the middleware, connections and replaced `send` of the given client but never retries.
 * The SDK's retries repeat a write whose response was lost. The given client does not change.
 */
export function withoutRetries(client: DynamoDBClient): DynamoDBClient {
  const middlewareStack = client.middlewareStack.clone()
  // Takes the place of the retry middleware, because the signing middleware is declared relative to that name.
  middlewareStack.add(next => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  })
  return Object.create(client, { middlewareStack: { value: middlewareStack } }) as DynamoDBClient
}
