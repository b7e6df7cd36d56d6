import type { KeyAttributeType } from '../dynamodb/attribute-value.js'
import type { CreateTableInput } from '../dynamodb/operation-types.js'

/**
 * The tables that cases share:
 * - `hash`, `hashN`, `hashB`: a partition key `pk` of each type;
 * - `composite`: `pk` and `sk`, with two local and three global indexes;
 * - `compositeN`, `compositeB`: `pk`, and `sk` of the other types;
 * - `native`: a global index whose key has several attributes.
 */
export type SharedTable = 'hash' | 'hashN' | 'hashB' | 'composite' | 'compositeN' | 'compositeB' | 'native'

type SharedTableDefinition = Omit<CreateTableInput, 'TableName'>

function keyDefinition(partition: KeyAttributeType, sort?: KeyAttributeType): SharedTableDefinition {
  const AttributeDefinitions: SharedTableDefinition['AttributeDefinitions'] = [
    { AttributeName: 'pk', AttributeType: partition },
  ]
  const KeySchema: SharedTableDefinition['KeySchema'] = [{ AttributeName: 'pk', KeyType: 'HASH' }]
  if (sort) {
    AttributeDefinitions.push({ AttributeName: 'sk', AttributeType: sort })
    KeySchema.push({ AttributeName: 'sk', KeyType: 'RANGE' })
  }
  return { AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' }
}

const COMPOSITE: SharedTableDefinition = {
  ...keyDefinition('S', 'S'),
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'local', AttributeType: 'S' },
    { AttributeName: 'rank', AttributeType: 'N' },
    { AttributeName: 'group', AttributeType: 'S' },
  ],
  LocalSecondaryIndexes: [
    { IndexName: 'byLocal', KeySchema: localKeySchema('local'), Projection: { ProjectionType: 'ALL' } },
    { IndexName: 'byRank', KeySchema: localKeySchema('rank'), Projection: { ProjectionType: 'KEYS_ONLY' } },
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

function localKeySchema(attribute: string): NonNullable<SharedTableDefinition['KeySchema']> {
  return [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: attribute, KeyType: 'RANGE' },
  ]
}

const NATIVE: SharedTableDefinition = {
  ...keyDefinition('S', 'S'),
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

const DEFINITIONS: Record<SharedTable, SharedTableDefinition> = {
  hash: keyDefinition('S'),
  hashN: keyDefinition('N'),
  hashB: keyDefinition('B'),
  composite: COMPOSITE,
  compositeN: keyDefinition('S', 'N'),
  compositeB: keyDefinition('S', 'B'),
  native: NATIVE,
}

export function sharedTableDefinition(kind: SharedTable, TableName: string): CreateTableInput {
  return { TableName, ...DEFINITIONS[kind] }
}
