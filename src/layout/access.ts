import type { Way } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { PathDraft } from './drafts.js'
import type { Index } from './indexes.js'
import { type Kind, ownSlots } from './kinds.js'
import type { Names } from './names.js'
import { type DeclaredType, FREE_TEXT, SPREADING } from './slots.js'
import type { Template } from './template.js'

/** How a path is read: from where, by which keys, and what can be said of its order. */
export interface Access {
  readonly type: DeclaredType
  readonly name: string
  readonly way: Way
  /** The kind of item that it finds. */
  readonly kind: Kind
  /** The index that it reads, or the table itself. */
  readonly index: string | undefined
  /** Undefined on an index of native keys, whose parts are attributes. */
  readonly partition: Template | undefined
  readonly sort: Template | undefined
  /** The slots that a read must give. */
  readonly given: readonly string[]
  /** The slots that it is sorted by, in order: `where` gives them from the left. */
  readonly parts: readonly string[]
  readonly shards: number
  /** Whether it can be read strongly consistently. */
  readonly consistent: boolean
}

/** The table, or one of its indexes. */
type Place = Pick<Index, 'partition' | 'sort'> & Partial<Pick<Index, 'name' | 'kind' | 'native'>>

/** Which of the table and its indexes serves a path: the first, in the way it asks for, whose keys fit. */
export function accessOf(path: PathDraft, kinds: readonly Kind[], indexes: readonly Index[], names: Names): Access {
  const { type, name, way, given, order, at } = path
  const kind = kinds.find(each => each.name === path.kind)!
  const onTable = way === 'adjacent' || way === 'mirror' || kind.role === 'unique'
  const places: Place[] = [
    // Another index that fits may lack entries that its own keys, being sparse, do not have.
    ...indexes.filter(({ partition }) => partition[0] === at),
    ...indexes.filter(index => !onTable && (index.kind === 'local') === (way === 'local')),
    names.place,
    ...indexes,
  ]
  const found = served(path, kind, places)
  // A given key may leave out the end of an order that only tells equals apart: what the item's own key tells.
  for (let rest = order; rest.length > 1 && ownSlots(kind, names).includes(rest.at(-1)!); ) {
    rest = rest.slice(0, -1)
    found.push(...served({ ...path, order: rest }, kind, places))
  }
  // What has no value for a part that the path does not ask for is not in an index that is sorted by it.
  const whole = found.find(({ parts }) => parts.every(part => order.includes(part) || !type.attributes[part]?.optional))
  const access = whole ?? found[0]
  if (access) return access
  throw new GraphError(
    'layout.path',
    `${type.name}.by.${name}: give ${kind.name} a key of ${given.join() || 'nothing'}, sorted by ${order.join() || 'anything'}`,
    { type: type.name, name },
  )
}

function served(path: PathDraft, kind: Kind, places: readonly Place[]): Access[] {
  const { type, name, way, given, order } = path
  return places.flatMap(({ name: index, kind: reach, partition: [first], sort: [second], native }) => {
    const isNative = way === 'native'
    if (isNative ? index !== `${type.name}_${name}` : native) return []
    const partition = isNative ? undefined : kind.keys[first!]
    const sort = isNative ? undefined : kind.keys[second!]
    const parts = isNative ? order : partition && !second === !sort && partsOf(path, partition, sort)
    const isSpread = partition?.slots.some(({ part }) => part === SPREADING)
    const shards = isSpread ? kind.shards[first!] : 1
    if (!parts || !shards) return []
    return { type, name, way, kind, index, partition, sort, given, parts, shards, consistent: reach !== 'global' }
  })
}

/** The slots left to sort by, where the partition is made of what is given and the order asked for comes first. */
function partsOf({ given, order }: PathDraft, partition: Template, sort: Template | undefined): string[] | false {
  const inPartition = slotNames(partition)
  const sorted = sort ? slotNames(sort) : []
  const head = given.filter(slot => !inPartition.includes(slot))
  const parts = sorted.slice(head.length).filter(slot => !given.includes(slot))
  const fits =
    inPartition.every(slot => given.includes(slot)) &&
    sorted.slice(0, head.length).every(slot => head.includes(slot)) &&
    order.every((slot, i) => parts[i] === slot || given.includes(slot))
  return fits && parts
}

/** The slots of what is declared: a tenant and a shard are not, unless something is called so. */
function slotNames({ slots }: Template): string[] {
  return slots.flatMap(({ name, part }) => (part === FREE_TEXT || part === SPREADING ? [] : name))
}
