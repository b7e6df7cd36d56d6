import { LIST_TABLES_NAMES } from '../../../dynamodb/limits.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, same } from '../expect.js'

/** The tables that there are at the least. */
function someTables(bench: Bench): Promise<string[]> {
  return Promise.all([bench.table('hash'), bench.table('hashN'), bench.table('hashB')])
}

async function allNames(bench: Bench, Limit?: number): Promise<string[]> {
  const found: string[] = []
  let ExclusiveStartTableName: string | undefined
  do {
    const page = await bench.store.listTables({ Limit, ExclusiveStartTableName })
    if (Limit !== undefined) same(page.TableNames!.length <= Limit, true)
    if (page.LastEvaluatedTableName !== undefined) same(page.TableNames!.at(-1), page.LastEvaluatedTableName)
    found.push(...page.TableNames!)
    ExclusiveStartTableName = page.LastEvaluatedTableName
  } while (ExclusiveStartTableName !== undefined)
  return found
}

export const listTablesCases = cases('listTables', {
  'every table is listed once, in order, whatever the pages': covering(['limit:LIST_TABLES_NAMES'], async bench => {
    const names = await someTables(bench)
    const found = await allNames(bench)
    same(found, [...new Set(found)].toSorted())
    same(
      names.filter(name => !found.includes(name)),
      [],
    )
    same(await allNames(bench, 1), found)
    same(await allNames(bench, 2), found)
    same(await allNames(bench, LIST_TABLES_NAMES), found)
  }),

  'a page begins after a name, which need not be there': async bench => {
    await someTables(bench)
    const [first, second] = await allNames(bench)
    const after = async (ExclusiveStartTableName: string) =>
      (await bench.store.listTables({ ExclusiveStartTableName, Limit: 1 })).TableNames
    same([await after(first!), await after(`${first}-`)], [[second], [second]])
  },

  'a page that ends before the last name says where it ended': async bench => {
    await someTables(bench)
    const [first, second] = await allNames(bench)
    const page = await bench.store.listTables({ Limit: 2 })
    same([page.TableNames, page.LastEvaluatedTableName], [[first, second], second])
  },

  'the last page says that there are no more': async bench => {
    await someTables(bench)
    const found = await allNames(bench)
    const page = await bench.store.listTables({ ExclusiveStartTableName: found.at(-2)! })
    same([page.TableNames, 'LastEvaluatedTableName' in page], [found.slice(-1), false])
  },

  'no page comes after the last name': async bench => {
    await someTables(bench)
    const page = await bench.store.listTables({ ExclusiveStartTableName: (await allNames(bench)).at(-1)! })
    same([page.TableNames, 'LastEvaluatedTableName' in page], [[], false])
  },

  'a page of more than 100 names is refused': covering(['limit:LIST_TABLES_NAMES'], async bench => {
    await invalid(
      bench.store.listTables({ Limit: LIST_TABLES_NAMES + 1 }),
      "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less " +
        'than or equal to 100',
    )
  }),
})
