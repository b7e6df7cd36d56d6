import type { AccessMethod } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import type { UnresolvedPath } from '../keys/default-keys.js'
import type { KeyTemplate } from '../keys/template.js'
import { type Kind, tableKeySlots } from '../kinds.js'
import { type DeclaredType, FREE_TEXT_TYPE, SHARD_TYPE } from '../slots.js'
import type { StoredNames } from '../stored-names.js'
import type { LayoutIndex } from './indexes.js'

/** How a path is read: from where, by which keys, and what can be said of its order. */
export interface Access {
  readonly type: DeclaredType
  readonly name: string
  readonly method: AccessMethod
  /** The kind of item that it finds. */
  readonly kind: Kind
  /** The index that it reads, or the table itself. */
  readonly index: string | undefined
  /** Undefined on an index of native keys, whose parts are attributes. */
  readonly partition: KeyTemplate | undefined
  readonly sort: KeyTemplate | undefined
  /** The slots that a read must give. */
  readonly requiredSlots: readonly string[]
  /** The slots that it is sorted by, in order: `where` gives them from the left. */
  readonly sortSlots: readonly string[]
  readonly shards: number
  /** Whether it can be read strongly consistently. */
  readonly consistent: boolean
}

/** The table, or one of its indexes. */
type TableOrIndex = Pick<LayoutIndex, 'partition' | 'sort'> & Partial<Pick<LayoutIndex, 'name' | 'kind' | 'native'>>

/** Which of the table and its indexes serves a path: the first, in the way it asks for, whose keys fit. */
export function accessOf(
  path: UnresolvedPath,
  kinds: readonly Kind[],
  indexes: readonly LayoutIndex[],
  names: StoredNames,
): Access {
  const { type, name, method, requiredSlots, order, partitionAttribute } = path
  const kind = kinds.find(each => each.name === path.kind)!
  const onTable = method === 'adjacent' || method === 'mirror' || kind.role === 'unique'
  const sources: TableOrIndex[] = [
    // Another index that fits may lack entries that its own keys, being sparse, do not have.
    ...indexes.filter(({ partition }) => partition[0] === partitionAttribute),
    ...indexes.filter(index => !onTable && (index.kind === 'local') === (method === 'local')),
    names.keySchema,
    ...indexes,
  ]
  const candidates = findAccesses(path, kind, sources)
  // A given key may leave out the end of an order that only tells equals apart: what the item's own key tells.
  for (let shortened = order; shortened.length > 1 && tableKeySlots(kind, names).includes(shortened.at(-1)!); ) {
    shortened = shortened.slice(0, -1)
    candidates.push(...findAccesses({ ...path, order: shortened }, kind, sources))
  }
  // What has no value for a part that the path does not ask for is not in an index that is sorted by it.
  const complete = candidates.find(({ sortSlots }) =>
    sortSlots.every(part => order.includes(part) || !type.attributes[part]?.optional),
  )
  const access = complete ?? candidates[0]
  if (access) return access
  throw new GraphError(
    'layout.path',
    `${type.name}.by.${name}: give ${kind.name} a key of ${requiredSlots.join() || 'nothing'}, sorted by ${order.join() || 'anything'}`,
    { type: type.name, name },
  )
}

function findAccesses(path: UnresolvedPath, kind: Kind, sources: readonly TableOrIndex[]): Access[] {
  const { type, name, method, requiredSlots, order } = path
  return sources.flatMap(({ name: index, kind: indexKind, partition: [first], sort: [second], native }) => {
    const isNative = method === 'native'
    if (isNative ? index !== `${type.name}_${name}` : native) return []
    const partition = isNative ? undefined : kind.keys[first!]
    const sort = isNative ? undefined : kind.keys[second!]
    const parts = isNative ? order : partition && !second === !sort && matchSortSlots(path, partition, sort)
    const isSpread = partition?.slots.some(({ type }) => type === SHARD_TYPE)
    const shards = isSpread ? kind.shards[first!] : 1
    if (!parts || !shards) return []
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
      consistent: indexKind !== 'global',
    }
  })
}

/** The slots left to sort by, where the partition is made of what is given and the order asked for comes first. */
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

/** The slots of what is declared: a tenant and a shard are not, unless something is called so. */
function declaredSlotsOf({ slots }: KeyTemplate): string[] {
  return slots.flatMap(({ name, type }) => (type === FREE_TEXT_TYPE || type === SHARD_TYPE ? [] : name))
}
