import { expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'

it('a call whose signal is already aborted rejects with the reason and has no effect', async () => {
  const store = memory()
  const request = {
    TableName: 'aborted',
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  }
  const reason = new Error('enough')
  await expect(store.createTable(request, { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(await store.listTables({})).toEqual({ TableNames: [] })
})
