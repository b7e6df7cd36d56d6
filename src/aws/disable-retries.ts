import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/**
 * The same client, with its middleware, its connections and whatever was put in place of its `send`, but for its
 * retries: they repeat a write whose answer was lost. The given one stays as it is.
 */
export function withoutRetries(client: DynamoDBClient): DynamoDBClient {
  const middlewareStack = client.middlewareStack.clone()
  // In the place of the retries, since signing says of itself that it comes after them.
  middlewareStack.add(next => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  })
  return Object.create(client, { middlewareStack: { value: middlewareStack } }) as DynamoDBClient
}
