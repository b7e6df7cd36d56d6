import { LIST_TABLES_NAMES } from '../../../dynamodb/limits.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import type { TestBench } from '../../test-bench.js'

/** The minimum number of existing tables. */
function createSomeTables(bench: TestBench): Promise<string[]> {
  return Promise.all([bench.sharedTable('hash'), bench.sharedTable('hashN'), bench.sharedTable('hashB')])
}

async function listAllNames(bench: TestBench, Limit?: number): Promise<string[]> {
  const found: string[] = []
  let ExclusiveStartTableName: string | undefined
  do {
    const page = await bench.store.listTables({ Limit, ExclusiveStartTableName })
    if (Limit !== undefined) expectEqual(page.TableNames!.length <= Limit, true)
    if (page.LastEvaluatedTableName !== undefined) expectEqual(page.TableNames!.at(-1), page.LastEvaluatedTableName)
    found.push(...page.TableNames!)
    ExclusiveStartTableName = page.LastEvaluatedTableName
  } while (ExclusiveStartTableName !== undefined)
  return found
}

export const listTablesCases = defineCases('listTables', {
  'every table is listed once and in order, for any page size': withCoverage(
    ['limit:LIST_TABLES_NAMES'],
    async bench => {
      const names = await createSomeTables(bench)
      const found = await listAllNames(bench)
      expectEqual(found, [...new Set(found)].toSorted())
      expectEqual(
        names.filter(name => !found.includes(name)),
        [],
      )
      expectEqual(await listAllNames(bench, 1), found)
      expectEqual(await listAllNames(bench, 2), found)
      expectEqual(await listAllNames(bench, LIST_TABLES_NAMES), found)
    },
  ),

  'a page begins after a name, which can be that of a missing table': async bench => {
    await createSomeTables(bench)
    const [first, second] = await listAllNames(bench)
    const after = async (ExclusiveStartTableName: string) =>
      (await bench.store.listTables({ ExclusiveStartTableName, Limit: 1 })).TableNames
    expectEqual([await after(first!), await after(`${first}-`)], [[second], [second]])
  },

  'a page that ends before the last name returns its last name': async bench => {
    await createSomeTables(bench)
    const [first, second] = await listAllNames(bench)
    const page = await bench.store.listTables({ Limit: 2 })
    expectEqual([page.TableNames, page.LastEvaluatedTableName], [[first, second], second])
  },

  'the last page returns no last name': async bench => {
    await createSomeTables(bench)
    const found = await listAllNames(bench)
    const page = await bench.store.listTables({ ExclusiveStartTableName: found.at(-2)! })
    expectEqual([page.TableNames, 'LastEvaluatedTableName' in page], [found.slice(-1), false])
  },

  'the page after the last name is empty': async bench => {
    await createSomeTables(bench)
    const page = await bench.store.listTables({ ExclusiveStartTableName: (await listAllNames(bench)).at(-1)! })
    expectEqual([page.TableNames, 'LastEvaluatedTableName' in page], [[], false])
  },

  'a page of more than 100 names is rejected': withCoverage(['limit:LIST_TABLES_NAMES'], async bench => {
    await expectValidationError(
      bench.store.listTables({ Limit: LIST_TABLES_NAMES + 1 }),
      "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less " +
        'than or equal to 100',
    )
  }),
})
