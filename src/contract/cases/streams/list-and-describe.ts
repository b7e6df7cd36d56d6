import {
  DESCRIBE_STREAM_SHARDS,
  LIST_STREAMS,
  SHARD_ID_CHARACTERS_MAX,
  SHARD_ID_CHARACTERS_MIN,
  STREAM_ARN_CHARACTERS_MAX,
  STREAM_ARN_CHARACTERS_MIN,
} from '../../../dynamodb/limits.js'
import type { ShardFilter } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { hashKey } from '../../fixtures/table-definitions.js'
import { createStreamedTable, listShards, readShardRecords } from './streamed-table.js'

const tooLongMessage = (member: string, bound: string) =>
  `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must have ${bound}`

const listCases = defineCases('listStreams', {
  'a table has the stream of its creation request': async bench => {
    const { TableName, StreamArn } = await createStreamedTable(bench)
    const { Streams } = await bench.service.listStreams({ TableName })
    expectEqual(Streams, [{ StreamArn, TableName, StreamLabel: StreamArn.slice(StreamArn.lastIndexOf('/') + 1) }])
  },

  'a table without a stream has none': async bench => {
    const { Streams } = await bench.service.listStreams({ TableName: await bench.sharedTable('hash') })
    expectEqual(Streams, [])
  },

  'a page begins after the given stream': withCoverage(['limit:LIST_STREAMS'], async bench => {
    const wanted = new Set([(await createStreamedTable(bench)).StreamArn, (await createStreamedTable(bench)).StreamArn])
    const seen: string[] = []
    let ExclusiveStartStreamArn: string | undefined
    do {
      const page = await bench.service.listStreams({ Limit: 1, ExclusiveStartStreamArn })
      expectEqual(page.Streams!.length <= 1, true)
      seen.push(...page.Streams!.map(({ StreamArn }) => StreamArn!))
      ExclusiveStartStreamArn = page.LastEvaluatedStreamArn
    } while (ExclusiveStartStreamArn !== undefined)
    expectEqual(seen.filter(arn => wanted.has(arn)).length, 2)
    expectEqual(new Set(seen).size, seen.length)
    await expectValidationError(
      bench.service.listStreams({ Limit: LIST_STREAMS + 1 }),
      'One or more parameter values were invalid: Limit cannot be greater than the maximum allowed size: 100',
    )
  }),

  'a disabled stream is listed next to its successor': async bench => {
    const { TableName, StreamArn } = await createStreamedTable(bench)
    await bench.store.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } })
    await bench.waitUntilActive(TableName)
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
    await bench.store.updateTable({ TableName, StreamSpecification })
    await bench.waitUntilActive(TableName)
    const { Streams } = await bench.service.listStreams({ TableName })
    const { Table } = await bench.store.describeTable({ TableName })
    expectEqual(Streams!.map(stream => stream.StreamArn).toSorted(), [StreamArn, Table!.LatestStreamArn].toSorted())
  },
})

