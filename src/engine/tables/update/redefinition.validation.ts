import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  TableDescription,
  VectorIndex,
  VectorIndexDescription,
} from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'

/** Throws if an index uses a known attribute with another type, or a vector attribute as a key. */
export function checkRedefinition(
  live: TableDescription,
  { KeySchema }: GlobalSecondaryIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const known = attributeTypesOf(live.AttributeDefinitions)
  const wanted = attributeTypesOf(definitions)
  for (const { AttributeName: name } of KeySchema) {
    const isOther = known.has(name!) && known.get(name!) !== wanted.get(name!)
    if (isOther || findVectorIndexOn(live, name!))
      throw redefinedAttributeError(existingSchemaTextOf(live, name!), formatSchema(KeySchema, wanted))
  }
}

/**
 * Throws if a vector index uses a key attribute as its vector, or a known attribute with another type in its search
 * schema.
 */
export function checkVectorRedefinition(
  live: TableDescription,
  index: VectorIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const known = attributeTypesOf(live.AttributeDefinitions)
  const wanted = attributeTypesOf(definitions)
  const vector = index.VectorAttribute.AttributeName!
  for (const name of [vector, ...(index.SearchSchema ?? []).map(({ AttributeName }) => AttributeName!)]) {
    const isOther = known.has(name) && known.get(name) !== wanted.get(name)
    if (isOther || (name !== vector && findVectorIndexOn(live, name)))
      throw redefinedAttributeError(existingSchemaTextOf(live, name), formatVectorSchema(index, wanted))
  }
}

const redefinedAttributeError = (before: string, next: string) =>
  invalidParameterError(
    'Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. ' +
      `Existing schema: ${before} New schema: ${next}`,
  )

type AttributeTypes = ReadonlyMap<string, string>

function attributeTypesOf(definitions: readonly AttributeDefinition[] = []): AttributeTypes {
  return new Map(definitions.map(({ AttributeName, AttributeType }) => [AttributeName!, AttributeType!]))
}

function schemasOf({ KeySchema, LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] }: TableDescription) {
  return [KeySchema!, ...[...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(index => index.KeySchema!)]
}

/** Formats the first schema that contains an attribute. */
function existingSchemaTextOf(live: TableDescription, name: string): string {
  const types = attributeTypesOf(live.AttributeDefinitions)
  const schema = schemasOf(live).find(elements => elements.some(element => element.AttributeName === name))
  if (schema) return formatSchema(schema, types)
  const isIn = ({ VectorAttribute, SearchSchema = [] }: VectorIndexDescription) =>
    [VectorAttribute!, ...SearchSchema].some(element => element.AttributeName === name)
  return formatVectorSchema(live.VectorIndexes!.find(isIn)!, types)
}

function formatSchema(schema: readonly KeySchemaElement[], types: AttributeTypes): string {
  const elements = schema.map(
    ({ AttributeName, KeyType }) => `SchemaElement: key{${AttributeName}:${types.get(AttributeName!)}:${KeyType}}`,
  )
  return `Schema:[${elements.join(', ')}]`
}

function findVectorIndexOn({ VectorIndexes = [] }: TableDescription, name: string): VectorIndexDescription | undefined {
  return VectorIndexes.find(({ VectorAttribute }) => VectorAttribute!.AttributeName === name)
}

function formatVectorSchema(
  { VectorAttribute, SearchSchema = [], Dimensions }: VectorIndexDescription,
  types: AttributeTypes,
): string {
  const searched = SearchSchema.map(
    ({ AttributeName: name, SearchSchemaElementType: role }) =>
      `SearchSchemaElement: key{${name}:${types.get(name!)}:${role}}`,
  )
  const elements = [`VectorAttribute: key{${VectorAttribute!.AttributeName}:L:${Dimensions}}`, ...searched]
  return `VectorIndexSchema:[${elements.join(', ')}]`
}
