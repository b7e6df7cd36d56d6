import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, it } from 'vitest'
import { dynamodb } from '../../src/aws/index.js'
import { caseName, contractFor } from '../../src/contract/index.js'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { edge, graph, node, open, string } from '../../src/index.js'
import type { Streams } from '../../src/store/port.js'
import { ANYWHERE } from './stub-handler.js'

const serving = await serve(memory(), { port: 0 })
const config = { ...ANYWHERE, endpoint: serving.url }
const plain = new DynamoDBClient(config)
const aggregated = new DynamoDB(config)
const document = DynamoDBDocumentClient.from(plain, { marshallOptions: { removeUndefinedValues: true } })
const own = dynamodb(config)

const stores = {
  'a client of its own': own,
  'a given DynamoDBClient': dynamodb({ client: plain }),
  'a given DynamoDB': dynamodb({ client: aggregated }),
  'a given document client': dynamodb({ client: document }),
}

const { bench, cases } = contractFor(own)

afterAll(async () => {
  await bench.close()
  own.destroy()
  plain.destroy()
  aggregated.destroy()
  await serving.close()
})

const person = node('person', { id: string(), name: string() }, { id: 'id' })
const knows = edge('knows', { who: person, whom: person })
const people = graph('people', [person, knows])

describe.each(Object.entries(stores))('on %s', (kind, store) => {
  it('a graph on a client can be opened, written and read', async () => {
    const g = await open(people, store, { create: true, table: kind.replaceAll(' ', '_') })
    await g.person.put({ id: 'a', name: 'Ann' })
    await g.person.put({ id: 'b', name: 'Bob' })
    await g.knows.put({ who: 'a', whom: 'b' })
    expect(await g.person.get('a')).toEqual({ id: 'a', name: 'Ann' })
    expect(await g.knows.by.whom('b').all()).toEqual([{ who: 'a', whom: 'b' }])
  })

  it('values of every type are returned unchanged through a client', async () => {
    const Item = {
      pk: { S: kind },
      map: { M: { list: { L: [{ N: '1.50' }, { NULL: true as const }, { BOOL: false }] } } },
      bytes: { B: Uint8Array.of(0, 255) },
      names: { SS: ['x', 'y'] },
    }
    const TableName = await bench.sharedTable('hash')
    await store.putItem({ TableName, Item })
    expect((await store.getItem({ TableName, Key: { pk: Item.pk } })).Item).toEqual({
      ...Item,
      map: { M: { list: { L: [{ N: '1.5' }, { NULL: true }, { BOOL: false }] } } },
    })
  })
})

it('a document client can read and write documents next to its store', async () => {
  const TableName = await bench.sharedTable('hash')
  await dynamodb({ client: document }).putItem({ TableName, Item: { pk: { S: 'both' }, n: { N: '1' } } })
  const { Item } = await document.send(new GetCommand({ TableName, Key: { pk: 'both' } }))
  expect(Item).toEqual({ pk: 'both', n: 1 })
})

it.each([plain, document])(
  'a client that is passed without dynamodb() is rejected with the correct usage',
  async client => {
    const message =
      'open(): the second argument is not a store; give memory(), or dynamodb({ client }) of edgewise/aws.'
    await expect(open(people, client as never)).rejects.toMatchObject({ code: 'open.store', message })
  },
)

const STREAMS: Readonly<Record<keyof Streams, true>> = {
  listStreams: true,
  describeStream: true,
  getShardIterator: true,
  getRecords: true,
}

describe('the contract of streams is kept by', () => {
  // The client converts or omits values of a wrong type. The endpoint's tests send them by hand.
  for (const given of cases.filter(
    ({ operation, name }) => operation in STREAMS && !name.endsWith(' type is rejected'),
  ))
    it(caseName(given), () => given.run(bench))
})
