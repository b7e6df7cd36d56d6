import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  VectorIndex,
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
    throw redefined(schemaText(schema, known), schemaText(KeySchema, wanted))
  }
}

/** No key holds a vector, and what a search can ask for keeps its type, too. */
export function checkVectorRedefinition(
  live: TableDescription,
  { VectorAttribute, SearchSchema = [], Dimensions }: VectorIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const known = typesOf(live.AttributeDefinitions)
  const wanted = typesOf(definitions)
  const vector = VectorAttribute.AttributeName!
  const searched = SearchSchema.map(({ AttributeName }) => AttributeName!)
  const other = [vector, ...searched].find(name => known.has(name) && known.get(name) !== wanted.get(name))
  if (other === undefined) return
  const parts = SearchSchema.map(
    ({ AttributeName: name, SearchSchemaElementType: role }) =>
      `SearchSchemaElement: key{${name}:${wanted.get(name!)}:${role}}`,
  )
  const next = [`VectorAttribute: key{${vector}:L:${Dimensions}}`, ...parts]
  const schema = schemas(live).find(elements => elements.some(element => element.AttributeName === other)) ?? []
  throw redefined(schemaText(schema, known), `VectorIndexSchema:[${next.join(', ')}]`)
}

const redefined = (existing: string, next: string) =>
  invalidParameter(
    'Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. ' +
      `Existing schema: ${existing} New schema: ${next}`,
  )

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
