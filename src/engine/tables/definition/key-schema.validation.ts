import { INDEX_KEY_PARTS } from '../../../dynamodb/limits.js'
import type { AttributeDefinition, KeySchemaElement, KeyType } from '../../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../../errors.js'
import { sortInJavaOrder } from '../java-order.js'

const NOT_HASH_FIRST = 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'
const SAME_NAME = 'Both the Hash Key and the Range Key element in the KeySchema have the same name'

/** Returns the names of the defined attributes, and throws on a duplicate. */
export function definedNamesOf(definitions: readonly AttributeDefinition[]): string[] {
  const names = new Set<string>()
  for (const { AttributeName } of definitions) {
    if (names.has(AttributeName!)) throw validationError(`Attribute Name is duplicated: ${AttributeName}`)
    names.add(AttributeName!)
  }
  return [...names]
}

export function schemaNamesOf(schema: readonly KeySchemaElement[]): string[] {
  return schema.map(element => element.AttributeName!)
}

export function checkTableKeysDefined(keys: readonly string[], defined: readonly string[]): void {
  if (keys.length > defined.length) {
    throw validationError('Invalid KeySchema: Some index key attribute have no definition')
  }
  if (keys.every(key => defined.includes(key))) return
  throw invalidParameterError(
    'Some index key attributes are not defined in AttributeDefinitions. ' +
      `Keys: [${sortInJavaOrder(keys, 'count').join(', ')}], ` +
      `AttributeDefinitions: [${sortInJavaOrder(defined, 'count').join(', ')}]`,
  )
}

/** Checks that the keys of an index are defined. A duplicate attribute is reported later. */
export function checkIndexKeysDefined(keys: readonly string[], defined: readonly string[]): void {
  if (!keys.every(key => defined.includes(key))) checkTableKeysDefined(keys, defined)
}

export function checkDefinitionsUsed(defined: readonly string[], used: readonly string[], indexed: boolean): void {
  if (defined.every(name => used.includes(name))) return
  if (!indexed) {
    throw invalidParameterError(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    )
  }
  throw invalidParameterError(
    'Some AttributeDefinitions are not used. ' +
      `AttributeDefinitions: [${sortInJavaOrder(defined, 'count').join(', ')}], ` +
      `keys used: [${sortInJavaOrder(used, 'default').join(', ')}]`,
  )
}

/** Checks the key schema of a table or local index: HASH, optionally followed by RANGE. */
export function checkKeySchema(schema: readonly KeySchemaElement[]): void {
  const [first, second] = schema
  if (first?.KeyType !== 'HASH') throw validationError(NOT_HASH_FIRST)
  if (!second) return
  if (first.AttributeName === second.AttributeName) throw validationError(SAME_NAME)
  if (second.KeyType !== 'RANGE') {
    throw validationError('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type')
  }
}

/** Checks the key schema of a global index: up to four HASH attributes, then up to four RANGE attributes. */
export function checkGlobalKeySchema(schema: readonly KeySchemaElement[]): void {
  if (schema[0]?.KeyType !== 'HASH') throw validationError(NOT_HASH_FIRST)
  const names = schemaNamesOf(schema)
  if (new Set(names).size < names.length) {
    const pair = schema.length === 2 && schema[1]?.KeyType === 'RANGE'
    throw validationError(pair ? SAME_NAME : 'The KeySchema contains multiple key attributes with the same name')
  }
  const types = schema.map(element => element.KeyType!)
  if (types.includes('RANGE') && types.lastIndexOf('HASH') > types.indexOf('RANGE')) {
    throw invalidParameterError('All HASH key attributes must precede RANGE key attributes in the KeySchema')
  }
  checkKeyParts(types, 'HASH')
  checkKeyParts(types, 'RANGE')
}

function checkKeyParts(types: readonly KeyType[], type: KeyType): void {
  if (types.filter(other => other === type).length <= INDEX_KEY_PARTS) return
  throw invalidParameterError(`The KeySchema exceeds the maximum allowed number of ${type} key attributes`)
}
