import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/create-table.js'
import { untagResource } from '../../../src/engine/operations/untag-resource.js'
import { emptyEngine, request, TABLE_ARN } from '../tables.js'

test('no more keys of tags may be taken away than a table has tags', () => {
  const engine = emptyEngine()
  createTable(engine, request())
  const untag = (keys: number) =>
    untagResource(engine, { ResourceArn: TABLE_ARN, TagKeys: Array.from({ length: keys }, (_, n) => `${n}`) })
  expect(untag(50)).toEqual({})
  expect(() => untag(51)).toThrow('Number of Tags exceed the current limit for the provided ResourceArn')
})
