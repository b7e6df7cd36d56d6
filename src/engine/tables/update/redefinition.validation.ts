import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
} from '../../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import { invalidParameter } from '../../errors.js'

/** A key that the table knows already keeps its type. */
export function checkRedefinition(
  live: TableDescription,
  { KeySchema }: GlobalSecondaryIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const known = typesOf(live.AttributeDefinitions)
  const wanted = typesOf(definitions)
  for (const { AttributeName: name } of KeySchema) {
    const type = known.get(name!)
    if (type === undefined || type === wanted.get(name!)) continue
    const schema = schemas(live).find(elements => elements.some(element => element.AttributeName === name))!
    throw invalidParameter(
      'Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. ' +
        `Existing schema: ${schemaText(schema, known)} New schema: ${schemaText(KeySchema, wanted)}`,
    )
  }
}

type Types = ReadonlyMap<string, string>

function typesOf(definitions: readonly AttributeDefinition[] = []): Types {
  return new Map(definitions.map(({ AttributeName, AttributeType }) => [AttributeName!, AttributeType!]))
}

function schemas({ KeySchema, LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] }: TableDescription) {
  return [KeySchema!, ...[...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(index => index.KeySchema!)]
}

function schemaText(schema: readonly KeySchemaElement[], types: Types): string {
  const elements = schema.map(
    ({ AttributeName, KeyType }) => `SchemaElement: key{${AttributeName}:${types.get(AttributeName!)}:${KeyType}}`,
  )
  return `Schema:[${elements.join(', ')}]`
}
