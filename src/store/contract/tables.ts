import type { KeyAttributeType } from '../../dynamodb/attribute-value.js'
import type { CreateTableRequest } from '../../dynamodb/operations/tables.js'

/**
 * The tables that cases share:
 * - `hash`, `hashN`, `hashB`: a partition key `pk` of each type;
 * - `composite`: `pk` and `sk`, with two local and three global indexes;
 * - `compositeN`, `compositeB`: `pk`, and `sk` of the other types;
 * - `native`: a global index whose key has several attributes.
 */
export type SharedTable = 'hash' | 'hashN' | 'hashB' | 'composite' | 'compositeN' | 'compositeB' | 'native'

type Definition = Omit<CreateTableRequest, 'TableName'>

function keyed(partition: KeyAttributeType, sort?: KeyAttributeType): Definition {
  const AttributeDefinitions: Definition['AttributeDefinitions'] = [{ AttributeName: 'pk', AttributeType: partition }]
  const KeySchema: Definition['KeySchema'] = [{ AttributeName: 'pk', KeyType: 'HASH' }]
  if (sort) {
    AttributeDefinitions.push({ AttributeName: 'sk', AttributeType: sort })
    KeySchema.push({ AttributeName: 'sk', KeyType: 'RANGE' })
  }
  return { AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' }
}

const COMPOSITE: Definition = {
  ...keyed('S', 'S'),
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'local', AttributeType: 'S' },
    { AttributeName: 'rank', AttributeType: 'N' },
    { AttributeName: 'group', AttributeType: 'S' },
  ],
  LocalSecondaryIndexes: [
    { IndexName: 'byLocal', KeySchema: local('local'), Projection: { ProjectionType: 'ALL' } },
    { IndexName: 'byRank', KeySchema: local('rank'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'inverted',
      KeySchema: [
        { AttributeName: 'sk', KeyType: 'HASH' },
        { AttributeName: 'pk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'byGroup',
      KeySchema: [
        { AttributeName: 'group', KeyType: 'HASH' },
        { AttributeName: 'rank', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] },
    },
    {
      IndexName: 'groupOnly',
      KeySchema: [{ AttributeName: 'group', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
}

function local(attribute: string): NonNullable<Definition['KeySchema']> {
  return [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: attribute, KeyType: 'RANGE' },
  ]
}

const NATIVE: Definition = {
  ...keyed('S', 'S'),
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'country', AttributeType: 'S' },
    { AttributeName: 'year', AttributeType: 'N' },
    { AttributeName: 'state', AttributeType: 'S' },
    { AttributeName: 'zip', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'place',
      KeySchema: [
        { AttributeName: 'country', KeyType: 'HASH' },
        { AttributeName: 'year', KeyType: 'HASH' },
        { AttributeName: 'state', KeyType: 'RANGE' },
        { AttributeName: 'zip', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
}

const DEFINITIONS: Record<SharedTable, Definition> = {
  hash: keyed('S'),
  hashN: keyed('N'),
  hashB: keyed('B'),
  composite: COMPOSITE,
  compositeN: keyed('S', 'N'),
  compositeB: keyed('S', 'B'),
  native: NATIVE,
}

export function definitionOf(kind: SharedTable, TableName: string): CreateTableRequest {
  return { TableName, ...DEFINITIONS[kind] }
}
