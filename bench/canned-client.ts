import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodb } from '../src/aws/index.js'
import type { Store } from '../src/store/port.js'

const nothing = () => undefined
const QUIET = { debug: nothing, warn: nothing, error: nothing } as never

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * The SDK's client without a network. Every Query returns all stored items, so a benchmark can compare the cost of a
 * toolkit with the cost of the SDK alone.
 */
export class CannedClient {
  private readonly items: unknown[] = []
  private page = ''

  /** Ends writing. All later Queries return the same text. */
  freeze(): void {
    this.page = JSON.stringify({ Items: this.items, Count: this.items.length, ScannedCount: this.items.length })
  }

  client(): DynamoDBClient {
    return new DynamoDBClient(this.settings())
  }

  /** A client as `edgewise/aws` creates it, with its middleware, which the document client does not accept. */
  store(): Store {
    const { maxAttempts: _, ...settings } = this.settings()
    return dynamodb(settings)
  }

  private settings() {
    const handle = async (sent: Sent) => ({ response: { statusCode: 200, headers: {}, body: this.answer(sent) } })
    return {
      region: 'us-east-1',
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
      maxAttempts: 1,
      // Equal for all clients: the SDK's default logger formats every response for an unused log.
      logger: QUIET,
      requestHandler: { handle, metadata: { handlerProtocol: 'http/1.1' } } as never,
    }
  }

  private answer({ headers, body }: Sent): Uint8Array {
    const operation = headers['x-amz-target']?.split('.')[1]
    if (operation === 'Query') return Buffer.from(this.page)
    const asked = JSON.parse(body)
    if (operation === 'PutItem') this.items.push(asked.Item)
    if (operation === 'UpdateItem') this.items.push(updated(asked))
    if (operation === 'BatchWriteItem')
      for (const { PutRequest } of Object.values(asked.RequestItems).flat() as { PutRequest: { Item: unknown } }[])
        this.items.push(PutRequest.Item)
    return Buffer.from('{}')
  }
}

/** Converts an UpdateItem request with SET to the item that it writes. */
function updated(asked: {
  Key: object
  UpdateExpression: string
  ExpressionAttributeNames: Record<string, string>
  ExpressionAttributeValues: Record<string, unknown>
}): object {
  const item: Record<string, unknown> = { ...asked.Key }
  for (const [, name, value] of asked.UpdateExpression.matchAll(/(#\w+) = (:\w+)/g))
    item[asked.ExpressionAttributeNames[name!]!] = asked.ExpressionAttributeValues[value!]
  return item
}
