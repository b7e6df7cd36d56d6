import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { defined, index, key, request } from '../tables.js'

it('a failed statement of a batch has a table name only if it reached its item', async () => {
  const store = memory()
  const indexes = {
    AttributeDefinitions: defined('pk', 'other'),
    GlobalSecondaryIndexes: [index('byOther', key('other'))],
  }
  await store.createTable(request(indexes))
  await store.putItem({ TableName: 'Orders', Item: { pk: { S: 'a' }, text: { S: 'x' }, num: { N: '1' } } })
  const errorsOf = async (Statement: string) =>
    (await store.batchExecuteStatement({ Statements: [{ Statement }] })).Responses!.map(response => [
      response.TableName,
      response.Error?.Code,
      response.Error?.Message,
    ])
  const failures: [statement: string, message: RegExp, table: string | undefined][] = [
    [`UPDATE Orders SET text = text + 1 WHERE pk = 'a'`, /^An operand in the update expression has an inc/, 'Orders'],
    [`UPDATE Orders SET text = set_add(text, <<1>>) WHERE pk = 'a'`, /^An operand in the update exp/, 'Orders'],
    [`UPDATE Orders SET n = none + 1 WHERE pk = 'a'`, /^The provided expression refers to an attrib/, 'Orders'],
    [`UPDATE Orders SET text.n = 1 WHERE pk = 'a'`, /^The document path provided in the update exp/, 'Orders'],
    [`UPDATE Orders SET other = num WHERE pk = 'a'`, /the secondary index key to unsupported type$/, 'Orders'],
    [`UPDATE Orders SET t = set_add(text, <<1>>) WHERE pk = 'a'`, /^The first argument to SET_ADD must eq/, undefined],
    [`UPDATE Orders SET n = 1 WHERE text = 'x'`, /^Where clause does not contain a mandatory eq/, undefined],
    [`UPDATE Orders SET n = 1 WHERE pk = 1`, /^Key attribute's data type should match/, undefined],
    [`INSERT INTO Orders VALUE {'pk': ''}`, /cannot contain an empty string value\. Key: pk$/, undefined],
  ]
  for (const [statement, message, table] of failures)
    expect(await errorsOf(statement)).toEqual([[table, 'ValidationError', expect.stringMatching(message)]])
})
