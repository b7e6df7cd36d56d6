import type { QueryInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { sharedIndexedItems } from '../../fixtures/indexed-items.js'
import {
  LONG_NAME,
  LONG_NAME_MESSAGE,
  numericValue,
  readAllItems,
  runScan,
  stringValue,
} from '../../fixtures/test-partition.js'
import { legacyCondition, letterRows, mixedParameters, parameterError, queryLegacy } from './letter-rows.js'

const DUPLICATE_ATTRIBUTE = parameterError('Duplicate value in attribute name: note')

/** Cases of AttributesToGet in every operation that accepts it. */
export const attributesToGetCases = [
  ...defineCases('getItem', {
    'AttributesToGet returns the existing attributes, whole': async bench => {
      const { TableName, pk, store } = await letterRows(bench)
      const get = (...AttributesToGet: string[]) =>
        store.getItem({ TableName, Key: { pk, sk: stringValue('a') }, AttributesToGet })
      expectEqual((await get('note', 'missing')).Item, { note: stringValue('na') })
      expectEqual((await get('missing')).Item, {})
      await expectValidationError(get('note', 'grade', 'note'), DUPLICATE_ATTRIBUTE)
      await expectValidationError(get(''), 'Empty attribute name')
    },

    'AttributesToGet has names of at most 65535 bytes': async bench => {
      const TableName = await bench.sharedTable('hash')
      const request = { TableName, Key: { pk: stringValue(bench.unique()) } }
      await expectValidationError(bench.store.getItem({ ...request, AttributesToGet: [LONG_NAME] }), LONG_NAME_MESSAGE)
    },

    'AttributesToGet together with a projection expression is rejected': async bench => {
      const { TableName, pk, store } = await letterRows(bench)
      const request = {
        TableName,
        Key: { pk, sk: stringValue('a') },
        AttributesToGet: ['note'],
        ProjectionExpression: 'note',
      }
      await expectValidationError(store.getItem(request), mixedParameters('AttributesToGet', 'ProjectionExpression'))
    },
  }),
  ...defineCases('batchGetItem', {
    'AttributesToGet applies to the items of its table': async bench => {
      const { TableName, pk, store } = await letterRows(bench)
      const get = (more: object) =>
        store.batchGetItem({ RequestItems: { [TableName]: { Keys: [{ pk, sk: stringValue('a') }], ...more } } })
      expectEqual((await get({ AttributesToGet: ['grade'] })).Responses, { [TableName]: [{ grade: numericValue(0) }] })
      await expectValidationError(get({ AttributesToGet: ['note', 'note'] }), DUPLICATE_ATTRIBUTE)
      await expectValidationError(
        get({ AttributesToGet: ['note'], ProjectionExpression: 'note' }),
        mixedParameters('AttributesToGet', 'ProjectionExpression'),
      )
    },
  }),
  ...defineCases('query', {
    'AttributesToGet returns whole attributes of the items of a query': async bench => {
      const { Items } = await queryLegacy(bench, legacyCondition('sk', 'EQ', stringValue('a')), {
        AttributesToGet: ['note'],
      })
      expectEqual(Items, [{ note: stringValue('na') }])
      await expectValidationError(queryLegacy(bench, {}, { AttributesToGet: ['note', 'note'] }), DUPLICATE_ATTRIBUTE)
    },

    'AttributesToGet can be combined only with SPECIFIC_ATTRIBUTES': async bench => {
      const select = (Select: NonNullable<QueryInput['Select']>) =>
        queryLegacy(bench, legacyCondition('sk', 'EQ', stringValue('a')), { AttributesToGet: ['note'], Select })
      const refusal = (wanted: string) => `Cannot specify the AttributesToGet when choosing to get ${wanted}`
      expectEqual((await select('SPECIFIC_ATTRIBUTES')).Items, [{ note: stringValue('na') }])
      await expectInvalidRequest(select('COUNT'), refusal('only the Count'))
      await expectInvalidRequest(select('ALL_ATTRIBUTES'), refusal('ALL_ATTRIBUTES'))
    },

    'AttributesToGet with attributes outside a global index is rejected': async bench => {
      const { partition, group } = await sharedIndexedItems(bench)
      const request = {
        TableName: partition.TableName,
        IndexName: 'byGroup',
        KeyConditions: legacyCondition('group', 'EQ', group),
        AttributesToGet: ['sk', 'extra'],
      }
      await expectValidationError(
        bench.store.query(request),
        parameterError('Global secondary index byGroup does not project [extra]'),
      )
    },
  }),
  ...defineCases('scan', {
    'AttributesToGet returns whole attributes of the items of a scan': async bench => {
      const { TableName, pk } = await letterRows(bench)
      const request = {
        TableName,
        ScanFilter: legacyCondition('pk', 'EQ', pk),
        AttributesToGet: ['sk'],
        ConsistentRead: true,
      }
      const items = await readAllItems(start => runScan(bench.store, { ...request, ...start }))
      expectEqual(
        items,
        ['a', 'ab', 'b', 'c'].map(sort => ({ sk: stringValue(sort) })),
      )
    },
  }),
]
