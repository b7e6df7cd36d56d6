import { condition } from './conditions.js'
import { attributeUpdates, expected } from './legacy.js'
import { type Call, capacityAsked, type Ground } from './operation.js'
import { Placeholders } from './placeholders.js'
import { projection } from './projections.js'
import type { Chance } from './seeded-random.js'
import { definedParts, keyParts, PLAIN, randomItem, randomKey, type TableShape } from './tables.js'
import { update } from './updates.js'
import { badValue, scalar } from './values.js'

type Members = Record<string, unknown>

export const namesOf = (table: TableShape) => [...PLAIN, ...definedParts(table).map(({ name }) => name)]

/** Creates a key, which is rarely invalid. */
export function keyOf(chance: Chance, table: TableShape): Members {
  const key: Members = randomKey(chance, table)
  if (chance.happens(0.98)) return key
  const { name } = chance.pick(keyParts(table))
  return chance.way<Members>(
    [1, () => ({ ...key, [name]: scalar(chance) })],
    [1, () => ({ ...key, [name]: badValue(chance) })],
    [1, () => ({ ...key, a: scalar(chance) })],
    [1, () => Object.fromEntries(Object.entries(key).filter(([each]) => each !== name))],
  )
}

/** Creates an item, which is rarely invalid. */
export function itemOf(chance: Chance, table: TableShape): Members {
  const item: Members = randomItem(chance, table)
  if (chance.happens(0.97)) return item
  return chance.way<Members>(
    [2, () => ({ ...item, ...keyOf(chance, table) })],
    [2, () => ({ ...item, a: badValue(chance) })],
    [1, () => ({ ...item, big: { S: 'x'.repeat(chance.pick([5_000, 50_000])) } })],
  )
}

/** Adds a condition to a write, mostly as an expression or as legacy parameters. */
function conditioned(to: Placeholders, table: TableShape, probability: number): Members {
  const { chance } = to
  if (!chance.happens(probability)) return {}
  return chance.happens(0.8) ? { ConditionExpression: condition(to, namesOf(table)) } : expected(chance, namesOf(table))
}

function reportOptions(ground: Ground): Members {
  const { chance } = ground
  return {
    ...capacityAsked(ground),
    ...chance.maybe(0.1, () => ({ ReturnItemCollectionMetrics: 'SIZE' })),
    ...chance.maybe(0.3, () => ({ ReturnValuesOnConditionCheckFailure: chance.pick(['ALL_OLD', 'NONE']) })),
  }
}

export function putItem(ground: Ground): Call {
  const { chance } = ground
  const table = chance.pick(ground.tables)
  const to = new Placeholders(chance)
  const conditions = conditioned(to, table, 0.35)
  const ReturnValues = chance.pick(chance.happens(0.98) ? ['ALL_OLD', 'NONE'] : ['ALL_NEW', 'UPDATED_OLD'])
  return {
    operation: 'putItem',
    request: {
      TableName: table.name,
      Item: itemOf(chance, table),
      ...conditions,
      ...to.members,
      ...chance.maybe(0.4, () => ({ ReturnValues })),
      ...reportOptions(ground),
    },
  }
}

export function deleteItem(ground: Ground): Call {
  const { chance } = ground
  const table = chance.pick(ground.tables)
  const to = new Placeholders(chance)
  const conditions = conditioned(to, table, 0.4)
  const ReturnValues = chance.pick(chance.happens(0.98) ? ['ALL_OLD', 'NONE'] : ['ALL_NEW', 'UPDATED_OLD'])
  return {
    operation: 'deleteItem',
    request: {
      TableName: table.name,
      Key: keyOf(chance, table),
      ...conditions,
      ...to.members,
      ...chance.maybe(0.4, () => ({ ReturnValues })),
      ...reportOptions(ground),
    },
  }
}

export function updateItem(ground: Ground): Call {
  const { chance } = ground
  const table = chance.pick(ground.tables)
  const to = new Placeholders(chance)
  const legacy = chance.happens(0.15)
  const change = legacy ? attributeUpdates(chance, table) : { UpdateExpression: update(to, table) }
  const conditions = legacy
    ? chance.maybe(0.3, () => expected(chance, namesOf(table)))
    : chance.maybe(0.3, () => ({ ConditionExpression: condition(to, namesOf(table)) }))
  const ReturnValues = chance.pick(['ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE'])
  return {
    operation: 'updateItem',
    request: {
      TableName: table.name,
      Key: keyOf(chance, table),
      ...change,
      ...conditions,
      ...to.members,
      ...chance.maybe(0.6, () => ({ ReturnValues })),
      ...reportOptions(ground),
    },
  }
}

export function getItem(ground: Ground): Call {
  const { chance } = ground
  const table = chance.pick(ground.tables)
  const to = new Placeholders(chance)
  return {
    operation: 'getItem',
    request: {
      TableName: table.name,
      Key: keyOf(chance, table),
      ...projected(to, table),
      ...to.members,
      ...chance.maybe(0.5, () => ({ ConsistentRead: chance.happens(0.7) })),
      ...capacityAsked(ground),
    },
  }
}

/** Adds a projection to a read. */
export function projected(to: Placeholders, table: TableShape): Members {
  const { chance } = to
  return chance.way<Members>(
    [5, () => ({})],
    [4, () => ({ ProjectionExpression: projection(to, namesOf(table)) })],
    [1, () => ({ AttributesToGet: chance.several(1, 3, () => chance.pick(namesOf(table))) })],
  )
}
