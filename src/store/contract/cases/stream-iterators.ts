import {
  SEQUENCE_NUMBER_CHARACTERS_MAX,
  SEQUENCE_NUMBER_CHARACTERS_MIN,
  SHARD_ITERATOR_CHARACTERS,
} from '../../../dynamodb/limits.js'
import type { ShardIteratorType } from '../../../dynamodb/operations/streams.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { changes, recordsOf, type Streamed, shardsOf, streamed } from './streamed.js'

const INVALID = 'One or more parameter values were invalid: '

/** A stream with three changes of one item, and the shard that has them. */
async function written(bench: Bench): Promise<{ table: Streamed; ShardId: string; numbers: string[] }> {
  const table = await streamed(bench)
  for (const n of ['0', '1', '2']) await bench.put(table.TableName, { a: { S: 'one' }, n: { N: n } })
  const records = await changes(bench, table, 3)
  for (const shard of await shardsOf(bench, table.StreamArn)) {
    if ((await recordsOf(bench, table.StreamArn, shard)).length < 3) continue
    return { table, ShardId: shard.ShardId!, numbers: records.map(({ dynamodb }) => dynamodb!.SequenceNumber!) }
  }
  throw new Error('the changes of one item are in several shards')
}

async function readFrom(
  bench: Bench,
  { StreamArn }: Streamed,
  ShardId: string,
  ShardIteratorType: ShardIteratorType,
  SequenceNumber?: string,
): Promise<(string | undefined)[]> {
  const request = { StreamArn, ShardId, ShardIteratorType, SequenceNumber }
  const { ShardIterator } = await bench.service.getShardIterator(request)
  const { Records } = await bench.service.getRecords({ ShardIterator: ShardIterator! })
  return Records!.map(({ dynamodb }) => dynamodb!.NewImage!.n!.N)
}

export const streamIteratorCases = cases('getShardIterator', {
  'a shard is read from its beginning, from a record or after one': async bench => {
    const { table, ShardId, numbers } = await written(bench)
    const read = (type: ShardIteratorType, number?: string) => readFrom(bench, table, ShardId, type, number)
    same(await read('TRIM_HORIZON'), ['0', '1', '2'])
    same(await read('AT_SEQUENCE_NUMBER', numbers[1]), ['1', '2'])
    same(await read('AFTER_SEQUENCE_NUMBER', numbers[1]), ['2'])
    same(await read('AFTER_SEQUENCE_NUMBER', numbers[2]), [])
  },

  'the first number of a shard may be read from': async bench => {
    const { table, ShardId } = await written(bench)
    const shard = (await shardsOf(bench, table.StreamArn)).find(({ ShardId: id }) => id === ShardId)!
    const { StartingSequenceNumber } = shard.SequenceNumberRange!
    same(await readFrom(bench, table, ShardId, 'AT_SEQUENCE_NUMBER', StartingSequenceNumber), ['0', '1', '2'])
  },

  'the latest position is after all that is there': async bench => {
    const { table, ShardId } = await written(bench)
    const { StreamArn, TableName } = table
    const request = { StreamArn, ShardId, ShardIteratorType: 'LATEST' as const }
    let iterator = (await bench.service.getShardIterator(request)).ShardIterator
    const empty = await bench.service.getRecords({ ShardIterator: iterator! })
    same(empty.Records, [])
    iterator = empty.NextShardIterator
    await bench.put(TableName, { a: { S: 'one' }, n: { N: 'new'.length.toString() } })
    await bench.eventually(async () => {
      const { Records, NextShardIterator } = await bench.service.getRecords({ ShardIterator: iterator! })
      iterator = NextShardIterator
      same(Records!.length, 1)
    })
  },

  'a number is given exactly where it is needed': async bench => {
    const { table, ShardId, numbers } = await written(bench)
    const { StreamArn } = table
    const get = (ShardIteratorType: ShardIteratorType, SequenceNumber?: string) =>
      bench.service.getShardIterator({ StreamArn, ShardId, ShardIteratorType, SequenceNumber })
    await invalid(get('AT_SEQUENCE_NUMBER'), `${INVALID}SequenceNumber cannot be null`)
    await invalid(get('AFTER_SEQUENCE_NUMBER'), `${INVALID}SequenceNumber cannot be null`)
    const unneeded = `${INVALID}SequenceNumber should not be passed for this iterator type`
    await invalid(get('LATEST', numbers[0]), unneeded)
    await invalid(get('TRIM_HORIZON', numbers[0]), unneeded)
  },

  'a number that no record has, too short or too long is refused': covering(
    ['limit:SEQUENCE_NUMBER_CHARACTERS_MIN', 'limit:SEQUENCE_NUMBER_CHARACTERS_MAX'],
    async bench => {
      const { table, ShardId } = await written(bench)
      const refuses = (SequenceNumber: string, message: string) =>
        invalid(
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

  'a shard that is not there is refused': async bench => {
    const { StreamArn } = await streamed(bench)
    const ShardId = 'shardId-00000000000000000000-00000000'
    await refused(
      bench.service.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'LATEST' }),
      'ResourceNotFoundException',
      'Requested resource not found: Shard does not exist',
    )
  },

  'an iterator has at most 2,048 characters, and is none that was not given': covering(
    ['limit:SHARD_ITERATOR_CHARACTERS'],
    async bench => {
      const { table, ShardId } = await written(bench)
      const request = { StreamArn: table.StreamArn, ShardId, ShardIteratorType: 'LATEST' as const }
      const { ShardIterator } = await bench.service.getShardIterator(request)
      same(ShardIterator!.length <= SHARD_ITERATOR_CHARACTERS, true)
      await invalid(bench.service.getRecords({ ShardIterator: 'nonsense' }), 'Invalid ShardIterator')
    },
  ),
})
