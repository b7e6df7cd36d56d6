import type { Item, Key } from '../../src/dynamodb/attribute-value.js'
import type { CreateTableInput } from '../../src/dynamodb/operation-types.js'

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const })
const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const })

/** An index that is created and deleted while the table is written. */
export const LATER = { IndexName: 'later', KeySchema: [hash('h')], Projection: { ProjectionType: 'ALL' as const } }
export const LATER_ATTRIBUTE = text('h')

export const TABLE: CreateTableInput = {
  TableName: 'crashing',
  AttributeDefinitions: [text('pk'), text('sk'), text('g')],
  KeySchema: [hash('pk'), range('sk')],
  LocalSecondaryIndexes: [
    { IndexName: 'local', KeySchema: [hash('pk'), range('g')], Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
  GlobalSecondaryIndexes: [
    { IndexName: 'whole', KeySchema: [hash('g'), range('sk')], Projection: { ProjectionType: 'ALL' } },
    {
      IndexName: 'part',
      KeySchema: [hash('g')],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['version'] },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  BillingMode: 'PAY_PER_REQUEST',
}

/** Some of the keys are longer than LMDB's. */
export function keyItem(key: string): Key {
  const [pk, sk] = key.split('/') as [string, string]
  return { pk: { S: pk.padEnd(sk === '0' ? 2048 : 10, '.') }, sk: { S: sk } }
}

export function keyText({ pk, sk }: Item): string {
  return `${pk!.S!.replaceAll('.', '')}/${sk!.S}`
}
