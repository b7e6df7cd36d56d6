import type {
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
} from '../../../dynamodb/operations/indexes.js'
import type { CreateTableRequest } from '../../../dynamodb/operations/tables.js'
import type { Bench } from '../bench.js'
import { invalid } from '../expect.js'

type Definition = Omit<CreateTableRequest, 'TableName'>

export const hash = (AttributeName: string): KeySchemaElement => ({ AttributeName, KeyType: 'HASH' })
export const range = (AttributeName: string): KeySchemaElement => ({ AttributeName, KeyType: 'RANGE' })

export function texts(...names: string[]): NonNullable<Definition['AttributeDefinitions']> {
  return names.map(AttributeName => ({ AttributeName, AttributeType: 'S' }))
}

/** A table with a key of two texts, `a` and `b`. */
export const PAIR: Definition = {
  AttributeDefinitions: texts('a', 'b'),
  KeySchema: [hash('a'), range('b')],
  BillingMode: 'PAY_PER_REQUEST',
}

/** A table with a key of one text, `a`. */
export const SINGLE: Definition = {
  AttributeDefinitions: texts('a'),
  KeySchema: [hash('a')],
  BillingMode: 'PAY_PER_REQUEST',
}

export const PROVISIONED: Definition = {
  ...SINGLE,
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
}

/** An index of everything, by `a` and `b` where no other key is given. */
export function index(IndexName: string, ...KeySchema: KeySchemaElement[]): LocalSecondaryIndex & GlobalSecondaryIndex {
  const keys = KeySchema.length > 0 ? KeySchema : [hash('a'), range('b')]
  return { IndexName, KeySchema: keys, Projection: { ProjectionType: 'ALL' } }
}

export function withLocal(...LocalSecondaryIndexes: LocalSecondaryIndex[]): Definition {
  return { ...PAIR, LocalSecondaryIndexes }
}

export function withGlobal(...GlobalSecondaryIndexes: GlobalSecondaryIndex[]): Definition {
  return { ...PAIR, GlobalSecondaryIndexes }
}

/** A case in which such a table is refused in these words. */
export function refusing(definition: Definition, message: string | RegExp): (bench: Bench) => Promise<void> {
  return async bench => {
    await invalid(bench.store.createTable({ ...definition, TableName: bench.ownName() }), message)
  }
}
