import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import type { WriteRequest } from '../src/dynamodb/operation-types.js'
import type { Store } from '../src/store/port.js'
import { itemAt, loaded, SORT_KEYS, TABLE } from './engine-data.js'
import { sequence } from './measure.js'

const PAGE_ITEMS = 50
const BATCH_READS = 100
const BATCH_WRITES = 25
const POLL_MS = 50

/** A request of an operation. */
export interface Call {
  readonly operation: string
  readonly body: string
}

/** The measured operations. Each creates a request for a random one of the given number of items. */
export function workloads(items: number): Record<string, () => Call> {
  const random = sequence(7)
  const place = () => random(items)
  const key = (at = place()) => {
    const { pk, sk } = itemAt(at)
    return { pk, sk }
  }
  const several = <Made>(count: number, make: (at: number) => Made) => {
    const first = place()
    return Array.from({ length: count }, (_, index) => make((first + index * 37) % items))
  }
  const queryOn = (index: object, name: string, value: () => string | undefined) => () =>
    call('Query', {
      TableName: TABLE,
      ...index,
      KeyConditionExpression: `${name} = :v`,
      ExpressionAttributeValues: { ':v': { S: value() } },
      Limit: PAGE_ITEMS,
    })
  const putOf = (at: number) => ({ TableName: TABLE, Item: itemAt(at) })
  return {
    GetItem: () => call('GetItem', { TableName: TABLE, Key: key() }),
    PutItem: () => call('PutItem', putOf(place())),
    'UpdateItem ADD': () =>
      call('UpdateItem', {
        TableName: TABLE,
        Key: key(),
        UpdateExpression: 'ADD visits :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    'Query of 50': queryOn({}, 'pk', () => itemAt(place()).pk?.S),
    'Query of 50 on the GSI': queryOn({ IndexName: 'inverted' }, 'sk', () => itemAt(random(SORT_KEYS)).sk?.S),
    'TransactWriteItems of 3': () =>
      call('TransactWriteItems', { TransactItems: several(3, at => ({ Put: putOf(at) })) }),
    'BatchGetItem of 100': () =>
      call('BatchGetItem', { RequestItems: { [TABLE]: { Keys: several(BATCH_READS, key) } } }),
    'BatchWriteItem of 25': () =>
      call('BatchWriteItem', { RequestItems: { [TABLE]: several(BATCH_WRITES, at => putRequest(at)) } }),
  }
}

const putRequest = (at: number): WriteRequest => ({ PutRequest: { Item: itemAt(at) } })

function call(operation: string, request: object): Call {
  return { operation, body: JSON.stringify(request) }
}

/** A minimal client: persistent connections, prepared requests, and responses that are read and discarded. */
export class Client {
  private readonly pool: Pool

  constructor(url: string, connections: number) {
    this.pool = new Pool(url, { connections, pipelining: 1 })
  }

  async send(call: Call): Promise<void> {
    const body = await this.answer(call)
    await body.dump()
  }

  async read(call: Call): Promise<string> {
    const body = await this.answer(call)
    return body.text()
  }

  private async answer({ operation, body }: Call): Promise<Dispatcher.ResponseData['body']> {
    const answer = await this.pool.request({ path: '/', method: 'POST', headers: headersOf(operation), body })
    if (answer.statusCode !== 200) throw new Error(`${operation}: ${answer.statusCode} ${await answer.body.text()}`)
    return answer.body
  }

  close(): Promise<void> {
    return this.pool.close()
  }
}

const headersOf = (operation: string) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${operation}`,
  'x-amz-date': '20261115T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=bench/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none',
})

/** Creates the table of the benchmarks on an endpoint. */
export async function load(url: string, items: number): Promise<void> {
  const client = new Client(url, 1)
  const store = {
    createTable: async (request: object) => {
      await client.send(call('CreateTable', request))
      while ((await client.read(call('DescribeTable', { TableName: TABLE }))).includes('"CREATING"'))
        await sleep(POLL_MS)
    },
    batchWriteItem: (request: object) => client.send(call('BatchWriteItem', request)),
  }
  await loaded(store as unknown as Store, items)
  await client.close()
}
