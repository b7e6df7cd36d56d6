import { expect, test } from 'vitest'
import { listStreams } from '../../../src/engine/operations/streams/list-streams.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { emptyEngine, request } from '../tables.js'

test('streams are listed by name in pages, independent of their creation order', () => {
  const engine = emptyEngine()
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
  for (const TableName of ['ccc', 'aaa', 'ddd', 'bbb']) createTable(engine, request({ TableName, StreamSpecification }))
  const names = (more: Parameters<typeof listStreams>[1]) => {
    const { Streams, LastEvaluatedStreamArn } = listStreams(engine, more)
    return [Streams!.map(({ TableName }) => TableName), LastEvaluatedStreamArn]
  }
  const arn = (TableName: string) => listStreams(engine, { TableName }).Streams![0]!.StreamArn
  expect(names({})).toEqual([['aaa', 'bbb', 'ccc', 'ddd'], undefined])
  expect(names({ Limit: 3 })).toEqual([['aaa', 'bbb', 'ccc'], arn('ccc')])
  expect(names({ Limit: 3, ExclusiveStartStreamArn: arn('ccc') })).toEqual([['ddd'], undefined])
  expect(names({ Limit: 2, ExclusiveStartStreamArn: arn('aaa') })).toEqual([['bbb', 'ccc'], arn('ccc')])
})
