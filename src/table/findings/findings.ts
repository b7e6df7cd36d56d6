import {
  GLOBAL_INDEXES,
  INDEX_INCLUDED_ATTRIBUTES,
  INDEX_KEY_PARTS,
  ITEM_BYTES,
  ITEM_COLLECTION_BYTES,
  LOCAL_INDEXES,
  ON_DEMAND_INITIAL_WRITE_UNITS,
  PARTITION_WRITE_UNITS,
  STORAGE_OVERHEAD_BYTES,
  TABLE_INCLUDED_ATTRIBUTES,
} from '../../dynamodb/limits.js'
import type { IndexDesign, KindDesign, TableDesign } from '../../layout/design.js'
import { tokenizeTemplate } from '../../layout/keys/parse-template.js'
import type { Layout } from '../../layout/layout.js'
import { requireDesign } from '../../layout/require-layout.js'
import { AWS_NAME_PATTERN } from '../aws-name.js'
import { globalIndexesOf, localIndexesOf } from '../table-definition.js'
import { type IndexWithPartitionCount, withPartitionCounts } from './few-partitions.js'
import { kindDesignsOf } from './largest-items.js'
import { findLateDeletions } from './late-deletions.js'
import { findGlobalLocalPaths } from './local-paths.js'
import { findRejectedKeys } from './rejected-keys.js'
import { findSparsePaths } from './sparse-paths.js'
import { findSplitCollections, literalsOf, withoutTenant } from './split-collections.js'
import { findUndeclaredOwnership } from './undeclared-ownership.js'
import { findUnidentifiedEntries } from './unidentified-entries.js'

/** Up to this number of values, one frequent value makes a hot partition. */
const FEW_PARTITIONS = 10

/** The code of a finding. */
export type FindingCode =
  | 'table.indexes.global'
  | 'table.indexes.local'
  | 'table.include.many'
  | 'table.name'
  | 'index.include.many'
  | 'index.name'
  | 'index.key.parts'
  | 'index.tenant.apart'
  | 'index.capacity.low'
  | 'index.partitions.few'
  | 'index.sparse'
  | 'index.untold'
  | 'index.inverted.constant'
  | 'index.late'
  | 'item.outgrows'
  | 'collection.outgrows'
  | 'collection.split'
  | 'owned.undeclared'
  | 'key.twice'
  | 'key.expires'
  | 'index.local'
  | 'capacity.units'
  | 'attribute.name'

/** A problem of a design: DynamoDB rejects it, or it fails or slows down in production. */
export interface Finding {
  readonly code: FindingCode
  readonly rejected: boolean
  readonly message: string
  readonly index?: string
  readonly kind?: string
}

/**
 * Finds the problems of a layout. For a design alone, findings that need the declarations are left out.
 *
 * @returns the findings; `rejected` marks the ones that DynamoDB rejects
 * @throws {call.argument} if the argument is neither a layout nor a design
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { findings } from 'edgewise/table'
 *
 * const social = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * for (const { code, message } of findings(social)) console.log(code, message)
 * ```
 */
export function findings(layoutOrDesign: Layout | TableDesign): Finding[] {
  const layout = 'accesses' in Object(layoutOrDesign) ? (layoutOrDesign as Layout) : undefined
  const plainDesign = requireDesign(layout?.design ?? (layoutOrDesign as TableDesign))
  const design = layout
    ? { ...plainDesign, kinds: kindDesignsOf(layout), indexes: withPartitionCounts(layout) }
    : plainDesign
  return [
    ...findInvalidTableName(design),
    ...findTooManyIndexes(design),
    ...findTooManyIncluded(design),
    ...findRejectedKeys(design),
    ...design.indexes.flatMap(index => [
      ...findInvalidIndexName(index),
      ...findTooManyKeyParts(index),
      ...findIndexWithoutTenant(design, index),
    ]),
    ...globalIndexesOf(design).flatMap(index => [
      ...findLowCapacity(design, index),
      ...findFewPartitions(design, index),
      ...findConstantSortKeys(design, index),
    ]),
    ...(design.kinds ?? []).flatMap(findLargeItems),
    ...findLargeCollections(design),
    ...(layout
      ? [
          findSparsePaths,
          findGlobalLocalPaths,
          findLateDeletions,
          findUndeclaredOwnership,
          findUnidentifiedEntries,
          findSplitCollections,
        ].flatMap(findIn => findIn(layout))
      : []),
  ]
}

