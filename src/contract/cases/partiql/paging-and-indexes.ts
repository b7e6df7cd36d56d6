import { NEXT_TOKEN_CHARACTERS } from '../../../dynamodb/limits.js'
import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { pickAttributes, sharedIndexedItems } from '../../fixtures/indexed-items.js'
import { expectEventually, numericValue, sharedFixture, stringValue } from '../../fixtures/test-partition.js'
import { PartiqlPartition } from './partiql-partition.js'

const sharedRows = sharedFixture(bench =>
  PartiqlPartition.of(
    bench,
    'compositeN',
    ...[1, 2, 3, 4, 5].map(sort => ({ sk: numericValue(sort), even: { BOOL: sort % 2 === 0 } })),
  ),
)

const paging = defineCases('executeStatement', {
  'Limit counts evaluated items, and NextToken continues after them': async bench => {
    const stating = await sharedRows(bench)
    const words = 'SELECT sk FROM TABLE WHERE pk = PK AND even = true'
    const seen: unknown[] = []
    let NextToken: string | undefined
    for (let page = 0; page === 0 || NextToken !== undefined; page++) {
      const answer = await stating.execute(words, undefined, {
        Limit: 2,
        ConsistentRead: true,
        ...(NextToken && { NextToken }),
      })
      seen.push(answer.Items!.map(item => item.sk!.N))
      NextToken = answer.NextToken
    }
    expectEqual(seen, [['2'], ['4'], []])
  },

  'NextToken continues in both directions and across partitions': async bench => {
    const stating = await sharedRows(bench)
    const other = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(7) }, { sk: numericValue(8) })
    for (const words of [
      'SELECT sk FROM TABLE WHERE pk = PK ORDER BY sk DESC',
      `SELECT sk FROM TABLE WHERE pk IN [PK, '${other.pk}']`,
      `SELECT sk FROM TABLE WHERE pk IN [PK, '${other.pk}'] ORDER BY pk DESC, sk DESC`,
    ]) {
      const whole = await stating.select(words)
      const found: unknown[] = []
      let NextToken: string | undefined
      do {
        const page = await stating.execute(words, undefined, {
          Limit: 2,
          ConsistentRead: true,
          ...(NextToken && { NextToken }),
        })
        found.push(...page.Items!)
        NextToken = page.NextToken
      } while (NextToken !== undefined)
      expectEqual(found, whole)
    }
  },

  'NextToken is valid only for its own statement and parameters': withCoverage(
    ['limit:NEXT_TOKEN_CHARACTERS'],
    async bench => {
      const stating = await sharedRows(bench)
      const words = 'SELECT sk FROM TABLE WHERE pk = PK AND sk > ?'
      const { NextToken } = await stating.execute(words, [numericValue(1)], { Limit: 1 })
      if (!NextToken || NextToken.length > NEXT_TOKEN_CHARACTERS) throw new Error(`the token is ${NextToken}`)
      const mismatch = 'NextToken does not match request'
      await expectValidationError(stating.execute(words, [numericValue(2)], { NextToken }), mismatch)
      await expectValidationError(
        stating.execute('SELECT pk FROM TABLE WHERE pk = PK AND sk > ?', [numericValue(1)], { NextToken }),
        mismatch,
      )
      await expectValidationError(
        stating.execute(words, [numericValue(1)], { NextToken: 'nonsense' }),
        'Invalid NextToken',
      )
    },
  ),

  'a Limit below one is rejected': async bench => {
    const stating = await sharedRows(bench)
    await expectInvalidRequest(
      stating.execute('SELECT * FROM TABLE WHERE pk = PK', undefined, { Limit: 0 }),
      "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    )
  },
})

const capacity = defineCases('executeStatement', {
  'a statement costs the same as its operation': async bench => {
    const stating = await PartiqlPartition.of(bench, 'composite', { sk: stringValue('a') })
    const { TableName } = stating
    const cost = async (words: string, more = {}) =>
      (await stating.execute(words, undefined, { ReturnConsumedCapacity: 'TOTAL', ...more })).ConsumedCapacity
    expectEqual(await cost('SELECT * FROM TABLE WHERE pk = PK'), { TableName, CapacityUnits: 0.5 })
    expectEqual(await cost('SELECT * FROM TABLE WHERE pk = PK', { ConsistentRead: true }), {
      TableName,
      CapacityUnits: 1,
    })
    expectEqual(await cost(`SELECT * FROM TABLE WHERE pk = PK AND sk = 'none'`), { TableName, CapacityUnits: 0.5 })
    expectEqual(await cost(`UPDATE TABLE SET n = 1 WHERE pk = PK AND sk = 'a'`), { TableName, CapacityUnits: 2 })
    expectEqual(await stating.execute(`DELETE FROM TABLE WHERE pk = PK AND sk = 'a'`), { Items: [] })
  },

  'a statement reports the capacity of indexes': async bench => {
    const stating = await PartiqlPartition.of(bench, 'composite')
    const insert = `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 'a', 'local': 'x'}`
    expectEqual((await stating.execute(insert, undefined, { ReturnConsumedCapacity: 'INDEXES' })).ConsumedCapacity, {
      TableName: stating.TableName,
      CapacityUnits: 3,
      Table: { CapacityUnits: 1 },
      LocalSecondaryIndexes: { byLocal: { CapacityUnits: 1 } },
      GlobalSecondaryIndexes: { inverted: { CapacityUnits: 1 } },
    })
  },
})

