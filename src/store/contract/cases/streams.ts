import {
  DESCRIBE_STREAM_SHARDS,
  LIST_STREAMS,
  SHARD_ID_CHARACTERS_MAX,
  SHARD_ID_CHARACTERS_MIN,
  STREAM_ARN_CHARACTERS_MAX,
  STREAM_ARN_CHARACTERS_MIN,
} from '../../../dynamodb/limits.js'
import type { ShardFilter } from '../../../dynamodb/operations/streams.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { recordsOf, shardsOf, streamed } from './streamed.js'
import { hash } from './table-definitions.js'

const tooLong = (member: string, bound: string) =>
  `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must have ${bound}`

const listCases = cases('listStreams', {
  'a table has the stream that it was made with': async bench => {
    const { TableName, StreamArn } = await streamed(bench)
    const { Streams } = await bench.service.listStreams({ TableName })
    same(Streams, [{ StreamArn, TableName, StreamLabel: StreamArn.slice(StreamArn.lastIndexOf('/') + 1) }])
  },

  'a table without a stream has none': async bench => {
    const { Streams } = await bench.service.listStreams({ TableName: await bench.table('hash') })
    same(Streams, [])
  },

  'pages go on after a stream': covering(['limit:LIST_STREAMS'], async bench => {
    const wanted = new Set([(await streamed(bench)).StreamArn, (await streamed(bench)).StreamArn])
    const seen: string[] = []
    let ExclusiveStartStreamArn: string | undefined
    do {
      const page = await bench.service.listStreams({ Limit: 1, ExclusiveStartStreamArn })
      same(page.Streams!.length <= 1, true)
      seen.push(...page.Streams!.map(({ StreamArn }) => StreamArn!))
      ExclusiveStartStreamArn = page.LastEvaluatedStreamArn
    } while (ExclusiveStartStreamArn !== undefined)
    same(seen.filter(arn => wanted.has(arn)).length, 2)
    same(new Set(seen).size, seen.length)
    await invalid(
      bench.service.listStreams({ Limit: LIST_STREAMS + 1 }),
      'One or more parameter values were invalid: Limit cannot be greater than the maximum allowed size: 100',
    )
  }),

  'a disabled stream is listed beside the one that follows it': async bench => {
    const { TableName, StreamArn } = await streamed(bench)
    await bench.store.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } })
    await bench.active(TableName)
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
    await bench.store.updateTable({ TableName, StreamSpecification })
    await bench.active(TableName)
    const { Streams } = await bench.service.listStreams({ TableName })
    const { Table } = await bench.store.describeTable({ TableName })
    same(Streams!.map(stream => stream.StreamArn).toSorted(), [StreamArn, Table!.LatestStreamArn].toSorted())
  },
})

