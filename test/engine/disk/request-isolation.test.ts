import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Disk, disk } from '../../../src/engine/index.js'
import { defined, index, key, request } from '../tables.js'
import { temporaryFolder } from './temporary-folder.js'

const TableName = 'orders'

async function opened(): Promise<Disk> {
  const store = disk(temporaryFolder(), { sync: false })
  await store.createTable(request({ TableName, AttributeDefinitions: defined('pk'), KeySchema: key('pk') }))
  return store
}

const put = (pk: string) => ({ Put: { TableName, Item: { pk: { S: pk } } } })
const insert = (pk: string) => ({ Statement: `INSERT INTO orders VALUE {'pk': '${pk}'}` })

describe('requests that their caller modifies after the call', () => {
  it('a transaction token is bound to the items as they were sent', async () => {
    const store = await opened()
    const request = { ClientRequestToken: 'first', TransactItems: [put('a')] }
    const done = store.transactWriteItems(request)
    request.ClientRequestToken = 'second'
    request.TransactItems[0]!.Put.Item.pk.S = 'b'
    await done
    await store.transactWriteItems({ ClientRequestToken: 'first', TransactItems: [put('a')] })
    await store.transactWriteItems({ ClientRequestToken: 'second', TransactItems: [put('c')] })
    await expect(
      store.transactWriteItems({ ClientRequestToken: 'first', TransactItems: [put('b')] }),
    ).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' })
    await store.close()
  })

  it('a transaction token is bound to the statements as they were sent', async () => {
    const store = await opened()
    const request = { ClientRequestToken: 'first', TransactStatements: [insert('a')] }
    const done = store.executeTransaction(request)
    request.TransactStatements[0]!.Statement = insert('b').Statement
    await done
    await store.executeTransaction({ ClientRequestToken: 'first', TransactStatements: [insert('a')] })
    expect((await store.scan({ TableName })).Items).toEqual([{ pk: { S: 'a' } }])
    await store.close()
  })

  it('a batch runs the statements as they were sent', async () => {
    const store = await opened()
    const request = { Statements: [insert('a')] }
    const done = store.batchExecuteStatement(request)
    request.Statements[0]!.Statement = insert('b').Statement
    expect((await done).Responses).toEqual([{ TableName }])
    expect((await store.scan({ TableName })).Items).toEqual([{ pk: { S: 'a' } }])
    await store.close()
  })

  it('a request that waits for expiry or an index runs as it was sent', async () => {
    const clock = { ms: Date.UTC(2026, 0, 1) }
    const store = disk(temporaryFolder(), { sync: false, now: () => clock.ms, expiryDelayMs: 0 })
    await store.createTable(request({ TableName, AttributeDefinitions: defined('pk'), KeySchema: key('pk') }))
    await store.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
    await store.putItem({ TableName, Item: { pk: { S: 'gone' }, until: { N: String(clock.ms / 1000 + 1) } } })
    clock.ms += 2000
    const first = { TableName, Item: { pk: { S: 'a' } } }
    const puts = [store.putItem(first)]
    first.Item.pk.S = 'b'
    await puts[0]
    const GlobalSecondaryIndexUpdates = [{ Create: index('by-g', key('g')) }]
    let isMade = false
    const made = store
      .updateTable({ TableName, AttributeDefinitions: defined('g'), GlobalSecondaryIndexUpdates })
      .finally(() => {
        isMade = true
      })
    while (!isMade) {
      const next = { TableName, Item: { pk: { S: 'a' } } }
      puts.push(store.putItem(next))
      next.Item.pk.S = 'b'
      await turn()
    }
    await Promise.all([made, ...puts])
    expect((await store.scan({ TableName })).Items).toEqual([{ pk: { S: 'a' } }])
    await store.close()
  })

  it('UpdateTimeToLive uses the attribute that was sent', async () => {
    const store = await opened()
    const TimeToLiveSpecification = { AttributeName: 'until', Enabled: true }
    const done = store.updateTimeToLive({ TableName, TimeToLiveSpecification })
    TimeToLiveSpecification.AttributeName = 'other'
    await done
    expect((await store.describeTimeToLive({ TableName })).TimeToLiveDescription!.AttributeName).toBe('until')
    await store.close()
  })
})