function findTooManyIndexes(design: TableDesign): Finding[] {
  const global = globalIndexesOf(design).length
  const local = localIndexesOf(design).length
  const found: Finding[] = []
  if (global > GLOBAL_INDEXES) {
    const message = `The table has ${global} global indexes, and DynamoDB allows ${GLOBAL_INDEXES} unless its quota is raised: let edges and paths share an index, or serve some by a mirror.`
    found.push({ code: 'table.indexes.global', rejected: true, message })
  }
  if (local > LOCAL_INDEXES) {
    const message = `The table has ${local} local indexes, and DynamoDB allows ${LOCAL_INDEXES}: serve the others by a global index or a mirror.`
    found.push({ code: 'table.indexes.local', rejected: true, message })
  }
  return found
}

function findTooManyIncluded({ indexes }: TableDesign): Finding[] {
  const counts = indexes.map(({ name, project }) => ({ name, count: typeof project === 'string' ? 0 : project.length }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const found = counts
    .filter(({ count }) => count > INDEX_INCLUDED_ATTRIBUTES)
    .map(
      ({ name, count }): Finding => ({
        code: 'index.include.many',
        rejected: true,
        index: name,
        message: `The index ${name} includes ${count} attributes by name, and DynamoDB allows ${INDEX_INCLUDED_ATTRIBUTES}: project all, or read fewer from it.`,
      }),
    )
  if (total <= TABLE_INCLUDED_ATTRIBUTES) return found
  const message = `The indexes include ${total} attributes by name, each counted in every index, and DynamoDB allows ${TABLE_INCLUDED_ATTRIBUTES}: project all on some of them.`
  return [...found, { code: 'table.include.many', rejected: true, message }]
}

/** The name of a graph may be invalid for a table, because its table can have another name. */
function findInvalidTableName({ name }: TableDesign): Finding[] {
  if (AWS_NAME_PATTERN.test(name)) return []
  const message = `No table can be called ${name}, but by 3 to 255 letters from a to z, digits, _, - and dots: give its table another name, as 'table' of open() and --table.`
  return [{ code: 'table.name', rejected: false, message }]
}

/** A native index is named after its type and path, which may contain letters of any script. */
function findInvalidIndexName({ name }: IndexDesign): Finding[] {
  if (AWS_NAME_PATTERN.test(name)) return []
  const message = `The name of the index ${name} is not of 3 to 255 letters from a to z, digits, _, - and dots, and DynamoDB takes no other: rename it, or the type or path that a native index is called after, or serve that one by 'index'.`
  return [{ code: 'index.name', rejected: true, index: name, message }]
}

function findTooManyKeyParts({ name, kind, partition, sort }: IndexDesign): Finding[] {
  const allowed = kind === 'global' ? INDEX_KEY_PARTS : 1
  if (partition.length <= allowed && sort.length <= allowed) return []
  const message = `The key of the ${kind} index ${name} has ${partition.length} partition and ${sort.length} sort attributes, and DynamoDB allows ${allowed} of each: compose some of them.`
  return [{ code: 'index.key.parts', rejected: true, index: name, message }]
}

/**
 * A native index has the type as its leading key. The policy requires the tenant there, so it denies every read of the
 * index.
 */
function findIndexWithoutTenant({ tenant }: TableDesign, { name, partition }: IndexDesign): Finding[] {
  if (!tenant || partition.length === 1) return []
  const message = `The key of the index ${name} does not begin with the tenant, so that no policy can bind its readers to theirs: that of the application refuses them. Compose its key, or read it under other credentials.`
  return [{ code: 'index.tenant.apart', rejected: false, index: name, message }]
}

/** A write is throttled if one of its indexes has no capacity for it. */
function findLowCapacity({ capacity }: TableDesign, index: IndexDesign): Finding[] {
  if (capacity === 'on-demand' || !index.capacity || index.capacity.write >= capacity.write) return []
  const message = `The index ${index.name} has ${index.capacity.write} WCU and the table ${capacity.write}: when the index runs out, writes to the table are throttled. Give it ${capacity.write}.`
  return [{ code: 'index.capacity.low', rejected: false, index: index.name, message }]
}

function findFewPartitions({ capacity, tenant }: TableDesign, index: IndexWithPartitionCount): Finding[] {
  const { name, distinctPartitions: values, shards = 1, fewestReader } = index
  if (values === undefined) return []
  const neededUnits = capacity === 'on-demand' ? ON_DEMAND_INITIAL_WRITE_UNITS : (index.capacity ?? capacity).write
  const availableUnits = values * PARTITION_WRITE_UNITS
  if (availableUnits >= neededUnits && (shards > 1 || values > FEW_PARTITIONS)) return []
  const valuesText = `${values === 1 ? 'one value' : `${values} values`}${tenant ? ' of each tenant' : ''}`
  // An index with several plain attributes cannot have shards.
  const isNative = shards === 1 && (index.partition.length > 1 || index.sort.length > 1)
  const advice = isNative ? "'in' an attribute of more values" : `${shards > 1 ? 'more ' : ''}shards`
  // Other readers of the index may have more values.
  const readerText = fewestReader === undefined ? '' : ` for ${fewestReader}`
  const message = `The partition key of the index ${name} has ${valuesText}${readerText}, each one partition of at most ${PARTITION_WRITE_UNITS} writes a second, however much capacity the index has; when one is hot, writes to the table are throttled. Give ${fewestReader ?? 'its path'} ${advice}.`
  return [{ code: 'index.partitions.few', rejected: false, index: name, message }]
}

/** An inverted index contains every item, so a kind with a constant sort key has a single partition in it. */
function findConstantSortKeys({ keys, kinds = [], tenant }: TableDesign, index: IndexDesign): Finding[] {
  if (index.partition.length !== 1 || index.partition[0] !== keys.sort) return []
  return kinds
    .map(({ name, sort }) => ({ name, sort: tenant ? withoutTenant(sort!) : sort! }))
    .filter(kind => isConstantTemplate(kind.sort))
    .map(kind => ({
      code: 'index.inverted.constant',
      rejected: false,
      index: index.name,
      kind: kind.name,
      message: `Every ${kind.name}${tenant ? ' of a tenant' : ''} has the sort key ${kind.sort}, so all of them are in one partition of the inverted index ${index.name}, which throttles all writes past ${PARTITION_WRITE_UNITS} a second. Put its id into the sort key, or use a sparse index.`,
    }))
}

function findLargeItems({ name, largestBytes, largestReason }: KindDesign): Finding[] {
  if (largestBytes === undefined || largestBytes <= ITEM_BYTES) return []
  const reason = largestReason === undefined ? '' : `, with ${largestReason}`
  const message = `A ${name} can grow to ${formatKilobytes(largestBytes)}${reason}, and DynamoDB refuses items over ${formatKilobytes(ITEM_BYTES)}: lower the bound, or keep the entries as edges.`
  return [{ code: 'item.outgrows', rejected: false, kind: name, message }]
}

/** A table with local indexes limits each item collection to 10 GB, including the entries of the indexes. */
function findLargeCollections(design: TableDesign): Finding[] {
  const local = localIndexesOf(design).length
  const { kinds: allKinds = [] } = design
  if (local === 0) return []
  // Templates with equal literals make the same key, regardless of the names of their slots.
  const partitions = new Set(allKinds.map(kind => literalsOf(kind.partition)))
  return [...partitions].flatMap((literals): Finding[] => {
    const kinds = allKinds.filter(kind => literalsOf(kind.partition) === literals)
    const unboundKinds = kinds.filter(kind => itemsPerPartition(kind) === undefined).map(kind => kind.name)
    const bytes = kinds.reduce((sum, kind) => sum + collectionBytes(kind, local), 0)
    if (unboundKinds.length === 0 && bytes <= ITEM_COLLECTION_BYTES) return []
    const growth =
      unboundKinds.length > 0 ? `any number of ${unboundKinds.join(', ')}` : `${Math.ceil(bytes / 1024 ** 3)} GB`
    const message = `A partition ${kinds[0]!.partition} can hold ${growth}, and with local indexes it is refused writes past 10 GB, entries of the indexes counted: shard it, or use global indexes.`
    return [{ code: 'collection.outgrows', rejected: false, message }]
  })
}

/** The number of items per partition. A sort key without slots of its own allows one. */
function itemsPerPartition({ perPartition: designed, partition, sort }: KindDesign): number | undefined {
  const partitionSlots = tokenizeTemplate({ source: partition }).slotNames
  return (
    designed ??
    ((sort ? tokenizeTemplate({ source: sort }).slotNames : []).every(name => partitionSlots.includes(name))
      ? 1
      : undefined)
  )
}

const isConstantTemplate = (template: string) => tokenizeTemplate({ source: template }).slotNames.length === 0

/** The maximum size, with a complete entry in each local index. */
function collectionBytes(kind: KindDesign, localIndexCount: number): number {
  const { largestBytes = ITEM_BYTES } = kind
  return (itemsPerPartition(kind) ?? 0) * (largestBytes + STORAGE_OVERHEAD_BYTES) * (1 + localIndexCount)
}

function formatKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`
}
