import type { AttributeValue, Item, Key, KeyAttributeType } from '../../../src/dynamodb/attribute-value.js'
import type { CreateTableInput, KeySchemaElement } from '../../../src/dynamodb/operation-types.js'
import type { Chance } from './seeded-random.js'
import { attributes, keyValue, scalar } from './values.js'

export interface KeyPart {
  readonly name: string
  readonly type: KeyAttributeType
}

export interface IndexShape {
  readonly name: string
  readonly kind: 'local' | 'global'
  readonly partition: readonly KeyPart[]
  readonly sort: readonly KeyPart[]
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  readonly included: readonly string[]
}

export interface TableShape {
  readonly name: string
  readonly partition: KeyPart
  readonly sort?: KeyPart
  readonly indexes: readonly IndexShape[]
  readonly streamed: boolean
}

/** Attributes that are never part of a key. The last one can only be referenced by an alias. */
export const PLAIN = ['a', 'b', 'c', 'd', 'with.dot'] as const

const TYPES: readonly KeyAttributeType[] = ['S', 'S', 'N', 'B']

export interface TableChoices {
  readonly name: string
  /** Whether index keys may have several attributes. */
  readonly native: boolean
}

export function randomTable(chance: Chance, { name, native }: TableChoices): TableShape {
  const part = (name: string): KeyPart => ({ name, type: chance.pick(TYPES) })
  const partition = part('pk')
  const sort = chance.happens(0.75) ? part('sk') : undefined
  const more = ['k1', 'k2', 'k3', 'k4', 'k5'].map(part)
  const own = sort ? [partition, sort] : [partition]
  const indexes = [
    ...(sort
      ? chance.several(0, 2, i => randomLocal(chance, `local${i}`, partition, chance.pick([sort, ...more])))
      : []),
    ...chance.several(0, 3, i => randomGlobal(chance, `global${i}`, [...own, ...more], native)),
  ]
  return { name, partition, ...(sort && { sort }), indexes, streamed: chance.happens(0.4) }
}

function randomLocal(chance: Chance, name: string, partition: KeyPart, sort: KeyPart): IndexShape {
  return { name, kind: 'local', partition: [partition], sort: [sort], ...randomProjection(chance) }
}

function randomGlobal(chance: Chance, name: string, parts: readonly KeyPart[], native: boolean): IndexShape {
  const several = native && chance.happens(0.4)
  const chosen = chance.shuffled(parts)
  const partitionParts = several ? chance.between(1, 3) : 1
  const sortParts = several ? chance.between(0, 3) : chance.between(0, 1)
  const partition = chosen.slice(0, partitionParts)
  const sort = chosen.slice(partitionParts, partitionParts + sortParts)
  return { name, kind: 'global', partition, sort, ...randomProjection(chance) }
}

function randomProjection(chance: Chance): Pick<IndexShape, 'projection' | 'included'> {
  const projection = chance.pick(['ALL', 'KEYS_ONLY', 'INCLUDE'] as const)
  const included = chance.some(PLAIN, 0.4)
  return { projection, included: projection !== 'INCLUDE' ? [] : included.length > 0 ? included : ['a'] }
}

/** Returns the key attributes of the table. */
export function keyParts({ partition, sort }: TableShape): KeyPart[] {
  return sort ? [partition, sort] : [partition]
}

export function indexParts({ partition, sort }: IndexShape): KeyPart[] {
  return [...partition, ...sort]
}

/** Returns every attribute of any key once. */
export function definedParts(table: TableShape): KeyPart[] {
  const parts = [...keyParts(table), ...table.indexes.flatMap(indexParts)]
  return [...new Map(parts.map(part => [part.name, part])).values()]
}

const element = (KeyType: 'HASH' | 'RANGE') => (part: KeyPart) => ({ AttributeName: part.name, KeyType })

function schemaOf(partition: readonly KeyPart[], sort: readonly KeyPart[]): KeySchemaElement[] {
  return [...partition.map(element('HASH')), ...sort.map(element('RANGE'))]
}

export function definitionOf(table: TableShape): CreateTableInput {
  const { name, partition, sort, indexes, streamed } = table
  const described = (kind: IndexShape['kind']) =>
    indexes
      .filter(index => index.kind === kind)
      .map(index => ({
        IndexName: index.name,
        KeySchema: schemaOf(index.partition, index.sort),
        Projection: {
          ProjectionType: index.projection,
          ...(index.included.length > 0 && { NonKeyAttributes: [...index.included] }),
        },
      }))
  const local = described('local')
  const global = described('global')
  return {
    TableName: name,
    AttributeDefinitions: definedParts(table).map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
    KeySchema: schemaOf([partition], sort ? [sort] : []),
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
    ...(streamed && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } }),
    BillingMode: 'PAY_PER_REQUEST',
  }
}

export function randomKey(chance: Chance, table: TableShape): Key {
  return Object.fromEntries(
    keyParts(table).map((part, i) => [part.name, keyValue(chance, part.type, i === 0 && table.sort ? 3 : 5)]),
  )
}

/** Creates an item with plain attributes and index key attributes, which rarely have an invalid type. */
export function randomItem(chance: Chance, table: TableShape): Item {
  const own = new Set(keyParts(table).map(({ name }) => name))
  const indexed = definedParts(table).filter(({ name }) => !own.has(name))
  const given: [string, AttributeValue][] = chance
    .some(indexed, 0.7)
    .map(({ name, type }) => [name, chance.happens(0.985) ? keyValue(chance, type, 4) : scalar(chance)])
  return { ...randomKey(chance, table), ...Object.fromEntries(given), ...attributes(chance, PLAIN) }
}
