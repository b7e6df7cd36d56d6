import type {
  AttributeDefinition,
  KeySchemaElement,
  LocalSecondaryIndexDescription,
  Projection,
} from '../../dynamodb/operations/indexes.js'
import type { IndexDesign, TableDesign } from '../../layout/design.js'
import { indexKeySchema, localIndexes, tableKeySchema } from '../definition.js'
import type { Compared, Impossible } from './step.js'

/** What no request can change: the table's own key, and its local indexes. */
export function impossible(compared: Compared): Impossible[] {
  return [...tableKey(compared), ...localChanges(compared)]
}

function tableKey({ design, live }: Compared): Impossible[] {
  const wanted = tableKeySchema(design)
  if (!sameKeys(wanted, live.KeySchema)) {
    const message = `The key of the table is ${keyText(live.KeySchema)} and should be ${keyText(wanted)}. A key never changes: create another table and copy the items.`
    return [{ code: 'key.schema', message, optional: false }]
  }
  return retyped(design, live.AttributeDefinitions, wanted).map(name => ({
    code: 'key.type',
    message: `The key attribute ${name} should be of type ${design.attributes[name]}. Its type never changes: create another table and copy the items.`,
    optional: false,
  }))
}

function localChanges({ design, live }: Compared): Impossible[] {
  const present = new Map((live.LocalSecondaryIndexes ?? []).map(index => [index.IndexName, index]))
  const wanted = localIndexes(design)
  return [
    ...wanted.flatMap(index => localChange(design, live.AttributeDefinitions, index, present.get(index.name))),
    ...[...present.values()]
      .filter(({ IndexName }) => !wanted.some(index => index.name === IndexName))
      .map(index => localLeft(design, live.AttributeDefinitions, index)),
  ]
}

function localLeft(
  design: TableDesign,
  definitions: readonly AttributeDefinition[] | undefined,
  { IndexName, KeySchema = [] }: LocalSecondaryIndexDescription,
): Impossible {
  const left = `The local index ${IndexName} is not in the design and cannot be deleted`
  const inDesign = KeySchema.filter(({ AttributeName = '' }) => AttributeName in design.attributes)
  const [held] = retyped(design, definitions, inDesign)
  if (design.indexes.some(({ name }) => name === IndexName))
    return {
      code: 'local.left',
      message: `${left}, and no global index can be created under its name: give that of the design another, or create another table and copy the items.`,
      optional: false,
    }
  if (held !== undefined)
    return {
      code: 'local.left',
      message: `${left}, and it holds the key attribute ${held} to its old type: give the design another attribute in its place, or create another table and copy the items.`,
      optional: false,
    }
  return {
    code: 'local.left',
    message: `${left}: each item with its key costs writes and storage, and every item collection stays bound to 10 GB.`,
    optional: true,
  }
}

function localChange(
  design: TableDesign,
  definitions: readonly AttributeDefinition[] | undefined,
  index: IndexDesign,
  present: LocalSecondaryIndexDescription | undefined,
): Impossible[] {
  const remedy =
    'A local index comes and goes with its table only: serve this by a global index, or create another table and copy the items.'
  if (!present)
    return [{ code: 'local.missing', message: `The local index ${index.name} is missing. ${remedy}`, optional: false }]
  const same =
    sameKeys(indexKeySchema(index), present.KeySchema) &&
    retyped(design, definitions, indexKeySchema(index)).length === 0 &&
    projects(present.Projection, index, design)
  if (same) return []
  return [
    { code: 'local.changed', message: `The local index ${index.name} is not as designed. ${remedy}`, optional: false },
  ]
}

export function sameKeys(wanted: readonly KeySchemaElement[], present: readonly KeySchemaElement[] | undefined) {
  return keyText(wanted) === keyText(present)
}

/** A key in words: the parts of the partition, then those of the sort key. */
export function keyText(keys: readonly KeySchemaElement[] | undefined): string {
  const of = (type: string) => (keys ?? []).filter(key => key.KeyType === type).map(key => key.AttributeName)
  return [of('HASH').join(' and '), of('RANGE').join(', then ')].filter(part => part !== '').join(' by ')
}

/** Attributes of a key that have another type on the live table. */
export function retyped(
  design: TableDesign,
  definitions: readonly AttributeDefinition[] | undefined,
  keys: readonly KeySchemaElement[],
): string[] {
  return keys.flatMap(({ AttributeName = '' }) => {
    const live = definitions?.find(definition => definition.AttributeName === AttributeName)?.AttributeType
    return live === undefined || live === design.attributes[AttributeName] ? [] : [AttributeName]
  })
}

/** Whether entries of a live index hold all that the design reads from it. Keys are always in them. */
export function projects(present: Projection | undefined, index: IndexDesign, design: TableDesign): boolean {
  if (present?.ProjectionType === 'ALL') return true
  if (index.project === 'all') return false
  if (index.project === 'keys') return true
  const held = [...(present?.NonKeyAttributes ?? []), ...Object.values(design.keys)]
  return index.project.every(name => [...held, ...index.partition, ...index.sort].includes(name))
}
