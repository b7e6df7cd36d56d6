import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'

/** Simulates Node on a machine in FIPS mode. */
vi.mock('node:crypto', async importActual => {
  const actual = await importActual<typeof import('node:crypto')>()
  const hash = (algorithm: string, ...rest: [string]) => {
    if (algorithm === 'md5') throw new Error('error:0308010C:digital envelope routines::unsupported')
    return actual.hash(algorithm, ...rest)
  }
  return { ...actual, hash }
})

const { md5, newMd5 } = await import('../../src/engine/md5.js')
const { memory } = await import('../../src/engine/memory.js')

it('the fallback computes the same MD5 hash as Node', () => {
  for (const bytes of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const text = 'ä'.repeat(bytes).slice(0, bytes)
    expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'))
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      const data = Buffer.from(bytes)
      expect(md5(data, 'binary')).toBe(createHash('md5').update(data).digest('binary'))
    }),
  )
})

it('the MD5 of parts equals the MD5 of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), parts => {
      const digest = newMd5()
      for (const part of parts) digest.update(part)
      expect(digest.digest().toString('hex')).toBe(createHash('md5').update(Buffer.concat(parts)).digest('hex'))
    }),
  )
})

it('a store works when Node does not support MD5', async () => {
  const store = memory()
  await store.createTable({
    TableName: 'things',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await store.putItem({ TableName: 'things', Item: { id: { S: 'a' } } })
  expect(await store.getItem({ TableName: 'things', Key: { id: { S: 'a' } } })).toEqual({ Item: { id: { S: 'a' } } })
})
