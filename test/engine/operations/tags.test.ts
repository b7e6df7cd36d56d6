import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { listTagsOfResource } from '../../../src/engine/operations/tags/list-tags-of-resource.js'
import { tagResource } from '../../../src/engine/operations/tags/tag-resource.js'
import { untagResource } from '../../../src/engine/operations/tags/untag-resource.js'
import { emptyEngine, request, TABLE_ARN } from '../tables.js'

test('UntagResource accepts at most as many keys as a table can have tags', () => {
  const engine = emptyEngine()
  createTable(engine, request())
  const untag = (keys: number) =>
    untagResource(engine, { ResourceArn: TABLE_ARN, TagKeys: Array.from({ length: keys }, (_, n) => `${n}`) })
  expect(untag(50)).toEqual({})
  expect(() => untag(51)).toThrow('Number of Tags exceed the current limit for the provided ResourceArn')
})

// As observed in us-west-2 in October 2026.
test('a stream has its own tags', () => {
  const engine = emptyEngine()
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
  const { TableDescription } = createTable(engine, request({ StreamSpecification, Tags: [{ Key: 'k', Value: 'v' }] }))
  const ResourceArn = TableDescription!.LatestStreamArn!
  const tagsOf = (arn: string) => listTagsOfResource(engine, { ResourceArn: arn }).Tags
  expect(tagsOf(ResourceArn)).toEqual([])
  const Tags = [{ Key: 'own', Value: '1' }]
  tagResource(engine, { ResourceArn, Tags })
  expect([tagsOf(ResourceArn), tagsOf(TABLE_ARN)]).toEqual([Tags, [{ Key: 'k', Value: 'v' }]])
  untagResource(engine, { ResourceArn, TagKeys: ['own'] })
  expect(tagsOf(ResourceArn)).toEqual([])
  const other = `${TABLE_ARN}/stream/2026-10-08T22:00:00.000`
  expect(() => tagsOf(other)).toThrow(`Requested resource not found: ResourceArn: ${other} not found`)
})
