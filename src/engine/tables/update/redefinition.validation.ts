import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  VectorIndex,
  VectorIndexDescription,
} from '../../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import { invalidParameter } from '../../errors.js'

/** What the table knows already, as a key or as a vector, is no key of another type. */
export function checkRedefinition(
  live: TableDescription,
  { KeySchema }: GlobalSecondaryIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const known = typesOf(live.AttributeDefinitions)
  const wanted = typesOf(definitions)
  for (const { AttributeName: name } of KeySchema) {
    const isOther = known.has(name!) && known.get(name!) !== wanted.get(name!)
    if (isOther || vectorIndexOn(live, name!)) throw redefined(existing(live, name!), schemaText(KeySchema, wanted))
  }
}

/** No key holds a vector, and what a search can ask for keeps its type. */
export function checkVectorRedefinition(
  live: TableDescription,
  index: VectorIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const known = typesOf(live.AttributeDefinitions)
  const wanted = typesOf(definitions)
  const vector = index.VectorAttribute.AttributeName!
  for (const name of [vector, ...(index.SearchSchema ?? []).map(({ AttributeName }) => AttributeName!)]) {
    const isOther = known.has(name) && known.get(name) !== wanted.get(name)
    if (isOther || (name !== vector && vectorIndexOn(live, name)))
      throw redefined(existing(live, name), vectorText(index, wanted))
  }
}

const redefined = (before: string, next: string) =>
  invalidParameter(
    'Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. ' +
      `Existing schema: ${before} New schema: ${next}`,
  )

type Types = ReadonlyMap<string, string>

function typesOf(definitions: readonly AttributeDefinition[] = []): Types {
  return new Map(definitions.map(({ AttributeName, AttributeType }) => [AttributeName!, AttributeType!]))
}

function schemas({ KeySchema, LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] }: TableDescription) {
  return [KeySchema!, ...[...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(index => index.KeySchema!)]
}

/** The first schema that has an attribute. */
function existing(live: TableDescription, name: string): string {
  const types = typesOf(live.AttributeDefinitions)
  const schema = schemas(live).find(elements => elements.some(element => element.AttributeName === name))
  if (schema) return schemaText(schema, types)
  const isIn = ({ VectorAttribute, SearchSchema = [] }: VectorIndexDescription) =>
    [VectorAttribute!, ...SearchSchema].some(element => element.AttributeName === name)
  return vectorText(live.VectorIndexes!.find(isIn)!, types)
}

function schemaText(schema: readonly KeySchemaElement[], types: Types): string {
  const elements = schema.map(
    ({ AttributeName, KeyType }) => `SchemaElement: key{${AttributeName}:${types.get(AttributeName!)}:${KeyType}}`,
  )
  return `Schema:[${elements.join(', ')}]`
}

function vectorIndexOn({ VectorIndexes = [] }: TableDescription, name: string): VectorIndexDescription | undefined {
  return VectorIndexes.find(({ VectorAttribute }) => VectorAttribute!.AttributeName === name)
}

function vectorText({ VectorAttribute, SearchSchema = [], Dimensions }: VectorIndexDescription, types: Types): string {
  const searched = SearchSchema.map(
    ({ AttributeName: name, SearchSchemaElementType: role }) =>
      `SearchSchemaElement: key{${name}:${types.get(name!)}:${role}}`,
  )
  const elements = [`VectorAttribute: key{${VectorAttribute!.AttributeName}:L:${Dimensions}}`, ...searched]
  return `VectorIndexSchema:[${elements.join(', ')}]`
}
