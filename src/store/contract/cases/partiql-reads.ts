import { NEXT_TOKEN_CHARACTERS } from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { invalid, invalidRequest, same } from '../expect.js'
import { indexed, only } from './indexed.js'
import { fixture, number, settles, text } from './reading.js'
import { Stating } from './stating.js'

const rows = fixture(bench =>
  Stating.of(
    bench,
    'compositeN',
    ...[1, 2, 3, 4, 5].map(sort => ({ sk: number(sort), even: { BOOL: sort % 2 === 0 } })),
  ),
)

const paging = cases('executeStatement', {
  'Limit counts what is looked at, and NextToken goes on from there': async bench => {
    const stating = await rows(bench)
    const words = 'SELECT sk FROM TABLE WHERE pk = PK AND even = true'
    const seen: unknown[] = []
    let NextToken: string | undefined
    for (let page = 0; page === 0 || NextToken !== undefined; page++) {
      const answer = await stating.run(words, undefined, {
        Limit: 2,
        ConsistentRead: true,
        ...(NextToken && { NextToken }),
      })
      seen.push(answer.Items!.map(item => item.sk!.N))
      NextToken = answer.NextToken
    }
    same(seen, [['2'], ['4'], []])
  },

  'NextToken goes on in either direction, and over several partitions': async bench => {
    const stating = await rows(bench)
    const other = await Stating.of(bench, 'compositeN', { sk: number(7) }, { sk: number(8) })
    for (const words of [
      'SELECT sk FROM TABLE WHERE pk = PK ORDER BY sk DESC',
      `SELECT sk FROM TABLE WHERE pk IN [PK, '${other.pk}']`,
      `SELECT sk FROM TABLE WHERE pk IN [PK, '${other.pk}'] ORDER BY pk DESC, sk DESC`,
    ]) {
      const whole = await stating.select(words)
      const found: unknown[] = []
      let NextToken: string | undefined
      do {
        const page = await stating.run(words, undefined, {
          Limit: 2,
          ConsistentRead: true,
          ...(NextToken && { NextToken }),
        })
        found.push(...page.Items!)
        NextToken = page.NextToken
      } while (NextToken !== undefined)
      same(found, whole)
    }
  },

  'NextToken is for its own statement and parameters': covering(['limit:NEXT_TOKEN_CHARACTERS'], async bench => {
    const stating = await rows(bench)
    const words = 'SELECT sk FROM TABLE WHERE pk = PK AND sk > ?'
    const { NextToken } = await stating.run(words, [number(1)], { Limit: 1 })
    if (!NextToken || NextToken.length > NEXT_TOKEN_CHARACTERS) throw new Error(`the token is ${NextToken}`)
    const mismatch = 'NextToken does not match request'
    await invalid(stating.run(words, [number(2)], { NextToken }), mismatch)
    await invalid(stating.run('SELECT pk FROM TABLE WHERE pk = PK AND sk > ?', [number(1)], { NextToken }), mismatch)
    await invalid(stating.run(words, [number(1)], { NextToken: 'nonsense' }), 'Invalid NextToken')
  }),

  'a Limit is at least one': async bench => {
    const stating = await rows(bench)
    await invalidRequest(
      stating.run('SELECT * FROM TABLE WHERE pk = PK', undefined, { Limit: 0 }),
      "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    )
  },
})

const capacity = cases('executeStatement', {
  'a statement costs what its operation costs': async bench => {
    const stating = await Stating.of(bench, 'composite', { sk: text('a') })
    const { TableName } = stating
    const cost = async (words: string, more = {}) =>
      (await stating.run(words, undefined, { ReturnConsumedCapacity: 'TOTAL', ...more })).ConsumedCapacity
    same(await cost('SELECT * FROM TABLE WHERE pk = PK'), { TableName, CapacityUnits: 0.5 })
    same(await cost('SELECT * FROM TABLE WHERE pk = PK', { ConsistentRead: true }), { TableName, CapacityUnits: 1 })
    same(await cost(`SELECT * FROM TABLE WHERE pk = PK AND sk = 'none'`), { TableName, CapacityUnits: 0.5 })
    same(await cost(`UPDATE TABLE SET n = 1 WHERE pk = PK AND sk = 'a'`), { TableName, CapacityUnits: 2 })
    same(await stating.run(`DELETE FROM TABLE WHERE pk = PK AND sk = 'a'`), { Items: [] })
  },

  'a statement tells what the indexes took': async bench => {
    const stating = await Stating.of(bench, 'composite')
    const insert = `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 'a', 'local': 'x'}`
    same((await stating.run(insert, undefined, { ReturnConsumedCapacity: 'INDEXES' })).ConsumedCapacity, {
      TableName: stating.TableName,
      CapacityUnits: 3,
      Table: { CapacityUnits: 1 },
      LocalSecondaryIndexes: { byLocal: { CapacityUnits: 1 } },
      GlobalSecondaryIndexes: { inverted: { CapacityUnits: 1 } },
    })
  },
})

const indexes = cases('executeStatement', {
  'SELECT reads an index, by its key or whole': async bench => {
    const { partition, group, items } = await indexed(bench)
    const select = (index: string, where: string) =>
      bench.service.executeStatement({ Statement: `SELECT * FROM "${partition.TableName}"."${index}" WHERE ${where}` })
    const expected = [items.b, items.c, items.a].map(item => only(item, 'pk', 'sk', 'group', 'rank', 'kept'))
    await settles(bench, async () => (await select('byGroup', `"group" = '${group.S}'`)).Items, expected)
    await settles(bench, async () => (await select('byGroup', `"group" = '${group.S}' AND rank < 2`)).Items, [
      expected[0],
    ])
    const scanned = await select('byLocal', `pk = '${partition.pk.S}' AND begins_with("local", 'y')`)
    same(scanned.Items, [items.b])
  },

  'a local index fetches what it does not have, a global one refuses': async bench => {
    const { partition, group, items } = await indexed(bench)
    const select = (what: string, index: string, where: string, more = {}) =>
      bench.service.executeStatement({
        Statement: `SELECT ${what} FROM "${partition.TableName}"."${index}" WHERE ${where}`,
        ...more,
      })
    const mine = `pk = '${partition.pk.S}'`
    const { Items } = await select('extra', 'byRank', `${mine} AND rank = 1`, { ConsistentRead: true })
    same(Items, [only(items.b, 'extra')])
    await invalid(
      select('extra, kept', 'groupOnly', `"group" = '${group.S}'`),
      'One or more parameter values were invalid: Global secondary index groupOnly does not project [extra, kept]',
    )
    const filter = (index: string) =>
      `One or more parameter values were invalid: Secondary index ${index} does not project ` +
      'one or more filter attributes: [extra]'
    await invalid(select('pk', 'byGroup', `"group" = '${group.S}' AND extra = 'x'`), filter('byGroup'))
    await invalid(select('pk', 'byRank', `${mine} AND NOT extra = 'x'`), filter('byRank'))
    same((await select('pk', 'byRank', `extra = 'x'`)).Items, [])
    await invalid(
      select('*', 'groupOnly', `"group" = '${group.S}'`, { ConsistentRead: true }),
      'Strongly consistent read is not supported on Global Secondary Indexes',
    )
  },

  'an index is one of the table, and is only read': async bench => {
    const stating = await Stating.of(bench, 'composite')
    await invalid(
      stating.run('SELECT * FROM TABLE."none" WHERE pk = PK'),
      'The table does not have the specified index',
    )
    await invalid(
      stating.run('SELECT * FROM TABLE."byGroup"."more" WHERE pk = PK'),
      'A path may contain at most 2 components in the FROM clause',
    )
    await invalid(
      stating.run(`INSERT INTO TABLE."byGroup" VALUE {'pk': PK, 'sk': 'a'}`),
      'FROM clause may only contain a single table name in data manipulation statements',
    )
    const written = 'This operation is not supported on an index'
    await invalid(stating.run(`UPDATE TABLE."byGroup" SET a = 1 WHERE pk = PK AND sk = 'a'`), written)
    await invalid(stating.run(`DELETE FROM TABLE."byGroup" WHERE pk = PK AND sk = 'a'`), written)
  },

  'an index whose key has several attributes in a part is not read': async bench => {
    const TableName = await bench.table('native')
    const place = `"${TableName}"."place"`
    for (const Statement of [
      `SELECT * FROM ${place} WHERE country = 'c' AND "year" = 1`,
      `SELECT * FROM ${place} WHERE pk = 5`,
      `SELECT COUNT(*) FROM ${place}`,
    ])
      await invalid(
        bench.service.executeStatement({ Statement }),
        'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
      )
    same(
      (await bench.service.executeStatement({ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'none'` })).Items,
      [],
    )
  },
})

/** Pages, prices and indexes of SELECT. */
export const partiqlReadCases = [...paging, ...capacity, ...indexes]
