import { condition } from './conditions.js'
import { keyOf, namesOf } from './item-operations.js'
import { keyCondition } from './key-conditions.js'
import { legacyFilter, legacyKeyConditions } from './legacy.js'
import { type Call, capacityAsked, type Ground } from './operation.js'
import { Placeholders } from './placeholders.js'
import { projection } from './projections.js'
import type { Chance } from './seeded-random.js'
import { type IndexShape, indexParts, type KeyPart, keyParts, PLAIN, type TableShape } from './tables.js'
import { keyValue } from './values.js'

type Members = Record<string, unknown>

const SELECTS = ['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'COUNT', 'SPECIFIC_ATTRIBUTES']

function chosenIndex(chance: Chance, table: TableShape): IndexShape | undefined {
  return table.indexes.length > 0 && chance.happens(0.6) ? chance.pick(table.indexes) : undefined
}

/** Returns the attributes that a read of an index can see, in most cases. */
function visible(chance: Chance, table: TableShape, index: IndexShape | undefined): string[] {
  if (!index || index.projection === 'ALL' || chance.happens(0.1)) return namesOf(table)
  const keys = [...keyParts(table), ...indexParts(index)].map(({ name }) => name)
  return [...new Set([...keys, ...index.included])]
}

/** Creates the options of a query or scan: projection, limit and start key. */
function reading(to: Placeholders, table: TableShape, index: IndexShape | undefined): Members {
  const { chance } = to
  const asked = chance.way<Members>(
    [6, () => ({})],
    [3, () => ({ ProjectionExpression: projection(to, visible(chance, table, index)) })],
    [1, () => ({ AttributesToGet: chance.some(visible(chance, table, index), 0.4) })],
  )
  return {
    ...(index && { IndexName: chance.happens(0.995) ? index.name : 'none' }),
    ...asked,
    ...chance.maybe(0.15, () => ({ Select: chance.pick(SELECTS) })),
    ...chance.maybe(0.3, () => ({ Limit: chance.happens(0.99) ? chance.pick([1, 2, 3, 5, 8]) : 0 })),
    ...chance.maybe(0.2, () => ({ ConsistentRead: index?.kind === 'global' ? chance.happens(0.1) : true })),
    ...chance.maybe(0.06, () => ({ ExclusiveStartKey: startKey(chance, table, index) })),
  }
}

function startKey(chance: Chance, table: TableShape, index: IndexShape | undefined): Members {
  const parts = index ? indexParts(index) : []
  const given = parts.map(part => [part.name, keyValue(chance, part.type, 3)])
  return { ...Object.fromEntries(given), ...keyOf(chance, table) }
}

/** Returns attributes for a filter, mostly without the key attributes of the read. */
function filtered(chance: Chance, table: TableShape, keys: readonly KeyPart[]): string[] {
  const refused = new Set(chance.happens(0.02) ? [] : keys.map(({ name }) => name))
  return namesOf(table).filter(name => !refused.has(name))
}

export function query(ground: Ground): Call {
  const { chance } = ground
  const table = chance.pick(ground.tables)
  const index = chosenIndex(chance, table)
  const partition = index?.partition ?? [table.partition]
  const sort = index?.sort ?? (table.sort ? [table.sort] : [])
  const to = new Placeholders(chance)
  const legacy = chance.happens(0.12)
  const names = filtered(chance, table, [...partition, ...sort])
  const found = legacy
    ? {
        ...legacyKeyConditions(chance, partition, sort),
        ...chance.maybe(0.4, () => legacyFilter(chance, 'QueryFilter', names)),
      }
    : {
        KeyConditionExpression: keyCondition(to, partition, sort),
        ...chance.maybe(0.35, () => ({ FilterExpression: condition(to, names) })),
      }
  const options = legacy ? legacyOptions(reading(new Placeholders(chance), table, index)) : reading(to, table, index)
  return {
    operation: 'query',
    request: {
      TableName: table.name,
      ...found,
      ...options,
      ...to.members,
      ...chance.maybe(0.4, () => ({ ScanIndexForward: chance.happens(0.3) })),
      ...capacityAsked(ground),
    },
  }
}

/** Removes the options that cannot be combined with legacy parameters. */
function legacyOptions({ ProjectionExpression, ...options }: Members): Members {
  return ProjectionExpression === undefined ? options : { ...options, AttributesToGet: [...PLAIN.slice(0, 3)] }
}

export function scan(ground: Ground): Call {
  const { chance } = ground
  const table = chance.pick(ground.tables)
  const index = chosenIndex(chance, table)
  const to = new Placeholders(chance)
  const legacy = chance.happens(0.15)
  const filter = legacy
    ? legacyFilter(chance, 'ScanFilter', namesOf(table))
    : chance.maybe(0.5, () => ({ FilterExpression: condition(to, namesOf(table)) }))
  const options = legacy ? legacyOptions(reading(new Placeholders(chance), table, index)) : reading(to, table, index)
  const TotalSegments = chance.between(1, 4)
  return {
    operation: 'scan',
    request: {
      TableName: table.name,
      ...filter,
      ...options,
      ...to.members,
      ...chance.maybe(0.1, () => ({
        TotalSegments,
        Segment: chance.happens(0.97) ? chance.below(TotalSegments) : TotalSegments,
      })),
      ...capacityAsked(ground),
    },
  }
}
