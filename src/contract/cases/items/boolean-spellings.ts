import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { type ContractCase, defineCases } from '../../contract-case.js'

/** A string in place of a boolean, which clients never send on their own. */
const spelledValue = (type: 'BOOL' | 'NULL', words: string) => ({ [type]: words }) as unknown as AttributeValue
const spelledFlag = (words: string) => words as unknown as boolean

const TRUE = ['true', 'T', 'Yes', 'y', '1']
const FALSE = ['false', 'F', 'NO', 'n', '0']
const NOT_TRUE = 'One or more parameter values were invalid: Null attribute value types must have the value of true'

const values = defineCases('putItem', {
  'a text that spells a boolean is read as a boolean': async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = { S: bench.unique() }
    for (const words of [...TRUE, ...FALSE]) {
      await bench.put(TableName, { pk, list: { L: [spelledValue('BOOL', words)] } })
      expectEqual(await bench.get(TableName, { pk }), { pk, list: { L: [{ BOOL: TRUE.includes(words) }] } })
    }
    await bench.put(TableName, { pk, none: spelledValue('NULL', 'yes') })
    expectEqual(await bench.get(TableName, { pk }), { pk, none: { NULL: true } })
    for (const words of ['on', '', '2', ' no'])
      await expectRejection(
        bench.put(TableName, { pk, a: spelledValue('BOOL', words) }),
        'SerializationException',
        'Unexpected token received from parser',
      )
  },

  "a request with a text that spells a boolean is rejected in the older validator's words": async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = { S: bench.unique() }
    await expectValidationError(bench.put(TableName, { pk, a: spelledValue('NULL', 'no') }), NOT_TRUE)
    await expectValidationError(
      bench.put(TableName, { pk, a: { N: 'abc' }, b: spelledValue('BOOL', 'no') }),
      'The parameter cannot be converted to a numeric value: abc',
    )
    await expectValidationError(
      bench.put(TableName, { pk, a: { S: 'a', ...spelledValue('BOOL', 'no') } as AttributeValue }),
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    )
    await expectValidationError(
      bench.store.putItem({
        TableName,
        Item: { pk },
        ConditionExpression: 'a = :v',
        ExpressionAttributeValues: { ':v': spelledValue('NULL', 'no') },
      }),
      `ExpressionAttributeValues contains invalid value: ${NOT_TRUE} for key :v`,
    )
  },
})

const members = defineCases('query', {
  'a member of a request can also be a spelled boolean': async bench => {
    const TableName = await bench.sharedTable('compositeN')
    const pk = { S: bench.unique() }
    const items = ['1', '2'].map(N => ({ pk, sk: { N } }))
    await bench.put(TableName, ...items)
    const { Items } = await bench.store.query({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: spelledFlag('Yes'),
      ScanIndexForward: spelledFlag('0'),
    })
    expectEqual(Items, items.toReversed())
  },
})

export const spelledBooleanCases: readonly ContractCase[] = [...values, ...members]
