import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { ANYWHERE, answering } from './answering.js'

const PACKAGE = '@aws-sdk/client-dynamodb-streams'

afterEach(() => {
  vi.doUnmock(PACKAGE)
  vi.resetModules()
})

const aws = () => import('../../src/aws/index.js')

it('streams are read where AWS has them, in the region of the client', async () => {
  const { sent, requestHandler } = answering(200, { Streams: [{ TableName: 'people' }] })
  const store = (await aws()).dynamodb({ client: new DynamoDBClient({ ...ANYWHERE, requestHandler }) })
  expect((await store.listStreams({})).Streams).toEqual([{ TableName: 'people' }])
  expect(sent[0]!.hostname).toBe('streams.dynamodb.eu-west-1.amazonaws.com')
  expect(sent[0]!.headers['x-amz-target']).toBe('DynamoDBStreams_20120810.ListStreams')
})

it('streams are read at the endpoint of the tables, unless another is given', async () => {
  const { sent, requestHandler } = answering(200, {})
  const config = { ...ANYWHERE, requestHandler, endpoint: 'http://tables.test' }
  const { dynamodb } = await aws()
  await dynamodb(config).listStreams({})
  await dynamodb({ ...config, streamsEndpoint: 'http://streams.test' }).listStreams({})
  expect(sent.map(({ hostname }) => hostname)).toEqual(['tables.test', 'streams.test'])
})

it('streams are asked once', async () => {
  const { sent, requestHandler } = answering(500, { __type: 'InternalServerError', message: 'down' })
  const store = (await aws()).dynamodb({ ...ANYWHERE, requestHandler })
  await expect(store.listStreams({})).rejects.toThrow('down')
  expect(sent).toHaveLength(1)
})

it('without the package of streams all else works, and they say what they need', async () => {
  vi.doMock(PACKAGE, () => {
    throw new Error('not installed')
  })
  const { requestHandler } = answering(200, { TableNames: [] })
  const store = (await aws()).dynamodb({ ...ANYWHERE, requestHandler })
  expect((await store.listTables({})).TableNames).toEqual([])
  await expect(store.listStreams({})).rejects.toThrow(`streams are read by the package ${PACKAGE}: install it`)
})
