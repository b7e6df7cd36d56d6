import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../dynamodb/limits.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'

const LONG_PARTITION_KEY =
  'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
const LONG_SORT_KEY =
  'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes'

/** An attribute can be the key of several indexes, and the service reports any of these. */
const typeMismatchMessage = (name: string, expected: string, actual: string, indexes: string) =>
  new RegExp(
    `^One or more parameter values were invalid: Type mismatch for Index Key ${name} ` +
      `Expected: ${expected} Actual: ${actual} IndexName: (${indexes})$`,
  )

/** Cases of index keys in items. */
export const indexKeyCases = defineCases('putItem', {
  'an item can lack the keys of indexes': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench, { a: { N: '1' } })
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
    await trial.put({ rank: { N: '1' } })
    expectEqual(await trial.readAttributes(), { rank: { N: '1' } })
  },
  'every write requires the type of an index key': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench, {})
    const wrong: AttributeValue[] = [{ N: '1' }, { NULL: true }, { SS: ['a'] }, { L: [] }, { M: {} }, { BOOL: true }]
    for (const value of wrong) {
      const [type] = Object.keys(value)
      await expectValidationError(trial.put({ local: value }), typeMismatchMessage('local', 'S', type!, 'byLocal'))
      await expectValidationError(
        trial.update('SET #l = :v', { '#l': 'local', ':v': value }),
        typeMismatchMessage('local', 'S', type!, 'byLocal'),
      )
    }
    await expectValidationError(
      trial.put({ rank: { S: '1' } }),
      typeMismatchMessage('rank', 'N', 'S', 'byRank|byGroup'),
    )
    await expectValidationError(
      trial.put({ group: { N: '1' } }),
      typeMismatchMessage('group', 'S', 'N', 'byGroup|groupOnly'),
    )
    expectEqual(await trial.readAttributes(), {})
  },
  'an update that sets a wrong type for an index key is rejected for any item and condition': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench, {})
    const names = { '#l': 'local', ':n': { N: '1' } }
    const numeric = typeMismatchMessage('local', 'S', 'N', 'byLocal')
    await expectValidationError(trial.update('ADD #l :n', names), numeric)
    await expectValidationError(trial.update('SET #l = absent + :n', names), numeric)
    await expectValidationError(trial.update('SET #l = if_not_exists(absent, :n)', names), numeric)
    await expectValidationError(
      trial.update('SET #l = if_not_exists(absent, :b)', { '#l': 'local', ':b': { BOOL: true } }),
      typeMismatchMessage('local', 'S', 'BOOL', 'byLocal'),
    )
    await expectValidationError(trial.update('SET a = #l[1], #l = :n', names), numeric)
    await expectValidationError(
      trial.update('SET #l = list_append(a, b)', { '#l': 'local' }),
      typeMismatchMessage('local', 'S', 'L', 'byLocal'),
    )
    await expectValidationError(
      trial.update('SET #l = :n', names, { ConditionExpression: 'attribute_exists(absent)' }),
      numeric,
    )
  },
  'an update that copies a value of the wrong type into an index key is rejected': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench, { a: { N: '1' }, b: { S: 'x' } })
    await expectValidationError(
      trial.update('SET #l = a', { '#l': 'local' }),
      'The update expression attempted to update the secondary index key to unsupported type',
    )
    expectEqual(await trial.updateAndRead('SET #l = b', { '#l': 'local' }), {
      a: { N: '1' },
      b: { S: 'x' },
      local: { S: 'x' },
    })
  },
  'an empty index key is rejected': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench, {})
    await expectValidationError(
      trial.put({ local: { S: '' } }),
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. IndexName: byLocal, IndexKey: local',
    )
    await expectValidationError(
      trial.update('SET #l = :v', { '#l': 'local', ':v': { S: '' } }),
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key ' +
        'to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.',
    )
    expectEqual(await trial.readAttributes(), {})
  },
  'the partition key of an index has at most 2048 bytes': withCoverage(['limit:PARTITION_KEY_BYTES'], async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench)
    const group = (length: number) => ({ group: { S: 'x'.repeat(length) } })
    await trial.put(group(PARTITION_KEY_BYTES))
    expectEqual(await trial.readAttributes(), group(PARTITION_KEY_BYTES))
    await expectValidationError(trial.put(group(PARTITION_KEY_BYTES + 1)), LONG_PARTITION_KEY)
    await expectValidationError(
      trial.update('SET #g = :v', { '#g': 'group', ':v': group(PARTITION_KEY_BYTES + 1).group }),
      LONG_PARTITION_KEY,
    )
  }),
  'the sort key of an index has at most 1024 bytes': withCoverage(['limit:SORT_KEY_BYTES'], async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench)
    const local = (length: number) => ({ local: { S: 'x'.repeat(length) } })
    await trial.put(local(SORT_KEY_BYTES))
    expectEqual(await trial.readAttributes(), local(SORT_KEY_BYTES))
    await expectValidationError(trial.put(local(SORT_KEY_BYTES + 1)), LONG_SORT_KEY)
    await expectValidationError(
      trial.update('SET #l = :v', { '#l': 'local', ':v': local(SORT_KEY_BYTES + 1).local }),
      LONG_SORT_KEY,
    )
    const TableName = trial.TableName
    const pk = { S: bench.unique().padEnd(SORT_KEY_BYTES + 1, 'x') }
    await expectValidationError(bench.store.putItem({ TableName, Item: { pk, sk: { S: 'a' } } }), LONG_SORT_KEY)
  }),
  'every attribute of a multi-attribute key requires its type': async bench => {
    const TableName = await bench.sharedTable('native')
    const item = { pk: { S: bench.unique() }, sk: { S: 'a' }, country: { S: 'NZ' }, year: { N: '2025' } }
    await bench.put(TableName, item, { ...item, sk: { S: 'b' }, state: { S: 'x' }, zip: { N: '1' } })
    const put = (more: Record<string, AttributeValue>) => bench.store.putItem({ TableName, Item: { ...item, ...more } })
    await expectValidationError(put({ year: { S: '2025' } }), typeMismatchMessage('year', 'N', 'S', 'place'))
    await expectValidationError(put({ zip: { B: Uint8Array.of(1) } }), typeMismatchMessage('zip', 'N', 'B', 'place'))
  },
})
