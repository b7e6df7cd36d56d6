import { ITEM_BYTES, TRANSACT_BYTES, TRANSACT_ITEMS } from '../../../dynamodb/limits.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, fillItem } from '../../fixtures/sized-items.js'

export const transactWriteCases = defineCases('transactWriteItems', {
  'puts, updates, deletes and condition checks apply together': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [put, update, gone, checked] = ['p', 'u', 'd', 'c'].map(name => ({ pk: { S: bench.unique(name) } }))
    await bench.put(TableName, { ...put!, old: { S: 'old' } }, { ...update!, n: { N: '1' } }, gone!, checked!)
    const answer = await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName, Item: { ...put!, next: { S: 'new' } } } },
        {
          Update: {
            ...{ TableName, Key: update!, UpdateExpression: 'SET #n = #n + :one ADD tags :tags' },
            ExpressionAttributeNames: { '#n': 'n' },
            ExpressionAttributeValues: { ':one': { N: '1' }, ':tags': { SS: ['a'] } },
          },
        },
        { Delete: { TableName, Key: gone! } },
        { ConditionCheck: { TableName, Key: checked!, ConditionExpression: 'attribute_exists(pk)' } },
      ],
    })
    expectEqual(['ConsumedCapacity' in answer, 'ItemCollectionMetrics' in answer], [false, false])
    expectEqual(await bench.get(TableName, put!), { ...put!, next: { S: 'new' } })
    expectEqual(await bench.get(TableName, update!), { ...update!, n: { N: '2' }, tags: { SS: ['a'] } })
    expectEqual(await bench.get(TableName, gone!), undefined)
    expectEqual(await bench.get(TableName, checked!), checked!)
  },

  'names and values of a put or a delete without a condition are ignored': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [put, gone] = ['p', 'd'].map(name => ({ pk: { S: bench.unique(name) } }))
    await bench.put(TableName, gone!)
    const ExpressionAttributeNames = { '#n': 'n' }
    const ExpressionAttributeValues = { ':v': { N: '1' } }
    await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName, Item: put!, ExpressionAttributeNames, ExpressionAttributeValues } },
        { Delete: { TableName, Key: gone!, ExpressionAttributeNames, ExpressionAttributeValues } },
      ],
    })
    expectEqual(await bench.get(TableName, put!), put!)
    expectEqual(await bench.get(TableName, gone!), undefined)
  },

  'actions on several tables apply together': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
    const pk = { S: bench.unique() }
    await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName: text, Item: { pk } } },
        { Put: { TableName: number, Item: { pk, sk: { N: '1' } } } },
      ],
    })
    expectEqual(await bench.get(text, { pk }), { pk })
    expectEqual(await bench.get(number, { pk, sk: { N: '1' } }), { pk, sk: { N: '1' } })
  },

  'an update creates a missing item, and a delete of a missing item succeeds': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [made, absent] = [{ pk: { S: bench.unique() } }, { pk: { S: bench.unique() } }]
    await bench.store.transactWriteItems({
      TransactItems: [
        {
          Update: {
            ...{ TableName, Key: made, UpdateExpression: 'SET a = if_not_exists(a, :a)' },
            ExpressionAttributeValues: { ':a': { N: '1' } },
          },
        },
        { Delete: { TableName, Key: absent } },
      ],
    })
    expectEqual(await bench.get(TableName, made), { ...made, a: { N: '1' } })
  },

  'every kind of action applies if its condition holds': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [put, update, gone, fresh] = ['p', 'u', 'd', 'f'].map(name => ({ pk: { S: bench.unique(name) } }))
    await bench.put(TableName, { ...put!, v: { N: '1' } }, { ...update!, v: { N: '1' } }, { ...gone!, v: { N: '1' } })
    const holding = { TableName, ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': { N: '1' } } }
    await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { ...holding, Item: put! } },
        { Update: { ...holding, Key: update!, UpdateExpression: 'REMOVE v' } },
        { Delete: { ...holding, Key: gone! } },
        { Put: { TableName, Item: fresh!, ConditionExpression: 'attribute_not_exists(pk)' } },
      ],
    })
    expectEqual(await Promise.all([put!, update!, gone!, fresh!].map(key => bench.get(TableName, key))), [
      put,
      update,
      undefined,
      fresh,
    ])
  },

  'a condition check can require a missing item': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [made, absent] = [{ pk: { S: bench.unique() } }, { pk: { S: bench.unique() } }]
    await bench.store.transactWriteItems({
      TransactItems: [
        { ConditionCheck: { TableName, Key: absent, ConditionExpression: 'attribute_not_exists(pk)' } },
        { Put: { TableName, Item: made } },
      ],
    })
    expectEqual([await bench.get(TableName, made), await bench.get(TableName, absent)], [made, undefined])
  },

  'indexes reflect the writes': async bench => {
    const TableName = await bench.sharedTable('composite')
    const [pk, group] = [{ S: bench.unique() }, { S: bench.unique('group') }]
    await bench.put(TableName, { pk, sk: { S: 'a' }, group }, { pk, sk: { S: 'b' }, group })
    await bench.store.transactWriteItems({
      TransactItems: [
        { Update: { TableName, Key: { pk, sk: { S: 'a' } }, UpdateExpression: 'SET kept = pk' } },
        { Delete: { TableName, Key: { pk, sk: { S: 'b' } } } },
        { Put: { TableName, Item: { pk, sk: { S: 'c' }, group } } },
      ],
    })
    await bench.eventually(async () => {
      const { Items } = await bench.store.query({
        TableName,
        IndexName: 'groupOnly',
        KeyConditionExpression: '#group = :group',
        ExpressionAttributeNames: { '#group': 'group' },
        ExpressionAttributeValues: { ':group': group },
      })
      const found = Items!.toSorted((a, b) => (a.sk!.S! < b.sk!.S! ? -1 : 1))
      expectEqual(found, [
        { pk, sk: { S: 'a' }, group },
        { pk, sk: { S: 'c' }, group },
      ])
    })
  },

  'a transaction takes 100 actions': withCoverage(['limit:TRANSACT_ITEMS'], async bench => {
    const TableName = await bench.sharedTable('compositeN')
    const pk = { S: bench.unique() }
    await bench.store.transactWriteItems({
      TransactItems: createMany(TRANSACT_ITEMS, index => ({ Put: { TableName, Item: { pk, sk: { N: `${index}` } } } })),
    })
    const { Count } = await bench.store.query({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    })
    expectEqual(Count, TRANSACT_ITEMS)
  }),

  'more than 100 actions are rejected': withCoverage(['limit:TRANSACT_ITEMS'], async bench => {
    const TableName = await bench.sharedTable('compositeN')
    const pk = { S: bench.unique() }
    await expectValidationError(
      bench.store.transactWriteItems({
        TransactItems: createMany(TRANSACT_ITEMS + 1, index => ({
          Put: { TableName, Item: { pk, sk: { N: `${index}` } } },
        })),
      }),
      /^1 validation error detected: Value '\[.+\]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/s,
    )
    expectEqual(await bench.get(TableName, { pk, sk: { N: '0' } }), undefined)
  }),

  'items of 4 MB together are written': withCoverage(['limit:TRANSACT_BYTES'], async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    const whole = Math.floor(TRANSACT_BYTES / ITEM_BYTES)
    const sizes = [...createMany(whole, () => ITEM_BYTES), TRANSACT_BYTES - whole * ITEM_BYTES]
    const items = sizes.map((sizeBytes, index) => fillItem({ pk: { S: `${pk}-${index}` } }, sizeBytes))
    await bench.store.transactWriteItems({ TransactItems: items.map(Item => ({ Put: { TableName, Item } })) })
    for (const item of items) expectEqual(await bench.get(TableName, { pk: item.pk! }), item)
  }),

  'items of more than 4 MB together are rejected': withCoverage(['limit:TRANSACT_BYTES'], async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    const whole = Math.floor(TRANSACT_BYTES / ITEM_BYTES)
    const sizes = [...createMany(whole, () => ITEM_BYTES), TRANSACT_BYTES - whole * ITEM_BYTES + 1]
    const items = sizes.map((sizeBytes, index) => fillItem({ pk: { S: `${pk}-${index}` } }, sizeBytes))
    await expectValidationError(
      bench.store.transactWriteItems({ TransactItems: items.map(Item => ({ Put: { TableName, Item } })) }),
      /^Transaction payload size cannot exceed 4MB\. Payload Size: /,
    )
    expectEqual(await bench.get(TableName, { pk: items[0]!.pk! }), undefined)
  }),
})
