import { expect, it } from 'vitest'
import {
  add,
  append,
  exclude,
  include,
  PatchOperation,
  prepend,
  remove,
  within,
} from '../../src/schema/patch-operations.js'

it('isPatchOperation is false for every value that can be stored', () => {
  const operations = [add(1), remove(), append(1), prepend(1), include(1), exclude(1), within({ a: 1 })]
  expect(operations.every(operation => operation instanceof PatchOperation)).toBe(true)
  expect(operations.map(({ kind, value }) => [kind, value])).toEqual([
    ['add', 1],
    ['remove', undefined],
    ['append', [1]],
    ['prepend', [1]],
    ['include', [1]],
    ['exclude', [1]],
    ['within', { a: 1 }],
  ])
})
