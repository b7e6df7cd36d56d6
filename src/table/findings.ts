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
} from '../dynamodb/limits.js'
import type { IndexDesign, KindDesign, TableDesign } from '../layout/design.js'
import { givenDesign } from '../layout/given-layout.js'
import type { Layout } from '../layout/layout.js'
import { parseTemplate } from '../layout/template-parse.js'
import { bare, literalsOf, splitCollections } from './collections.js'
import { globalIndexes, localIndexes } from './definition.js'
import { type IndexOfFew, withFewest } from './few-partitions.js'
import { largestItems } from './largest-items.js'
import { lateDeletions } from './late-deletions.js'
import { localPaths } from './local-paths.js'
import { refusedKeys } from './refused-keys.js'
import { SERVICE_NAME } from './service-name.js'
import { sparsePaths } from './sparse-paths.js'
import { undeclaredOwned } from './undeclared-owned.js'
import { untoldEntries } from './untold-entries.js'

/** Up to here, one value that is used more than the others has a hot partition to itself. */
const FEW_PARTITIONS = 10

/** What a finding is about. */
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

/** Something about a design that its author should know: DynamoDB refuses it, or it goes wrong one day. */
export interface Finding {
  readonly code: FindingCode
  readonly refused: boolean
  readonly message: string
  readonly index?: string
  readonly kind?: string
}

/** What the author of a layout should know of it; of its design alone, without what only the declarations tell. */
export function findings(of: Layout | TableDesign): Finding[] {
  const layout = 'accesses' in Object(of) ? (of as Layout) : undefined
  const given = givenDesign(layout?.design ?? (of as TableDesign))
  const design = layout ? { ...given, kinds: largestItems(layout), indexes: withFewest(layout) } : given
  return [
    ...oddTableName(design),
    ...indexCounts(design),
    ...includedNames(design),
    ...refusedKeys(design),
    ...design.indexes.flatMap(index => [...oddName(index), ...keyParts(index), ...apartFromTenant(design, index)]),
    ...globalIndexes(design).flatMap(index => [
      ...lowCapacity(design, index),
      ...fewPartitions(design, index),
      ...constantSortKeys(design, index),
    ]),
    ...(design.kinds ?? []).flatMap(largeItems),
    ...largeCollections(design),
    ...(layout
      ? [sparsePaths, localPaths, lateDeletions, undeclaredOwned, untoldEntries, splitCollections].flatMap(found =>
          found(layout),
        )
      : []),
  ]
}

function indexCounts(design: TableDesign): Finding[] {
  const global = globalIndexes(design).length
  const local = localIndexes(design).length
  const found: Finding[] = []
  if (global > GLOBAL_INDEXES) {
    const message = `The table has ${global} global indexes, and DynamoDB allows ${GLOBAL_INDEXES} unless its quota is raised: let edges and paths share an index, or serve some by a mirror.`
    found.push({ code: 'table.indexes.global', refused: true, message })
  }
  if (local > LOCAL_INDEXES) {
    const message = `The table has ${local} local indexes, and DynamoDB allows ${LOCAL_INDEXES}: serve the others by a global index or a mirror.`
    found.push({ code: 'table.indexes.local', refused: true, message })
  }
  return found
}

