import { Readable } from 'node:stream'
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Store } from '../../../src/store/port.js'

type Operation = (request: unknown) => Promise<unknown>

/** The client of the AWS SDK. A store in the process answers its requests in place of the network. */
export function clientOver(store: Store): DynamoDBClient {
  return new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) => {
        const target = headers['x-amz-target']!.split('.')[1]!
        const operation = (store as unknown as Record<string, Operation>)[target[0]!.toLowerCase() + target.slice(1)]!
        return { response: await answer(operation, new TextDecoder().decode(body)) }
      },
    } as unknown as NonNullable<DynamoDBClientConfig['requestHandler']>,
  })
}

async function answer(operation: Operation, body: string) {
  try {
    return response(200, await operation(JSON.parse(body)))
  } catch (error) {
    const { name, message } = error as Error
    return response(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message })
  }
}

function response(statusCode: number, body: unknown) {
  const headers = { 'content-type': 'application/x-amz-json-1.0' }
  return { statusCode, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) }
}
