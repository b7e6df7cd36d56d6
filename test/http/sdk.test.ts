import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'

const serving = await serve(memory(), { port: 0 })
const client = new DynamoDB({
  endpoint: serving.url,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
})
const document = DynamoDBDocument.from(client)
afterAll(async () => {
  client.destroy()
  await serving.close()
})

describe("the AWS SDK's clients", () => {
  it("the AWS SDK's client creates a table and receives its creation date", async () => {
    await client.createTable({
      TableName: 'people',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    const { Table } = await client.describeTable({ TableName: 'people' })
    expect(Table?.TableStatus).toBe('ACTIVE')
    // The region is that of the client, not the region of the store.
    expect(Table?.TableArn).toBe('arn:aws:dynamodb:eu-west-1:123456789012:table/people')
    expect(Math.abs(Table!.CreationDateTime!.getTime() - Date.now())).toBeLessThan(60_000)
  })

  it("the AWS SDK's document client stores documents of every type", async () => {
    const Item = {
      id: 1,
      name: 'Ann',
      tags: new Set(['a', 'b']),
      scores: new Set([1, 2.5]),
      picture: Uint8Array.of(0, 255, 7),
      nested: { list: [1, 'two', null, true, { three: 3 }] },
    }
    await document.put({ TableName: 'people', Item })
    expect((await document.get({ TableName: 'people', Key: { id: 1 } })).Item).toEqual(Item)
  })

  it("the AWS SDK's client throws its own exceptions", async () => {
    const refused = await client
      .putItem({ TableName: 'people', Item: { id: { N: '1' } }, ConditionExpression: 'attribute_not_exists(id)' })
      .catch(error => error)
    expect(refused.constructor.name).toBe('ConditionalCheckFailedException')
    expect(refused.$metadata).toMatchObject({ httpStatusCode: 400, attempts: 1 })
    expect(refused.$metadata.requestId).toMatch(/^[0-9A-Z]{52}$/)
  })

  it("the AWS SDK's client puts and reads policies of tables", async () => {
    const { Table } = await client.describeTable({ TableName: 'people' })
    const ResourceArn = Table!.TableArn!
    const none = await client.getResourcePolicy({ ResourceArn }).catch(error => error)
    expect(none.constructor.name).toBe('PolicyNotFoundException')
    const Principal = { AWS: 'arn:aws:iam::123456789012:root' }
    const Statement = [{ Effect: 'Allow', Principal, Action: 'dynamodb:GetItem', Resource: ResourceArn }]
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement })
    const { RevisionId } = await client.putResourcePolicy({ ResourceArn, Policy, ExpectedRevisionId: 'NO_POLICY' })
    expect(await client.getResourcePolicy({ ResourceArn })).toMatchObject({ Policy, RevisionId })
    expect(await client.deleteResourcePolicy({ ResourceArn })).toMatchObject({ RevisionId })
  })

  it("the AWS SDK's client enables contributor insights and receives the date", async () => {
    const TableName = 'people'
    await client.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' })
    const told = await client.describeContributorInsights({ TableName })
    expect(told.ContributorInsightsStatus).toBe('ENABLED')
    expect(Math.abs(told.LastUpdateDateTime!.getTime() - Date.now())).toBeLessThan(60_000)
    const { ContributorInsightsSummaries } = await client.listContributorInsights({})
    expect(ContributorInsightsSummaries).toMatchObject([{ TableName, ContributorInsightsStatus: 'ENABLED' }])
  })

  it("the AWS SDK's client receives an empty list of global tables", async () => {
    expect(await client.listGlobalTables({})).toMatchObject({ GlobalTables: [] })
    const none = await client.describeGlobalTable({ GlobalTableName: 'people' }).catch(error => error)
    expect(none.constructor.name).toBe('GlobalTableNotFoundException')
    const settings = await client.describeGlobalTableSettings({ GlobalTableName: 'people' }).catch(error => error)
    expect(settings.constructor.name).toBe('GlobalTableNotFoundException')
    const ReplicationGroup = [{ RegionName: 'us-east-1' }]
    const made = client.createGlobalTable({ GlobalTableName: 'people', ReplicationGroup })
    await expect(made).rejects.toThrow('global tables version 2017.11.29 is not supported')
  })

  it("the AWS SDK's client runs many calls concurrently", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => index + 1000)
    await Promise.all(ids.map(id => document.put({ TableName: 'people', Item: { id, twice: id * 2 } })))
    const read = await Promise.all(ids.map(id => document.get({ TableName: 'people', Key: { id } })))
    expect(read.map(({ Item }) => Item)).toEqual(ids.map(id => ({ id, twice: id * 2 })))
  })
})
