import type {
  AttributeDefinition,
  KeySchemaElement,
  LocalSecondaryIndexDescription,
  Projection,
} from '../../dynamodb/operation-types.js'
import type { IndexDesign, TableDesign } from '../../layout/design.js'
import { indexKeySchemaOf, localIndexesOf, tableKeySchemaOf } from '../table-definition.js'
import type { DiffContext, ImpossibleChange } from './step.js'

/** Finds differences that no request can change: the table's key and its local indexes. */
export function findImpossibleChanges(context: DiffContext): ImpossibleChange[] {
  return [...tableKeyChanges(context), ...localIndexChanges(context)]
}

function tableKeyChanges({ design, live }: DiffContext): ImpossibleChange[] {
  const wanted = tableKeySchemaOf(design)
  if (!isSameKeySchema(wanted, live.KeySchema)) {
    const message = `The key of the table is ${describeKeySchema(live.KeySchema)} and should be ${describeKeySchema(wanted)}. A key never changes: create another table and copy the items.`
    return [{ code: 'key.schema', message, optional: false }]
  }
  return retypedAttributes(design, live.AttributeDefinitions, wanted).map(name => ({
    code: 'key.type',
    message: `The key attribute ${name} should be of type ${design.attributes[name]}. Its type never changes: create another table and copy the items.`,
    optional: false,
  }))
}

function localIndexChanges({ design, live }: DiffContext): ImpossibleChange[] {
  const present = new Map((live.LocalSecondaryIndexes ?? []).map(index => [index.IndexName, index]))
  const wanted = localIndexesOf(design)
  return [
    ...wanted.flatMap(index => localIndexChange(design, live.AttributeDefinitions, index, present.get(index.name))),
    ...[...present.values()]
      .filter(({ IndexName }) => !wanted.some(index => index.name === IndexName))
      .map(index => leftoverLocalIndex(design, live.AttributeDefinitions, index)),
  ]
}

function leftoverLocalIndex(
  design: TableDesign,
  definitions: readonly AttributeDefinition[] | undefined,
  { IndexName, KeySchema = [] }: LocalSecondaryIndexDescription,
): ImpossibleChange {
  const problem = `The local index ${IndexName} is not in the design and cannot be deleted`
  const designedKeys = KeySchema.filter(({ AttributeName = '' }) => AttributeName in design.attributes)
  const [retypedAttribute] = retypedAttributes(design, definitions, designedKeys)
  if (design.indexes.some(({ name }) => name === IndexName))
    return {
      code: 'local.left',
      message: `${problem}, and no global index can be created under its name: give that of the design another, or create another table and copy the items.`,
      optional: false,
    }
  if (retypedAttribute !== undefined)
    return {
      code: 'local.left',
      message: `${problem}, and it holds the key attribute ${retypedAttribute} to its old type: give the design another attribute in its place, or create another table and copy the items.`,
      optional: false,
    }
  return {
    code: 'local.left',
    message: `${problem}: each item with its key costs writes and storage, and every item collection stays bound to 10 GB.`,
    optional: true,
  }
}

function localIndexChange(
  design: TableDesign,
  definitions: readonly AttributeDefinition[] | undefined,
  index: IndexDesign,
  present: LocalSecondaryIndexDescription | undefined,
): ImpossibleChange[] {
  const remedy =
    'A local index comes and goes with its table only: serve this by a global index, or create another table and copy the items.'
  if (!present)
    return [{ code: 'local.missing', message: `The local index ${index.name} is missing. ${remedy}`, optional: false }]
  const isUnchanged =
    isSameKeySchema(indexKeySchemaOf(index), present.KeySchema) &&
    retypedAttributes(design, definitions, indexKeySchemaOf(index)).length === 0 &&
    isProjectionSufficient(present.Projection, index, design)
  if (isUnchanged) return []
  return [
    { code: 'local.changed', message: `The local index ${index.name} is not as designed. ${remedy}`, optional: false },
  ]
}

export function isSameKeySchema(
  designed: readonly KeySchemaElement[],
  present: readonly KeySchemaElement[] | undefined,
) {
  return describeKeySchema(designed) === describeKeySchema(present)
}

/** Describes a key: the attributes of the partition key, then those of the sort key. */
export function describeKeySchema(keys: readonly KeySchemaElement[] | undefined): string {
  const namesOf = (type: string) => (keys ?? []).filter(key => key.KeyType === type).map(key => key.AttributeName)
  return [namesOf('HASH').join(' and '), namesOf('RANGE').join(', then ')].filter(part => part !== '').join(' by ')
}

/** The attributes of a key that have another type on the live table. */
export function retypedAttributes(
  design: TableDesign,
  definitions: readonly AttributeDefinition[] | undefined,
  keys: readonly KeySchemaElement[],
): string[] {
  return keys.flatMap(({ AttributeName = '' }) => {
    const live = definitions?.find(definition => definition.AttributeName === AttributeName)?.AttributeType
    return live === undefined || live === design.attributes[AttributeName] ? [] : [AttributeName]
  })
}

/**
 * Whether the entries of a live index contain everything that the design reads from it. They always contain the keys.
 */
export function isProjectionSufficient(
  present: Projection | undefined,
  index: IndexDesign,
  design: TableDesign,
): boolean {
  if (present?.ProjectionType === 'ALL') return true
  if (index.project === 'all') return false
  if (index.project === 'keys') return true
  const available = [...(present?.NonKeyAttributes ?? []), ...Object.values(design.keys)]
  return index.project.every(name => [...available, ...index.partition, ...index.sort].includes(name))
}
