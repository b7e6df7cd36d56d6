import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { invalid, same } from '../expect.js'
import { Trial } from './trial.js'

const LONG_PARTITION_KEY =
  'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
const LONG_SORT_KEY =
  'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes'

/** An attribute may be the key of several indexes, any of which may be told. */
const mismatch = (name: string, expected: string, actual: string, indexes: string) =>
  new RegExp(
    `^One or more parameter values were invalid: Type mismatch for Index Key ${name} ` +
      `Expected: ${expected} Actual: ${actual} IndexName: (${indexes})$`,
  )

/** Keys of indexes within items. */
export const indexKeyCases = cases('putItem', {
  'an item need not have the keys of indexes': async bench => {
    const trial = await Trial.indexed(bench, { a: { N: '1' } })
    same(await trial.attributes(), { a: { N: '1' } })
    await trial.put({ rank: { N: '1' } })
    same(await trial.attributes(), { rank: { N: '1' } })
  },
  'the key of an index has its type, whoever writes it': async bench => {
    const trial = await Trial.indexed(bench, {})
    const wrong: AttributeValue[] = [{ N: '1' }, { NULL: true }, { SS: ['a'] }, { L: [] }, { M: {} }, { BOOL: true }]
    for (const value of wrong) {
      const [type] = Object.keys(value)
      await invalid(trial.put({ local: value }), mismatch('local', 'S', type!, 'byLocal'))
      await invalid(
        trial.update('SET #l = :v', { '#l': 'local', ':v': value }),
        mismatch('local', 'S', type!, 'byLocal'),
      )
    }
    await invalid(trial.put({ rank: { S: '1' } }), mismatch('rank', 'N', 'S', 'byRank|byGroup'))
    await invalid(trial.put({ group: { N: '1' } }), mismatch('group', 'S', 'N', 'byGroup|groupOnly'))
    same(await trial.attributes(), {})
  },
  'an update that would give the key of an index another type by itself is refused whatever the item and the condition are':
    async bench => {
      const trial = await Trial.indexed(bench, {})
      const names = { '#l': 'local', ':n': { N: '1' } }
      const numeric = mismatch('local', 'S', 'N', 'byLocal')
      await invalid(trial.update('ADD #l :n', names), numeric)
      await invalid(trial.update('SET #l = absent + :n', names), numeric)
      await invalid(trial.update('SET #l = if_not_exists(absent, :n)', names), numeric)
      await invalid(
        trial.update('SET #l = if_not_exists(absent, :b)', { '#l': 'local', ':b': { BOOL: true } }),
        mismatch('local', 'S', 'BOOL', 'byLocal'),
      )
      await invalid(trial.update('SET a = #l[1], #l = :n', names), numeric)
      await invalid(
        trial.update('SET #l = list_append(a, b)', { '#l': 'local' }),
        mismatch('local', 'S', 'L', 'byLocal'),
      )
      await invalid(trial.update('SET #l = :n', names, { ConditionExpression: 'attribute_exists(absent)' }), numeric)
    },
  'an update that gives the key of an index the value of another attribute is refused where that has another type':
    async bench => {
      const trial = await Trial.indexed(bench, { a: { N: '1' }, b: { S: 'x' } })
      await invalid(
        trial.update('SET #l = a', { '#l': 'local' }),
        'The update expression attempted to update the secondary index key to unsupported type',
      )
      same(await trial.updated('SET #l = b', { '#l': 'local' }), { a: { N: '1' }, b: { S: 'x' }, local: { S: 'x' } })
    },
  'the key of an index is not empty': async bench => {
    const trial = await Trial.indexed(bench, {})
    await invalid(
      trial.put({ local: { S: '' } }),
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. IndexName: byLocal, IndexKey: local',
    )
    await invalid(
      trial.update('SET #l = :v', { '#l': 'local', ':v': { S: '' } }),
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key ' +
        'to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.',
    )
    same(await trial.attributes(), {})
  },
  'the partition key of an index has at most 2048 bytes': covering(['limit:PARTITION_KEY_BYTES'], async bench => {
    const trial = await Trial.indexed(bench)
    const group = (length: number) => ({ group: { S: 'x'.repeat(length) } })
    await trial.put(group(PARTITION_KEY_BYTES))
    same(await trial.attributes(), group(PARTITION_KEY_BYTES))
    await invalid(trial.put(group(PARTITION_KEY_BYTES + 1)), LONG_PARTITION_KEY)
    await invalid(
      trial.update('SET #g = :v', { '#g': 'group', ':v': group(PARTITION_KEY_BYTES + 1).group }),
      LONG_PARTITION_KEY,
    )
  }),
  'the sort key of an index has at most 1024 bytes': covering(['limit:SORT_KEY_BYTES'], async bench => {
    const trial = await Trial.indexed(bench)
    const local = (length: number) => ({ local: { S: 'x'.repeat(length) } })
    await trial.put(local(SORT_KEY_BYTES))
    same(await trial.attributes(), local(SORT_KEY_BYTES))
    await invalid(trial.put(local(SORT_KEY_BYTES + 1)), LONG_SORT_KEY)
    await invalid(trial.update('SET #l = :v', { '#l': 'local', ':v': local(SORT_KEY_BYTES + 1).local }), LONG_SORT_KEY)
    const TableName = trial.TableName
    const pk = { S: bench.unique().padEnd(SORT_KEY_BYTES + 1, 'x') }
    await invalid(bench.store.putItem({ TableName, Item: { pk, sk: { S: 'a' } } }), LONG_SORT_KEY)
  }),
  'a key of several attributes has the type of each': async bench => {
    const TableName = await bench.table('native')
    const item = { pk: { S: bench.unique() }, sk: { S: 'a' }, country: { S: 'NZ' }, year: { N: '2025' } }
    await bench.put(TableName, item, { ...item, sk: { S: 'b' }, state: { S: 'x' }, zip: { N: '1' } })
    const put = (more: Record<string, AttributeValue>) => bench.store.putItem({ TableName, Item: { ...item, ...more } })
    await invalid(put({ year: { S: '2025' } }), mismatch('year', 'N', 'S', 'place'))
    await invalid(put({ zip: { B: Uint8Array.of(1) } }), mismatch('zip', 'N', 'B', 'place'))
  },
})
