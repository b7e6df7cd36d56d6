import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { serve } from '../../../src/http/index.js'
import { ItemJsonCache } from '../../../src/http/json/item-json-cache.js'
import { call } from '../raw-requests.js'

describe('the JSON texts of items', () => {
  it('the text of a mutable item is always current', () => {
    const texts = new ItemJsonCache()
    const inner = { S: 'before' }
    const item = Object.freeze({ a: inner })
    expect(texts.stringify(item)).toBe('{"a":{"S":"before"}}')
    inner.S = 'after'
    expect(texts.stringify(item)).toBe('{"a":{"S":"after"}}')
  })

  it('the text of mutable bytes is always current', () => {
    const texts = new ItemJsonCache()
    const bytes = Uint8Array.of(0, 0, 0)
    const item = Object.freeze({ a: Object.freeze({ B: bytes }) })
    expect(texts.stringify(item)).toBe('{"a":{"B":"AAAA"}}')
    bytes[0] = 255
    expect(texts.stringify(item)).toBe('{"a":{"B":"/wAA"}}')
  })

  it('texts stay correct when more items are read than the cache holds', () => {
    const texts = new ItemJsonCache()
    const items = Array.from({ length: 60 }, (_, index) => {
      const value = Object.freeze({ S: `${index}`.padStart(1_000_000, 'x') })
      return Object.freeze({ a: value })
    })
    for (let round = 0; round < 2; round++)
      for (const item of items) expect(texts.stringify(item)).toBe(`{"a":{"S":"${item.a.S}"}}`)
  })

  it('texts follow every write', async () => {
    const serving = await serve(memory(), { port: 0 })
    const run = async (operation: string, request: object) => {
      const { text } = await call(serving.url, operation, { TableName: 'things', ...request })
      return JSON.parse(text)
    }
    await run('CreateTable', {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    const Key = { id: { S: 'a' } }
    await run('PutItem', { Item: { ...Key, n: { N: '1' } } })
    for (let count = 1; count <= 3; count++) {
      const kept = { ...Key, n: { N: `${count}` } }
      expect(await run('GetItem', { Key })).toEqual({ Item: kept })
      expect((await run('Scan', {})).Items).toEqual([kept])
      const keys = { RequestItems: { things: { Keys: [Key] } } }
      expect((await run('BatchGetItem', { ...keys, TableName: undefined })).Responses).toEqual({ things: [kept] })
      await run('UpdateItem', {
        Key,
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      })
    }
    await serving.close()
  })
})
