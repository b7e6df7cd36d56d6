import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { encodeKey, type KeySchema } from '../../../src/engine/keys/key-schema.js'
import { parsePartitionKey, partitionPrefixOf } from '../../../src/engine/keys/partition-key.js'
import { parseInputValue } from '../../../src/engine/values/parse-item.js'
import { keyValue } from '../../arbitraries.js'

const KEYS: KeySchema = {
  partition: [
    { name: 's', type: 'S' },
    { name: 'n', type: 'N' },
    { name: 'b', type: 'B' },
  ],
  sort: [{ name: 'sort', type: 'S' }],
}

test('partition values are decoded from the keys of a partition', () => {
  fc.assert(
    fc.property(keyValue.S, keyValue.N, keyValue.B, keyValue.S, (s, n, b, sort) => {
      const partition: Item = { s: s, n: parseInputValue(n, 'current'), b: b }
      const text = partitionPrefixOf(KEYS, encodeKey(KEYS, { ...partition, sort }))!
      expect(parsePartitionKey(KEYS, text)).toEqual(partition)
    }),
    { numRuns: 1000 },
  )
})

test('a key that ends within the partition part has no partition', () => {
  const whole = encodeKey(KEYS, { s: { S: 'a' }, n: { N: '1' }, b: { B: new Uint8Array([1]) }, sort: { S: 'x' } })
  const partition = partitionPrefixOf(KEYS, whole)!
  expect(partitionPrefixOf(KEYS, partition)).toBe(partition)
  expect(partitionPrefixOf(KEYS, partition.slice(0, -1))).toBeUndefined()
  expect(partitionPrefixOf(KEYS, '')).toBeUndefined()
})