const indexes = defineCases('executeStatement', {
  'SELECT reads an index by its key or as a scan': async bench => {
    const { partition, group, items } = await sharedIndexedItems(bench)
    const select = (index: string, where: string) =>
      bench.service.executeStatement({ Statement: `SELECT * FROM "${partition.TableName}"."${index}" WHERE ${where}` })
    const expected = [items.b, items.c, items.a].map(item => pickAttributes(item, 'pk', 'sk', 'group', 'rank', 'kept'))
    await expectEventually(bench, async () => (await select('byGroup', `"group" = '${group.S}'`)).Items, expected)
    await expectEventually(bench, async () => (await select('byGroup', `"group" = '${group.S}' AND rank < 2`)).Items, [
      expected[0],
    ])
    const scanned = await select('byLocal', `pk = '${partition.pk.S}' AND begins_with("local", 'y')`)
    expectEqual(scanned.Items, [items.b])
  },

  'a local index fetches unprojected attributes, and a global index rejects them': async bench => {
    const { partition, group, items } = await sharedIndexedItems(bench)
    const select = (what: string, index: string, where: string, more = {}) =>
      bench.service.executeStatement({
        Statement: `SELECT ${what} FROM "${partition.TableName}"."${index}" WHERE ${where}`,
        ...more,
      })
    const mine = `pk = '${partition.pk.S}'`
    const { Items } = await select('extra', 'byRank', `${mine} AND rank = 1`, { ConsistentRead: true })
    expectEqual(Items, [pickAttributes(items.b, 'extra')])
    await expectValidationError(
      select('extra, kept', 'groupOnly', `"group" = '${group.S}'`),
      'One or more parameter values were invalid: Global secondary index groupOnly does not project [extra, kept]',
    )
    const filter = (index: string) =>
      `One or more parameter values were invalid: Secondary index ${index} does not project ` +
      'one or more filter attributes: [extra]'
    await expectValidationError(select('pk', 'byGroup', `"group" = '${group.S}' AND extra = 'x'`), filter('byGroup'))
    await expectValidationError(select('pk', 'byRank', `${mine} AND NOT extra = 'x'`), filter('byRank'))
    expectEqual((await select('pk', 'byRank', `extra = 'x'`)).Items, [])
    await expectValidationError(
      select('*', 'groupOnly', `"group" = '${group.S}'`, { ConsistentRead: true }),
      'Strongly consistent read is not supported on Global Secondary Indexes',
    )
  },

  'an unknown index and a write to an index are rejected': async bench => {
    const stating = await PartiqlPartition.of(bench, 'composite')
    await expectValidationError(
      stating.execute('SELECT * FROM TABLE."none" WHERE pk = PK'),
      'The table does not have the specified index',
    )
    await expectValidationError(
      stating.execute('SELECT * FROM TABLE."byGroup"."more" WHERE pk = PK'),
      'A path may contain at most 2 components in the FROM clause',
    )
    await expectValidationError(
      stating.execute(`INSERT INTO TABLE."byGroup" VALUE {'pk': PK, 'sk': 'a'}`),
      'FROM clause may only contain a single table name in data manipulation statements',
    )
    const written = 'This operation is not supported on an index'
    await expectValidationError(stating.execute(`UPDATE TABLE."byGroup" SET a = 1 WHERE pk = PK AND sk = 'a'`), written)
    await expectValidationError(stating.execute(`DELETE FROM TABLE."byGroup" WHERE pk = PK AND sk = 'a'`), written)
  },

  'an index with a multi-attribute key cannot be read': async bench => {
    const TableName = await bench.sharedTable('native')
    const place = `"${TableName}"."place"`
    for (const Statement of [
      `SELECT * FROM ${place} WHERE country = 'c' AND "year" = 1`,
      `SELECT * FROM ${place} WHERE pk = 5`,
      `SELECT COUNT(*) FROM ${place}`,
    ])
      await expectValidationError(
        bench.service.executeStatement({ Statement }),
        'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
      )
    expectEqual(
      (await bench.service.executeStatement({ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'none'` })).Items,
      [],
    )
  },
})

/** Cases of the pages, prices and indexes of SELECT. */
export const partiqlReadCases = [...paging, ...capacity, ...indexes]
