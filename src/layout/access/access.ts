import type { AccessMethod } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import type { UnresolvedPath } from '../keys/default-keys.js'
import type { KeyTemplate } from '../keys/template.js'
import { type Kind, tableKeySlots } from '../kinds.js'
import { type DeclaredType, FREE_TEXT_TYPE, SHARD_TYPE } from '../slots.js'
import type { StoredNames } from '../stored-names.js'
import type { LayoutIndex } from './indexes.js'

/** How a path is read: its table or index, its keys and its order. */
export interface Access {
  readonly type: DeclaredType
  readonly name: string
  readonly method: AccessMethod
  /** The kind of item that it reads. */
  readonly kind: Kind
  /** The index that it reads; undefined for the table. */
  readonly index: string | undefined
  /** Undefined on an index of native keys, which are plain attributes. */
  readonly partition: KeyTemplate | undefined
  readonly sort: KeyTemplate | undefined
  /** The slots for which every read gives a value. */
  readonly requiredSlots: readonly string[]
  /** The slots of the sort order. `where` gives them from the left. */
  readonly sortSlots: readonly string[]
  readonly shards: number
  /** For a ranking by a counter in shards: the attribute of the index's partition key that names the shard. */
  readonly shardAt?: string | undefined
  /** Whether strongly consistent reads are possible. */
  readonly consistent: boolean
}

/** The table, or one of its indexes. */
type TableOrIndex = Pick<LayoutIndex, 'partition' | 'sort'> & Partial<Pick<LayoutIndex, 'name' | 'kind' | 'native'>>

/** Returns the access of a path: the first of the table and its indexes whose keys fit. Throws if none fits. */
export function accessOf(
  path: UnresolvedPath,
  kinds: readonly Kind[],
  indexes: readonly LayoutIndex[],
  names: StoredNames,
): Access {
  const { type, name, method, requiredSlots, order, partitionAttribute } = path
  const kind = kinds.find(candidate => candidate.name === path.kind)!
  const onTable = method === 'adjacent' || method === 'mirror' || kind.role === 'unique'
  const sources: TableOrIndex[] = [
    // The path's own index goes first: another index that fits may be sparse and omit some items.
    ...indexes.filter(({ partition }) => partition[0] === partitionAttribute),
    ...indexes.filter(index => !onTable && (index.kind === 'local') === (method === 'local')),
    names.keySchema,
    ...indexes,
  ]
  const candidates = findAccesses(path, kind, sources)
  // A custom key may omit slots at the end of the order that the item's own key contains: they only break ties.
  for (let shortened = order; shortened.length > 1 && tableKeySlots(kind, names).includes(shortened.at(-1)!); ) {
    shortened = shortened.slice(0, -1)
    candidates.push(...findAccesses({ ...path, order: shortened }, kind, sources))
  }
  // An index is incomplete for this path if it is sorted by an optional slot that the path does not name.
  const complete = candidates.find(({ sortSlots }) =>
    sortSlots.every(part => order.includes(part) || !type.attributes[part]?.optional),
  )
  const access = complete ?? candidates[0]
  if (access) return access
  throw new GraphError(
    'layout.path',
    `${type.name}.by.${name}: no key serves this path; give ${kind.name} a key of ${requiredSlots.join() || 'nothing'}, sorted by ${order.join() || 'anything'}.`,
    { type: type.name, name },
  )
}

function findAccesses(path: UnresolvedPath, kind: Kind, sources: readonly TableOrIndex[]): Access[] {
  const { type, name, method, requiredSlots, order, shardAt } = path
  return sources.flatMap(({ name: index, kind: indexKind, partition: [first], sort: [second], native }) => {
    const isNative = method === 'native'
    if (isNative ? index !== `${type.name}_${name}` : native) return []
    const partition = isNative ? undefined : kind.keys[first!]
    const sort = isNative ? undefined : kind.keys[second!]
    const parts = isNative ? order : partition && !second === !sort && matchSortSlots(path, partition, sort)
    const isSpread = partition?.slots.some(({ type }) => type === SHARD_TYPE)
    const shards = isSpread ? kind.shards[first!] : shardAt ? kind.shards[shardAt] : 1
    if (!parts || !shards) return []
    const consistent = indexKind !== 'global'
    return {
      type,
      name,
      method,
      kind,
      index,
      partition,
      sort,
      requiredSlots,
      sortSlots: parts,
      shards,
      shardAt,
      consistent,
    }
  })
}

/** The remaining sort slots, if the partition key consists of required slots and the requested order comes first. */
function matchSortSlots(
  { requiredSlots, order }: UnresolvedPath,
  partition: KeyTemplate,
  sort: KeyTemplate | undefined,
): string[] | false {
  const inPartition = declaredSlotsOf(partition)
  const sortKeySlots = sort ? declaredSlotsOf(sort) : []
  const leadingSlots = requiredSlots.filter(slot => !inPartition.includes(slot))
  const parts = sortKeySlots.slice(leadingSlots.length).filter(slot => !requiredSlots.includes(slot))
  const fits =
    inPartition.every(slot => requiredSlots.includes(slot)) &&
    sortKeySlots.slice(0, leadingSlots.length).every(slot => leadingSlots.includes(slot)) &&
    order.every((slot, i) => parts[i] === slot || requiredSlots.includes(slot))
  return fits && parts
}

/** The declared slots of a template. Tenant and shard slots are added by edgewise and excluded. */
function declaredSlotsOf({ slots }: KeyTemplate): string[] {
  return slots.flatMap(({ name, type }) => (type === FREE_TEXT_TYPE || type === SHARD_TYPE ? [] : name))
}
