import {
  SEQUENCE_NUMBER_CHARACTERS_MAX,
  SEQUENCE_NUMBER_CHARACTERS_MIN,
  SHARD_ITERATOR_CHARACTERS,
} from '../../../dynamodb/limits.js'
import type { ShardIteratorType } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import type { TestBench } from '../../test-bench.js'
import {
  createStreamedTable,
  listShards,
  readShardRecords,
  type StreamedTable,
  waitForRecords,
} from './streamed-table.js'

const INVALID = 'One or more parameter values were invalid: '

/** A stream with three changes of one item, and the shard that contains them. */
async function createStreamWithRecords(
  bench: TestBench,
): Promise<{ table: StreamedTable; ShardId: string; numbers: string[] }> {
  const table = await createStreamedTable(bench)
  for (const n of ['0', '1', '2']) await bench.put(table.TableName, { a: { S: 'one' }, n: { N: n } })
  const records = await waitForRecords(bench, table, 3)
  for (const shard of await listShards(bench, table.StreamArn)) {
    if ((await readShardRecords(bench, table.StreamArn, shard)).length < 3) continue
    return { table, ShardId: shard.ShardId!, numbers: records.map(({ dynamodb }) => dynamodb!.SequenceNumber!) }
  }
  throw new Error('the changes of one item are in several shards')
}

async function readFrom(
  bench: TestBench,
  { StreamArn }: StreamedTable,
  ShardId: string,
  ShardIteratorType: ShardIteratorType,
  SequenceNumber?: string,
): Promise<(string | undefined)[]> {
  const request = { StreamArn, ShardId, ShardIteratorType, SequenceNumber }
  const { ShardIterator } = await bench.service.getShardIterator(request)
  const { Records } = await bench.service.getRecords({ ShardIterator: ShardIterator! })
  return Records!.map(({ dynamodb }) => dynamodb!.NewImage!.n!.N)
}

export const streamIteratorCases = defineCases('getShardIterator', {
  'a shard can be read from its beginning, from a record or after a record': async bench => {
    const { table, ShardId, numbers } = await createStreamWithRecords(bench)
    const read = (type: ShardIteratorType, number?: string) => readFrom(bench, table, ShardId, type, number)
    expectEqual(await read('TRIM_HORIZON'), ['0', '1', '2'])
    expectEqual(await read('AT_SEQUENCE_NUMBER', numbers[1]), ['1', '2'])
    expectEqual(await read('AFTER_SEQUENCE_NUMBER', numbers[1]), ['2'])
    expectEqual(await read('AFTER_SEQUENCE_NUMBER', numbers[2]), [])
  },

  'the starting sequence number of a shard is a valid position': async bench => {
    const { table, ShardId } = await createStreamWithRecords(bench)
    const shard = (await listShards(bench, table.StreamArn)).find(({ ShardId: id }) => id === ShardId)!
    const { StartingSequenceNumber } = shard.SequenceNumberRange!
    expectEqual(await readFrom(bench, table, ShardId, 'AT_SEQUENCE_NUMBER', StartingSequenceNumber), ['0', '1', '2'])
  },

  'LATEST is after every existing record': async bench => {
    const { table, ShardId } = await createStreamWithRecords(bench)
    const { StreamArn, TableName } = table
    const request = { StreamArn, ShardId, ShardIteratorType: 'LATEST' as const }
    let iterator = (await bench.service.getShardIterator(request)).ShardIterator
    const empty = await bench.service.getRecords({ ShardIterator: iterator! })
    expectEqual(empty.Records, [])
    iterator = empty.NextShardIterator
    await bench.put(TableName, { a: { S: 'one' }, n: { N: 'new'.length.toString() } })
    await bench.eventually(async () => {
      const { Records, NextShardIterator } = await bench.service.getRecords({ ShardIterator: iterator! })
      iterator = NextShardIterator
      expectEqual(Records!.length, 1)
    })
  },

  'a sequence number that is missing or superfluous is rejected': async bench => {
    const { table, ShardId, numbers } = await createStreamWithRecords(bench)
    const { StreamArn } = table
    const get = (ShardIteratorType: ShardIteratorType, SequenceNumber?: string) =>
      bench.service.getShardIterator({ StreamArn, ShardId, ShardIteratorType, SequenceNumber })
    await expectValidationError(get('AT_SEQUENCE_NUMBER'), `${INVALID}SequenceNumber cannot be null`)
    await expectValidationError(get('AFTER_SEQUENCE_NUMBER'), `${INVALID}SequenceNumber cannot be null`)
    const unneeded = `${INVALID}SequenceNumber should not be passed for this iterator type`
    await expectValidationError(get('LATEST', numbers[0]), unneeded)
    await expectValidationError(get('TRIM_HORIZON', numbers[0]), unneeded)
  },

  'a sequence number that is unknown, too short or too long is rejected': withCoverage(
    ['limit:SEQUENCE_NUMBER_CHARACTERS_MIN', 'limit:SEQUENCE_NUMBER_CHARACTERS_MAX'],
    async bench => {
      const { table, ShardId } = await createStreamWithRecords(bench)
      const refuses = (SequenceNumber: string, message: string) =>
        expectValidationError(
          bench.service.getShardIterator({
            StreamArn: table.StreamArn,
            ShardId,
            ShardIteratorType: 'AT_SEQUENCE_NUMBER',
            SequenceNumber,
          }),
          message,
        )
      await refuses('9'.repeat(SEQUENCE_NUMBER_CHARACTERS_MAX), 'Invalid SequenceNumber for the shard')
      const bound = (words: string) =>
        `1 validation error detected: Value at 'sequenceNumber' failed to satisfy constraint: Member must have length ${words}`
      await refuses('1'.repeat(SEQUENCE_NUMBER_CHARACTERS_MIN - 1), bound('greater than or equal to 21'))
      await refuses('1'.repeat(SEQUENCE_NUMBER_CHARACTERS_MAX + 1), bound('less than or equal to 40'))
    },
  ),

  'a missing shard is rejected': async bench => {
    const { StreamArn } = await createStreamedTable(bench)
    const ShardId = 'shardId-00000000000000000000-00000000'
    await expectRejection(
      bench.service.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'LATEST' }),
      'ResourceNotFoundException',
      'Requested resource not found: Shard does not exist',
    )
  },

  'an iterator that is too long or unknown is rejected': withCoverage(
    ['limit:SHARD_ITERATOR_CHARACTERS'],
    async bench => {
      const { table, ShardId } = await createStreamWithRecords(bench)
      const request = { StreamArn: table.StreamArn, ShardId, ShardIteratorType: 'LATEST' as const }
      const { ShardIterator } = await bench.service.getShardIterator(request)
      expectEqual(ShardIterator!.length <= SHARD_ITERATOR_CHARACTERS, true)
      await expectValidationError(bench.service.getRecords({ ShardIterator: 'nonsense' }), 'Invalid ShardIterator')
    },
  ),
})