const describeCases = cases('describeStream', {
  'a stream is described by its table, its view and its shards': covering(
    ['limit:DESCRIBE_STREAM_SHARDS', 'limit:SHARD_ID_CHARACTERS_MIN', 'limit:SHARD_ID_CHARACTERS_MAX'],
    async bench => {
      const { TableName, StreamArn } = await streamed(bench, 'OLD_IMAGE')
      const { StreamDescription } = await bench.service.describeStream({ StreamArn, Limit: DESCRIBE_STREAM_SHARDS })
      const { StreamStatus, StreamViewType, KeySchema, StreamLabel, CreationRequestDateTime } = StreamDescription!
      same([StreamDescription!.TableName, StreamDescription!.StreamArn], [TableName, StreamArn])
      same([StreamStatus, StreamViewType, KeySchema], ['ENABLED', 'OLD_IMAGE', [hash('a')]])
      same(StreamArn.endsWith(`/stream/${StreamLabel}`), true)
      same(CreationRequestDateTime instanceof Date, true)
      const [shard] = StreamDescription!.Shards!
      const { length } = shard!.ShardId!
      same(length >= SHARD_ID_CHARACTERS_MIN && length <= SHARD_ID_CHARACTERS_MAX, true)
      same(/^\d{21,40}$/.test(shard!.SequenceNumberRange!.StartingSequenceNumber!), true)
      same(shard!.SequenceNumberRange!.EndingSequenceNumber, undefined)
    },
  ),

  'more than 100 shards cannot be asked for': covering(['limit:DESCRIBE_STREAM_SHARDS'], async bench => {
    const { StreamArn } = await streamed(bench)
    await invalid(
      bench.service.describeStream({ StreamArn, Limit: DESCRIBE_STREAM_SHARDS + 1 }),
      'One or more parameter values were invalid: Limit cannot be greater than the maximum: 100',
    )
  }),

  'pages go on after a shard': async bench => {
    const { StreamArn } = await streamed(bench)
    const shards = await shardsOf(bench, StreamArn)
    const ExclusiveStartShardId = shards.at(-1)!.ShardId
    const { StreamDescription } = await bench.service.describeStream({ StreamArn, ExclusiveStartShardId })
    same([StreamDescription!.Shards, StreamDescription!.LastEvaluatedShardId], [[], undefined])
  },

  'the children of a shard are asked for by all of a filter': async bench => {
    const { StreamArn } = await streamed(bench)
    const [shard] = await shardsOf(bench, StreamArn)
    const ofFilter = (ShardFilter: ShardFilter) => bench.service.describeStream({ StreamArn, ShardFilter })
    const { StreamDescription } = await ofFilter({ Type: 'CHILD_SHARDS', ShardId: shard!.ShardId })
    same(StreamDescription!.Shards, [])
    await refused(ofFilter({ ShardId: shard!.ShardId }), 'ValidationException')
    await refused(ofFilter({ Type: 'CHILD_SHARDS' }), 'ValidationException')
  },

  'a disabled stream has closed its shards, and can still be read': async bench => {
    const { TableName, StreamArn } = await streamed(bench)
    await bench.put(TableName, { a: { S: 'a' } })
    await bench.store.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } })
    await bench.active(TableName)
    await bench.put(TableName, { a: { S: 'after' } })
    await bench.eventually(async () => {
      const { StreamDescription } = await bench.service.describeStream({ StreamArn })
      same(StreamDescription!.StreamStatus, 'DISABLED')
      for (const shard of StreamDescription!.Shards!)
        same(/^\d{21,40}$/.test(shard.SequenceNumberRange!.EndingSequenceNumber!), true)
    })
    const records = []
    for (const shard of await shardsOf(bench, StreamArn)) records.push(...(await recordsOf(bench, StreamArn, shard)))
    same(
      records.map(({ dynamodb }) => dynamodb!.Keys),
      [{ a: { S: 'a' } }],
    )
  },

  'the stream of a deleted table can still be described': async bench => {
    const { TableName, StreamArn } = await streamed(bench)
    await bench.store.deleteTable({ TableName })
    await bench.eventually(async () => {
      const { StreamDescription } = await bench.service.describeStream({ StreamArn })
      same([StreamDescription!.TableName, StreamDescription!.StreamStatus], [TableName, 'DISABLED'])
    })
  },

  'a stream that is not there is named in the refusal': async bench => {
    const { StreamArn } = await streamed(bench)
    const other = StreamArn.replace(/[^/]*$/, '2001-01-01T00:00:00.000')
    await refused(
      bench.service.describeStream({ StreamArn: other }),
      'ResourceNotFoundException',
      `Requested resource not found: Stream: ${other} not found`,
    )
  },

  'an ARN that is none of a stream, too short or too long is refused': covering(
    ['limit:STREAM_ARN_CHARACTERS_MIN', 'limit:STREAM_ARN_CHARACTERS_MAX'],
    async ({ service }) => {
      const refuses = (StreamArn: string, message: string) => invalid(service.describeStream({ StreamArn }), message)
      await refuses('x'.repeat(STREAM_ARN_CHARACTERS_MIN), 'Invalid StreamArn')
      const [min, max] = [STREAM_ARN_CHARACTERS_MIN - 1, STREAM_ARN_CHARACTERS_MAX + 1]
      await refuses('x'.repeat(min), tooLong('streamArn', 'length greater than or equal to 37'))
      await refuses('x'.repeat(max), tooLong('streamArn', 'length less than or equal to 1024'))
    },
  ),
})

export const streamListCases = [...listCases, ...describeCases]
