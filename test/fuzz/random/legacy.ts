import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import type { Chance } from './seeded-random.js'
import { definedParts, type KeyPart, keyParts, PLAIN, type TableShape } from './tables.js'
import { keyValue, numberText, scalar, set, text, value } from './values.js'

const ONE_VALUE = ['EQ', 'NE', 'LT', 'LE', 'GT', 'GE', 'BEGINS_WITH', 'CONTAINS', 'NOT_CONTAINS'] as const

/** Creates a ComparisonOperator with values, mostly of the right number and types. */
function comparison(chance: Chance): Record<string, unknown> {
  if (chance.happens(0.02))
    return { ComparisonOperator: chance.pick(ONE_VALUE), AttributeValueList: chance.several(0, 2, () => value(chance)) }
  return chance.way<Record<string, unknown>>(
    [6, () => listed(chance.pick(ONE_VALUE.slice(0, 6)), [chance.happens(0.8) ? orderable(chance) : value(chance)])],
    [1, () => listed('BEGINS_WITH', [{ S: text(chance) }])],
    [2, () => listed(chance.pick(['CONTAINS', 'NOT_CONTAINS']), [scalar(chance)])],
    [
      1,
      () =>
        listed(
          'IN',
          chance.several(1, 3, () => scalar(chance)),
        ),
    ],
    [1, () => listed('BETWEEN', [{ N: '-1' }, { N: chance.pick(['5', '10']) }])],
    [1, () => ({ ComparisonOperator: chance.pick(['NULL', 'NOT_NULL']) })],
  )
}

const listed = (ComparisonOperator: string, AttributeValueList: AttributeValue[]) => ({
  ComparisonOperator,
  AttributeValueList,
})

const orderable = (chance: Chance): AttributeValue =>
  chance.happens(0.5) ? { N: numberText(chance) } : { S: text(chance) }

function operatorOf(chance: Chance, conditions: object): Record<string, unknown> {
  return chance.happens(Object.keys(conditions).length > 1 ? 0.6 : 0.05)
    ? { ConditionalOperator: chance.pick(['AND', 'OR']) }
    : {}
}

/** Creates QueryFilter or ScanFilter. */
export function legacyFilter(chance: Chance, member: string, names: readonly string[]): Record<string, unknown> {
  const chosen = chance.some(names, 0.3)
  const conditions = Object.fromEntries(
    (chosen.length > 0 ? chosen : [chance.pick(names)]).map(name => [name, comparison(chance)]),
  )
  return { [member]: conditions, ...operatorOf(chance, conditions) }
}

export function expected(chance: Chance, names: readonly string[]): Record<string, unknown> {
  const chosen = chance.some(names, 0.2)
  const conditions = Object.fromEntries(
    (chosen.length > 0 ? chosen : [chance.pick(names)]).map(name => [
      name,
      chance.way<Record<string, unknown>>(
        [3, () => comparison(chance)],
        [2, () => ({ Exists: false })],
        [2, () => ({ Value: scalar(chance), ...chance.maybe(0.5, () => ({ Exists: true })) })],
        [0.1, () => ({ Exists: true })],
      ),
    ]),
  )
  return { Expected: conditions, ...operatorOf(chance, conditions) }
}

export function attributeUpdates(chance: Chance, table: TableShape): Record<string, unknown> {
  const own = new Set(keyParts(table).map(({ name }) => name))
  const indexed = definedParts(table).filter(({ name }) => !own.has(name) || chance.happens(0.01))
  const plain = chance.some(PLAIN, 0.4).map(name => [name, attributeUpdate(chance)])
  const keyed = chance
    .some(indexed, 0.3)
    .map(({ name, type }) => [name, { Action: 'PUT', Value: keyValue(chance, type, 4) }])
  return { AttributeUpdates: Object.fromEntries([...plain, ...keyed]) }
}

function attributeUpdate(chance: Chance): Record<string, unknown> {
  return chance.way<Record<string, unknown>>(
    [4, () => ({ Action: 'PUT', Value: value(chance) })],
    [2, () => ({ Action: 'ADD', Value: chance.happens(0.6) ? { N: numberText(chance) } : set(chance) })],
    [1, () => ({ Action: 'ADD', Value: { L: [value(chance)] } })],
    [2, () => ({ Action: 'DELETE' })],
    [1, () => ({ Action: 'DELETE', Value: set(chance) })],
    [0.2, () => ({ Action: chance.pick(['PUT', 'ADD', 'DELETE']), Value: value(chance) })],
    [0.2, () => ({ Value: value(chance) })],
  )
}

export function legacyKeyConditions(
  chance: Chance,
  partition: readonly KeyPart[],
  sort: readonly KeyPart[],
): Record<string, unknown> {
  const conditions: [string, unknown][] = partition.map(part => [
    part.name,
    listed('EQ', [keyValue(chance, part.type, 3)]),
  ])
  const [first] = sort
  if (first && chance.happens(0.6)) conditions.push([first.name, keyRange(chance, first)])
  return { KeyConditions: Object.fromEntries(conditions) }
}

function keyRange(chance: Chance, { type }: KeyPart): Record<string, unknown> {
  const bound = () => keyValue(chance, type, 9)
  return chance.way<Record<string, unknown>>(
    [4, () => listed(chance.pick(['EQ', 'LT', 'LE', 'GT', 'GE']), [bound()])],
    [2, () => listed('BETWEEN', [bound(), bound()])],
    [1, () => listed('BEGINS_WITH', [type === 'B' ? { B: Uint8Array.of(1) } : { S: 'a' }])],
    [0.1, () => listed(chance.pick(['NE', 'CONTAINS', 'IN', 'NULL']), [bound()])],
  )
}