const describeCases = defineCases('describeStream', {
  'a stream is described by its table, its view and its shards': withCoverage(
    ['limit:DESCRIBE_STREAM_SHARDS', 'limit:SHARD_ID_CHARACTERS_MIN', 'limit:SHARD_ID_CHARACTERS_MAX'],
    async bench => {
      const { TableName, StreamArn } = await createStreamedTable(bench, 'OLD_IMAGE')
      const { StreamDescription } = await bench.service.describeStream({ StreamArn, Limit: DESCRIBE_STREAM_SHARDS })
      const { StreamStatus, StreamViewType, KeySchema, StreamLabel, CreationRequestDateTime } = StreamDescription!
      expectEqual([StreamDescription!.TableName, StreamDescription!.StreamArn], [TableName, StreamArn])
      expectEqual([StreamStatus, StreamViewType, KeySchema], ['ENABLED', 'OLD_IMAGE', [hashKey('a')]])
      expectEqual(StreamArn.endsWith(`/stream/${StreamLabel}`), true)
      expectEqual(CreationRequestDateTime instanceof Date, true)
      const [shard] = StreamDescription!.Shards!
      const { length } = shard!.ShardId!
      expectEqual(length >= SHARD_ID_CHARACTERS_MIN && length <= SHARD_ID_CHARACTERS_MAX, true)
      expectEqual(/^\d{21,40}$/.test(shard!.SequenceNumberRange!.StartingSequenceNumber!), true)
      expectEqual(shard!.SequenceNumberRange!.EndingSequenceNumber, undefined)
    },
  ),

  'a page of more than 100 shards is rejected': withCoverage(['limit:DESCRIBE_STREAM_SHARDS'], async bench => {
    const { StreamArn } = await createStreamedTable(bench)
    await expectValidationError(
      bench.service.describeStream({ StreamArn, Limit: DESCRIBE_STREAM_SHARDS + 1 }),
      'One or more parameter values were invalid: Limit cannot be greater than the maximum: 100',
    )
  }),

  'a page begins after the given shard': async bench => {
    const { StreamArn } = await createStreamedTable(bench)
    const shards = await listShards(bench, StreamArn)
    const ExclusiveStartShardId = shards.at(-1)!.ShardId
    const { StreamDescription } = await bench.service.describeStream({ StreamArn, ExclusiveStartShardId })
    expectEqual([StreamDescription!.Shards, StreamDescription!.LastEvaluatedShardId], [[], undefined])
  },

  'a filter for the children of a shard requires all of its members': async bench => {
    const { StreamArn } = await createStreamedTable(bench)
    const [shard] = await listShards(bench, StreamArn)
    const ofFilter = (ShardFilter: ShardFilter) => bench.service.describeStream({ StreamArn, ShardFilter })
    const { StreamDescription } = await ofFilter({ Type: 'CHILD_SHARDS', ShardId: shard!.ShardId })
    expectEqual(StreamDescription!.Shards, [])
    await expectRejection(ofFilter({ ShardId: shard!.ShardId }), 'ValidationException')
    await expectRejection(ofFilter({ Type: 'CHILD_SHARDS' }), 'ValidationException')
  },

  'a disabled stream has closed shards that can still be read': async bench => {
    const { TableName, StreamArn } = await createStreamedTable(bench)
    await bench.put(TableName, { a: { S: 'a' } })
    await bench.store.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } })
    await bench.waitUntilActive(TableName)
    await bench.put(TableName, { a: { S: 'after' } })
    await bench.eventually(async () => {
      const { StreamDescription } = await bench.service.describeStream({ StreamArn })
      expectEqual(StreamDescription!.StreamStatus, 'DISABLED')
      for (const shard of StreamDescription!.Shards!)
        expectEqual(/^\d{21,40}$/.test(shard.SequenceNumberRange!.EndingSequenceNumber!), true)
    })
    const records = []
    for (const shard of await listShards(bench, StreamArn))
      records.push(...(await readShardRecords(bench, StreamArn, shard)))
    expectEqual(
      records.map(({ dynamodb }) => dynamodb!.Keys),
      [{ a: { S: 'a' } }],
    )
  },

  'the stream of a deleted table can still be described': async bench => {
    const { TableName, StreamArn } = await createStreamedTable(bench)
    await bench.store.deleteTable({ TableName })
    await bench.eventually(async () => {
      const { StreamDescription } = await bench.service.describeStream({ StreamArn })
      expectEqual([StreamDescription!.TableName, StreamDescription!.StreamStatus], [TableName, 'DISABLED'])
    })
  },

  'a missing stream is named in the error': async bench => {
    const { StreamArn } = await createStreamedTable(bench)
    const other = StreamArn.replace(/[^/]*$/, '2001-01-01T00:00:00.000')
    await expectRejection(
      bench.service.describeStream({ StreamArn: other }),
      'ResourceNotFoundException',
      `Requested resource not found: Stream: ${other} not found`,
    )
  },

  'an ARN that is not that of a stream, too short or too long is rejected': withCoverage(
    ['limit:STREAM_ARN_CHARACTERS_MIN', 'limit:STREAM_ARN_CHARACTERS_MAX'],
    async ({ service }) => {
      const refuses = (StreamArn: string, message: string) =>
        expectValidationError(service.describeStream({ StreamArn }), message)
      await refuses('x'.repeat(STREAM_ARN_CHARACTERS_MIN), 'Invalid StreamArn')
      const [min, max] = [STREAM_ARN_CHARACTERS_MIN - 1, STREAM_ARN_CHARACTERS_MAX + 1]
      await refuses('x'.repeat(min), tooLongMessage('streamArn', 'length greater than or equal to 37'))
      await refuses('x'.repeat(max), tooLongMessage('streamArn', 'length less than or equal to 1024'))
    },
  ),
})

export const streamListCases = [...listCases, ...describeCases]
