import { afterEach, describe, expect, it } from 'vitest'
import { call, send } from '../../http/raw-requests.js'
import { builtCommand, Running } from '../command.js'

const file = await builtCommand()
const started: Running[] = []
const run = (words: string[]) => {
  const running = new Running(file, words)
  started.push(running)
  return running
}
afterEach(async () => {
  for (const { process, ended } of started.splice(0)) {
    process.kill('SIGKILL')
    await ended
  }
})

const units = (WriteCapacityUnits: number) => ({
  ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits },
})
const TableName = 'orders'
const TABLE = {
  TableName,
  AttributeDefinitions: ['id', 'customer'].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-customer',
      KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
      ...units(100),
    },
  ],
  ...units(1),
}

/** The URL of an endpoint that has the table. */
async function serving(...words: string[]) {
  const running = run(['serve', '--port', '0', ...words])
  const [url] = /http:\S+/.exec(await running.line())!
  await call(url, 'CreateTable', TABLE)
  const put = (id: string) => call(url, 'PutItem', { TableName, Item: { id: { S: id }, customer: { S: 'ann' } } })
  return { running, url, put }
}

describe('edgewise serve with the behavior of DynamoDB under load', () => {
  it('serve can delay indexes', async () => {
    const { url, put } = await serving('--lag', '600000', '--seed', '7')
    await put('1')
    const count = async (more: object) => JSON.parse((await call(url, 'Scan', { TableName, ...more })).text).Count
    expect([await count({}), await count({ IndexName: 'by-customer' })]).toEqual([1, 0])
  })

  it('serve can delay the creation of tables', async () => {
    const { url } = await serving('--transitions', '600000')
    const { Table } = JSON.parse((await call(url, 'DescribeTable', { TableName })).text)
    expect([Table.TableStatus, Table.GlobalSecondaryIndexes[0].IndexStatus]).toEqual(['CREATING', 'CREATING'])
  })

  it('serve can throttle, and names the exceeded resource', async () => {
    const { put } = await serving('--throttle')
    let answer = await put('1')
    for (let i = 0; answer.status === 200 && i < 50; i++) answer = await put('1')
    const { status, text } = answer
    expect([status, JSON.parse(text)]).toEqual([
      400,
      {
        __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
        message: expect.stringContaining('The level of configured provisioned throughput for the table was exceeded.'),
        ThrottlingReasons: [
          {
            reason: 'TableWriteProvisionedThroughputExceeded',
            resource: 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders',
          },
        ],
      },
    ])
  })

  it('serve reports the hottest keys while it runs, and prints them at the end', async () => {
    const { running, url, put } = await serving('--heat')
    await put('1')
    await put('1')
    await put('2')
    const { status, text } = await send(url, { method: 'GET', path: '/heat' })
    expect([status, JSON.parse(text).orders.indexes['by-customer'].keys]).toEqual([
      200,
      [{ key: { customer: { S: 'ann' } }, readUnits: 0, writeUnits: 2 }],
    ])
    running.process.kill('SIGINT')
    const { output, errors } = await running.ended
    expect(errors).toBe('')
    expect(output.split('\n').slice(1)).toEqual([
      'orders',
      'in           partition key  read units  write units  throttled',
      'the table    all            0           3',
      '             id=1           0           2',
      '             id=2           0           1',
      'by-customer  all            0           2',
      '             customer=ann   0           2',
      '',
    ])
  })

  it('serve prints the heat as JSON on request, even without traffic', async () => {
    const running = run(['serve', '--port', '0', '--json', '--heat'])
    await running.line()
    running.process.kill('SIGTERM')
    expect((await running.ended).output.split('\n').slice(1)).toEqual(['{}', ''])
    const plain = run(['serve', '--port', '0', '--heat'])
    await plain.line()
    plain.process.kill('SIGTERM')
    expect((await plain.ended).output).toContain('No reads or writes.')
  })

  it.each([
    ['--lag', 'soon'],
    ['--seed', '-1'],
    ['--lag', '1.5'],
    ['--transitions', 'late'],
  ])('serve rejects the usage %s %s', async (option, value) => {
    const { code, errors } = await run(['serve', option, value]).ended
    expect(code).toBe(2)
    expect(errors).toContain('Give a whole number from 0.')
  })
})