function includedNames({ indexes }: TableDesign): Finding[] {
  const counts = indexes.map(({ name, project }) => ({ name, count: typeof project === 'string' ? 0 : project.length }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const found = counts
    .filter(({ count }) => count > INDEX_INCLUDED_ATTRIBUTES)
    .map(
      ({ name, count }): Finding => ({
        code: 'index.include.many',
        refused: true,
        index: name,
        message: `The index ${name} includes ${count} attributes by name, and DynamoDB allows ${INDEX_INCLUDED_ATTRIBUTES}: project all, or read fewer from it.`,
      }),
    )
  if (total <= TABLE_INCLUDED_ATTRIBUTES) return found
  const message = `The indexes include ${total} attributes by name, each counted in every index, and DynamoDB allows ${TABLE_INCLUDED_ATTRIBUTES}: project all on some of them.`
  return [...found, { code: 'table.include.many', refused: true, message }]
}

/** A graph may be called as no table can, where its table is given another name. */
function oddTableName({ name }: TableDesign): Finding[] {
  if (SERVICE_NAME.test(name)) return []
  const message = `No table can be called ${name}, but by 3 to 255 letters from a to z, digits, _, - and dots: give its table another name, as 'table' of open() and --table.`
  return [{ code: 'table.name', refused: false, message }]
}

/** A native index is called after its type and path, which may be written in any script. */
function oddName({ name }: IndexDesign): Finding[] {
  if (SERVICE_NAME.test(name)) return []
  const message = `The name of the index ${name} is not of 3 to 255 letters from a to z, digits, _, - and dots, and DynamoDB takes no other: rename it, or the type or path that a native index is called after, or serve that one by 'index'.`
  return [{ code: 'index.name', refused: true, index: name, message }]
}

function keyParts({ name, kind, partition, sort }: IndexDesign): Finding[] {
  const allowed = kind === 'global' ? INDEX_KEY_PARTS : 1
  if (partition.length <= allowed && sort.length <= allowed) return []
  const message = `The key of the ${kind} index ${name} has ${partition.length} partition and ${sort.length} sort attributes, and DynamoDB allows ${allowed} of each: compose some of them.`
  return [{ code: 'index.key.parts', refused: true, index: name, message }]
}

/** The leading key of an index of attributes is its type: the policy, which asks for the tenant there, lets nobody read it. */
function apartFromTenant({ tenant }: TableDesign, { name, partition }: IndexDesign): Finding[] {
  if (!tenant || partition.length === 1) return []
  const message = `The key of the index ${name} does not begin with the tenant, so that no policy can bind its readers to theirs: that of the application refuses them. Compose its key, or read it under other credentials.`
  return [{ code: 'index.tenant.apart', refused: false, index: name, message }]
}

/** A write that its index has no capacity for is refused to the table. */
function lowCapacity({ capacity }: TableDesign, index: IndexDesign): Finding[] {
  if (capacity === 'on-demand' || !index.capacity || index.capacity.write >= capacity.write) return []
  const message = `The index ${index.name} has ${index.capacity.write} WCU and the table ${capacity.write}: when the index runs out, writes to the table are throttled. Give it ${capacity.write}.`
  return [{ code: 'index.capacity.low', refused: false, index: index.name, message }]
}

function fewPartitions({ capacity, tenant }: TableDesign, index: IndexOfFew): Finding[] {
  const { name, distinctPartitions: values, shards = 1, fewestBy } = index
  if (values === undefined) return []
  const asked = capacity === 'on-demand' ? ON_DEMAND_INITIAL_WRITE_UNITS : (index.capacity ?? capacity).write
  const carried = values * PARTITION_WRITE_UNITS
  if (carried >= asked && (shards > 1 || values > FEW_PARTITIONS)) return []
  const has = `${values === 1 ? 'one value' : `${values} values`}${tenant ? ' of each tenant' : ''}`
  // One of several attributes as they are can have no shards.
  const isNative = index.partition.length > 1 || index.sort.length > 1
  const todo = isNative ? "'in' an attribute of more values" : `${shards > 1 ? 'more ' : ''}shards`
  // Others may share the index, and have more.
  const of = fewestBy === undefined ? '' : ` for ${fewestBy}`
  const message = `The partition key of the index ${name} has ${has}${of}, each one partition of at most ${PARTITION_WRITE_UNITS} writes a second, however much capacity the index has; when one is hot, writes to the table are throttled. Give ${fewestBy ?? 'its path'} ${todo}.`
  return [{ code: 'index.partitions.few', refused: false, index: name, message }]
}

/** An index by the table's sort key takes in every item, so a kind with one sort key for all has one partition in it. */
function constantSortKeys({ keys, kinds = [], tenant }: TableDesign, index: IndexDesign): Finding[] {
  if (index.partition.length !== 1 || index.partition[0] !== keys.sort) return []
  return kinds
    .map(({ name, sort }) => ({ name, sort: tenant ? bare(sort!) : sort! }))
    .filter(kind => isConstant(kind.sort))
    .map(kind => ({
      code: 'index.inverted.constant',
      refused: false,
      index: index.name,
      kind: kind.name,
      message: `Every ${kind.name}${tenant ? ' of a tenant' : ''} has the sort key ${kind.sort}, and so lies in one partition of the inverted index ${index.name}, which throttles all writes past ${PARTITION_WRITE_UNITS} a second. Put its id into the sort key, or use a sparse index.`,
    }))
}

function largeItems({ name, largestBytes, largestBecause }: KindDesign): Finding[] {
  if (largestBytes === undefined || largestBytes <= ITEM_BYTES) return []
  const because = largestBecause === undefined ? '' : `, with ${largestBecause}`
  const message = `A ${name} can grow to ${kilobytes(largestBytes)}${because}, and DynamoDB refuses items over ${kilobytes(ITEM_BYTES)}: lower the bound, or keep the entries as edges.`
  return [{ code: 'item.outgrows', refused: false, kind: name, message }]
}

/** With local indexes, all items of one partition key and their entries are bound together. */
function largeCollections(design: TableDesign): Finding[] {
  const local = localIndexes(design).length
  const { kinds: all = [] } = design
  if (local === 0) return []
  // The same values make the same key, whatever each kind calls them.
  const partitions = new Set(all.map(kind => literalsOf(kind.partition)))
  return [...partitions].flatMap((literals): Finding[] => {
    const kinds = all.filter(kind => literalsOf(kind.partition) === literals)
    const unbound = kinds.filter(kind => perPartition(kind) === undefined).map(kind => kind.name)
    const bytes = kinds.reduce((sum, kind) => sum + collectionBytes(kind, local), 0)
    if (unbound.length === 0 && bytes <= ITEM_COLLECTION_BYTES) return []
    const grows = unbound.length > 0 ? `any number of ${unbound.join(', ')}` : `${Math.ceil(bytes / 1024 ** 3)} GB`
    const message = `A partition ${kinds[0]!.partition} can hold ${grows}, and with local indexes it is refused writes past 10 GB, entries of the indexes counted: shard it, or use global indexes.`
    return [{ code: 'collection.outgrows', refused: false, message }]
  })
}

/** Of a sort key that says nothing but what the partition says, a partition has one. */
function perPartition({ perPartition: given, partition, sort }: KindDesign): number | undefined {
  const told = parseTemplate({ source: partition }).names
  return (
    given ?? ((sort ? parseTemplate({ source: sort }).names : []).every(name => told.includes(name)) ? 1 : undefined)
  )
}

const isConstant = (template: string) => parseTemplate({ source: template }).names.length === 0

/** At most, with an entry of the whole item in each local index. */
function collectionBytes(kind: KindDesign, localIndexCount: number): number {
  const { largestBytes = ITEM_BYTES } = kind
  return (perPartition(kind) ?? 0) * (largestBytes + STORAGE_OVERHEAD_BYTES) * (1 + localIndexCount)
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`
}
