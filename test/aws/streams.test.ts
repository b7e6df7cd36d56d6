import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { follow } from '../../src/derive/index.js'
import { graph, node, string } from '../../src/index.js'
import { ANYWHERE, answering } from './stub-handler.js'

const PACKAGE = '@aws-sdk/client-dynamodb-streams'

afterEach(() => {
  vi.doUnmock(PACKAGE)
  vi.resetModules()
})

const aws = () => import('../../src/aws/index.js')

it('streams are read at the AWS endpoint in the region of the client', async () => {
  const { sent, requestHandler } = answering(200, { Streams: [{ TableName: 'people' }] })
  const store = (await aws()).dynamodb({ client: new DynamoDBClient({ ...ANYWHERE, requestHandler }) })
  expect((await store.listStreams({})).Streams).toEqual([{ TableName: 'people' }])
  expect(sent[0]!.hostname).toBe('streams.dynamodb.eu-west-1.amazonaws.com')
  expect(sent[0]!.headers['x-amz-target']).toBe('DynamoDBStreams_20120810.ListStreams')
})

it('streams are read at the endpoint of the tables by default', async () => {
  const { sent, requestHandler } = answering(200, {})
  const config = { ...ANYWHERE, requestHandler, endpoint: 'http://tables.test' }
  const { dynamodb } = await aws()
  await dynamodb(config).listStreams({})
  await dynamodb({ ...config, streamsEndpoint: 'http://streams.test' }).listStreams({})
  expect(sent.map(({ hostname }) => hostname)).toEqual(['tables.test', 'streams.test'])
})

it('a stream request is sent once', async () => {
  const { sent, requestHandler } = answering(500, { __type: 'InternalServerError', message: 'down' })
  const store = (await aws()).dynamodb({ ...ANYWHERE, requestHandler })
  await expect(store.listStreams({})).rejects.toThrow('down')
  expect(sent).toHaveLength(1)
})

function takeAwayPackage() {
  vi.doMock(PACKAGE, () => {
    throw new Error('not installed')
  })
}

it('without the streams package, stream operations name the package and all others work', async () => {
  takeAwayPackage()
  const { requestHandler } = answering(200, { TableNames: [] })
  const store = (await aws()).dynamodb({ ...ANYWHERE, requestHandler })
  expect((await store.listTables({})).TableNames).toEqual([])
  await expect(store.listStreams({})).rejects.toThrow(
    `DynamoDB Streams: the package ${PACKAGE} is missing; install it.`,
  )
})

it('without the streams package, following fails at once with the package to install', async () => {
  takeAwayPackage()
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' }
  const { requestHandler } = answering(200, { Table: { StreamSpecification, LatestStreamArn: 'arn' } })
  const store = (await aws()).dynamodb({ ...ANYWHERE, requestHandler })
  const people = graph('people', [node('person', { id: string() }, { id: 'id' })])
  const message = `DynamoDB Streams: the package ${PACKAGE} is missing; install it.`
  await expect(follow(people, store)).rejects.toMatchObject({ name: 'GraphError', code: 'open.store', message })
})
