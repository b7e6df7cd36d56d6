import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { Entity, Service } from 'electrodb'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { include, list, map, oneOf, open, remove, set, within } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import { layout } from '../../../src/layout/layout.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'
import { graph, integer, node, string } from '../declarations.js'
import { clientOver } from './sdk-client.js'

const TABLE = 'adopted'
const no = integer({ min: 0, max: 999_999 }).optional()
const status = oneOf('Open', 'Done').optional()
const order = node(
  'order',
  {
    user: string(),
    id: string(),
    status,
    no,
    tags: set(string()).optional(),
    lines: list(map({ sku: string(), n: integer() })).optional(),
    address: map({ c: string().optional(), zip: string().optional() }).optional(),
  },
  {
    id: ['user', 'id'],
    by: {
      user: { in: ['user'], order: ['id'] },
      status: { in: ['status'], order: ['no'] },
      no: { in: ['user'], order: ['no', 'id'] },
    },
  },
)
const task = node('task', { id: string(), status, no }, { id: 'id', by: { status: { in: ['status'], order: ['no'] } } })

/** A clustered collection with a scope, keys by template, padded numbers and renamed fields. */
const made = layout(graph('shop', [order, task]), {
  table: { keys: ['pk', 'sk'] },
  indexes: { gsi1: { keys: ['gsi1pk', 'gsi1sk'] }, gsi2: { keys: ['gsi2pk', 'gsi2sk'] } },
  raw: { fold: 'lower' },
  type: { attribute: '__edb_e__', values: { order: 'Order', task: 'Task' } },
  marks: { order: { __edb_v__: '1' }, task: { __edb_v__: '1' } },
  names: { order: { user: 'usr' } },
  keys: {
    order: {
      pk: '$shop#user_{user}',
      sk: '$order_1#id_{id}',
      gsi1pk: '$shop_sc#status_{status}',
      gsi1sk: '$work#no_{no}#order_1',
      gsi2pk: 'u#{user}',
      gsi2sk: 'o#{no}#{id}',
    },
    task: {
      pk: '$shop#id_{id}',
      sk: '$task_1',
      gsi1pk: '$shop_sc#status_{status}',
      gsi1sk: '$work#no_{no}#task_1',
    },
  },
})

function entitiesOn(client: DynamoDBDocumentClient) {
  const text = { type: 'string' } as const
  const number = { type: 'number', padding: { length: 6, char: '0' } } as const
  const states = { type: ['Open', 'Done'] } as const
  const byStatus = {
    index: 'gsi1',
    collection: 'work',
    scope: 'Sc',
    type: 'clustered',
    pk: { field: 'gsi1pk', composite: ['status'] },
    sk: { field: 'gsi1sk', composite: ['no'] },
  } as const
  const orders = new Entity(
    {
      model: { service: 'Shop', entity: 'Order', version: '1' },
      attributes: {
        user: { type: 'string', field: 'usr' },
        id: text,
        status: states,
        no: number,
        tags: { type: 'set', items: 'string' },
        lines: { type: 'list', items: { type: 'map', properties: { sku: text, n: { type: 'number' } } } },
        address: { type: 'map', properties: { city: { type: 'string', field: 'c' }, zip: text } },
        secret: { type: 'string', hidden: true },
      },
      indexes: {
        own: { pk: { field: 'pk', composite: ['user'] }, sk: { field: 'sk', composite: ['id'] } },
        byStatus,
        byNo: {
          index: 'gsi2',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: ElectroDB's own templates look so.
          pk: { field: 'gsi2pk', composite: ['user'], template: 'U#${user}' },
          // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
          sk: { field: 'gsi2sk', composite: ['no', 'id'], template: 'O#${no}#${id}' },
        },
      },
    },
    { client, table: TABLE },
  )
  const tasksOf = (version: string) =>
    new Entity(
      {
        model: { service: 'Shop', entity: 'Task', version },
        attributes: { id: text, status: states, no: number },
        indexes: { own: { pk: { field: 'pk', composite: ['id'] }, sk: { field: 'sk', composite: [] } }, byStatus },
      },
      { client, table: TABLE },
    )
  const tasks = tasksOf('1')
  return { orders, tasks, others: tasksOf('2'), shop: new Service({ orders, tasks }, { client, table: TABLE }) }
}

it('a table of ElectroDB is read, written, verified and updated while ElectroDB uses it', async () => {
  const store = memory()
  await store.createTable(toCreateTableInput(made.design, { table: TABLE }))
  const { orders, tasks, others, shop } = entitiesOn(DynamoDBDocumentClient.from(clientOver(store)))
  const whole = { tags: ['a', 'b'], lines: [{ sku: 's', n: 1 }], address: { city: 'X' }, secret: 'hush' }
  await orders.put({ user: 'Ann', id: 'X1', status: 'Open', no: 7, ...whole }).go()
  await tasks.put({ id: 'T1', status: 'Open', no: 3 }).go()
  await tasks.put({ id: 'T2', status: 'Open', no: 12 }).go()

  const g = await open(made, store, { table: TABLE })
  expect((await verify(g)).faults).toEqual({})
  expect(await g.order.by.user({ user: 'ann' }).all()).toEqual([
    {
      user: 'Ann',
      id: 'X1',
      status: 'Open',
      no: 7,
      ...{ ...whole, secret: undefined },
      tags: new Set(['a', 'b']),
      address: { c: 'X' },
    },
  ])
  // Items that sort between those of another entity are distinguished.
  expect((await g.task.by.status({ status: 'Open' }).all()).map(({ no }) => no)).toEqual([3, 12])
  expect(
    await g.order.by
      .status({ status: 'Open' })
      .where({ no: { from: 4, to: 10 } })
      .count(),
  ).toBe(1)

  await g.order.update({ user: 'Ann', id: 'X1' }, { no: 20, tags: include('c'), address: within({ zip: '1' }) })
  await g.task.update('T1', { status: remove() })
  await g.task.create({ id: 'T3', status: 'Open', no: 5 })
  const { data } = await shop.collections.work({ status: 'Open' }).go()
  expect(data.tasks.map(({ id }) => id)).toEqual(['T3', 'T2'])
  expect(data.orders).toMatchObject([{ id: 'X1', no: 20, tags: ['a', 'b', 'c'], address: { city: 'X', zip: '1' } }])
  const { data: numbered } = await orders.query.byNo({ user: 'Ann' }).gte({ no: 20, id: 'X' }).go()
  expect(numbered.map(({ id }) => id)).toEqual(['X1'])

  await tasks.update({ id: 'T3' }).set({ status: 'Done', no: 6 }).go()
  expect(await g.task.by.status({ status: 'Done' }).all()).toEqual([{ id: 'T3', status: 'Done', no: 6 }])
  await g.task.delete('T3')
  expect((await tasks.get({ id: 'T3' }).go()).data).toBeNull()

  // Another version of an entity has the same mark and other keys.
  await others.put({ id: 'T2', status: 'Done', no: 1 }).go()
  expect((await backfill(made, store, { table: TABLE })).changed).toBe(0)
  expect((await verify(g)).faults).toEqual({ 'item.unknown': 1 })
  expect((await others.get({ id: 'T2' }).go()).data).toEqual({ id: 'T2', status: 'Done', no: 1 })
  const items = (await store.scan({ TableName: TABLE })).Items!
  expect(items.filter(({ secret }) => secret?.S === 'hush')).toHaveLength(1)
})
