import type { DeclaredEdge, DeclaredEnd, DeclaredGraph, DeclaredNode, Way } from '../schema/declared.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { refuse } from '../schema/refusal.js'
import { identitySlots, joined, NODE_SORT, otherEnd, placeOf } from './default-keys.js'
import { rankedBy } from './derived.js'
import type { Names } from './names.js'
import {
  type DeclaredType,
  identityOf,
  partSlots,
  referenceSlots,
  referredSlots,
  SHARD_SLOT,
  TENANT_SLOT,
} from './slots.js'

export const PARTITION = 'PK'
export const SORT = 'SK'
export const INVERTED = 'inverted'

export type Role = 'node' | 'edge' | 'mirror' | 'facet' | 'unique'

/** A kind of item before its templates are read: their texts by key attribute. */
export interface KindDraft {
  readonly name: string
  readonly role: Role
  readonly type: DeclaredType
  /** What of the type it is for: the end of a mirror, the path of a facet, the unique attribute. */
  readonly of?: string | undefined
  readonly texts: Record<string, string>
  /** Into how many partitions a partition key is spread, by key attribute; those not spread are not in it. */
  readonly shards: Record<string, number>
  /** The slots that it holds as attributes although its key tells them: an index of native keys needs them. */
  readonly held: string[]
}

/** A way of reading, as far as the declaration decides it. */
export interface PathDraft {
  readonly type: DeclaredType
  readonly name: string
  readonly way: Way
  /** The kind of item that it reads. */
  readonly kind: string
  /** The slots that a read gives, which are one partition. */
  readonly given: readonly string[]
  /** The slots that it must be sorted by. */
  readonly order: readonly string[]
  /** Those, and what then tells equals apart. */
  readonly sorted: readonly string[]
  /** The partition key that was made for it, unless it lies on the table. */
  readonly at: string | undefined
}

export interface Drafts {
  readonly kinds: readonly KindDraft[]
  readonly paths: readonly PathDraft[]
}

interface Keys {
  readonly partition: string
  readonly sort: string
  readonly shards?: number
}

/** A path, with the keys that an index needs for it. */
type Served = Pick<PathDraft, 'name' | 'given' | 'order'> & Partial<Keys & Pick<PathDraft, 'sorted'>>

/** Every kind of item and every way of reading that a graph asks for, with the keys that it has by default. */
export function draft({ nodes, edges, tenant }: DeclaredGraph, names: Names): Drafts {
  const kinds: KindDraft[] = []
  const paths: PathDraft[] = []

  const place = ({ texts, shards: spread }: KindDraft, at: Keys, { partition, sort, shards = 1 }: Keys) => {
    // Where a table has no sort key, what would be in it ends the partition's.
    const head = at.sort || sort === NODE_SORT ? partition : `${partition}#${sort}`
    texts[at.partition] = shards > 1 ? `${head}#{${SHARD_SLOT}}` : head
    if (at.sort) texts[at.sort] = sort
    if (shards > 1) spread[at.partition] = shards
  }

  const addKind = (role: Role, type: DeclaredType, keys: Keys, of?: string): KindDraft => {
    const name = of ? `${type.name}.${of}` : type.name
    const kind: KindDraft = { name, role, type, of, texts: {}, shards: {}, held: [] }
    place(kind, names, keys)
    kinds.push(kind)
    return kind
  }

  /** Each further index entry of an item goes to the next of the overloaded indexes. */
  const addPath = (kind: KindDraft, way: Way, served: Served) => {
    const { type, texts, held } = kind
    const { name, order, sort = '', sorted = [] } = served
    const isWhole = way === 'native' || (way === 'local' && type.kind === 'node')
    const fault =
      (isWhole && served.shards! > 1 && `with 'shards'`) ||
      (!names.sort && /local|mirror|inverted/.test(way) && 'without a sort key')
    refuse(type.name, fault, 'path.way', name, `by.${name} cannot be ${way} ${fault}: say 'index'`)
    // The tenant leads every composed key; a native one has it as an attribute.
    const given = tenant && way === 'native' ? [TENANT_SLOT, ...served.given] : served.given
    const next = (index: string) => {
      let number = 1
      while (texts[index + number + SORT]) number++
      return index + number
    }
    const head = sort && (way === 'index' || way === 'item') ? next('GSI') : undefined
    if (head) place(kind, { partition: head + PARTITION, sort: head + SORT }, served as Keys)
    if (way === 'local') texts[next('LSI') + SORT] = sort
    if (way === 'native') held.push(...given, ...sorted)
    paths.push({ type, name, way, kind: kind.name, given, order, sorted, at: head && head + PARTITION })
  }

  for (const node of nodes) draftNode(node, names, addKind, addPath)
  for (const edge of edges) draftEdge(edge, names, addKind, addPath)
  return { kinds, paths }
}

type AddKind = (role: Role, type: DeclaredType, keys: Keys, of?: string) => KindDraft
type AddPath = (kind: KindDraft, way: Way, served: Served) => void

function draftNode(node: DeclaredNode, names: Names, addKind: AddKind, addPath: AddPath): void {
  const { name: type, id, within, unique, paths } = node
  const { partition, inner } = placeOf(node)
  const ranked = rankedBy(node)
  const sort = within ? joined(type, inner) : NODE_SORT
  const own = addKind('node', node, { partition, sort })
  const owner = referredSlots(node)
  if (within)
    addPath(own, names.sort ? 'adjacent' : 'index', { name: within.name, given: owner, order: id, partition, sort })
  for (const { name, as, shards, ...parts } of paths) {
    const given = partSlots(node, parts.in)
    const order = partSlots(node, parts.order)
    // A counter changes in place, so that an index of it has the attribute itself in its key.
    const way = as ?? (order.some(part => ranked.includes(part)) ? 'native' : 'index')
    const head = `${type}.${name}`
    // The order, then what is left of the node's id, so that no two entries are equal.
    const sorted = [...new Set([...order, ...identityOf(node)])].filter(slot => !given.includes(slot))
    // A facet is an item of its own beside its node: one of many in its owner's partition, which tells the owner.
    const told = [...given, ...order].filter(slot => !owner.includes(slot))
    const kind =
      way === 'item'
        ? addKind('facet', node, { partition, sort: joined(head, new Set([...inner, ...told])) }, name)
        : own
    addPath(kind, way, {
      name,
      order,
      sorted,
      shards,
      partition: joined(head, given),
      ...(way === 'local'
        ? // What tells its owner apart in the partition comes first.
          { given: owner, sort: joined(type, new Set([...inner.slice(0, -id.length), ...order, ...id])) }
        : // What sorts an index has no name before it.
          { given, sort: joined('', sorted).slice(1) || NODE_SORT }),
    })
  }
  for (const name of unique) {
    const keys = { partition: joined(`${type}.${name}`, [name]), sort: NODE_SORT }
    addPath(addKind('unique', node, keys, name), 'item', { name, given: [name], order: [] })
  }
}

function draftEdge(edge: DeclaredEdge, names: Names, addKind: AddKind, addPath: AddPath): void {
  const { name: type, one, undirected } = edge
  const home = homeEnd(edge)
  const at = (end: DeclaredEnd, head = type) => {
    const { name, node, by } = end
    const { partition, inner } = placeOf(node, name)
    const identity = identitySlots(edge, end)
    const order = partSlots(edge, by.order)
    const sorted = [...new Set([...order, ...identity])]
    const given = referenceSlots(end)
    const sort = joined(head, [...inner, ...sorted])
    return { name, given, order, partition, sort, shards: by.shards, sorted, inner, identity }
  }
  const near = at(home)
  // Without a sort key nothing lies beside another.
  const beside = names.sort && !strays(edge, home)
  // Of a node that has at most one such edge, what it leads to is not in the key, so a second cannot be there.
  const only = one === home.name
  const sort = joined(type, [...near.inner, ...(only ? [] : beside ? near.sorted : near.identity)])
  const own = addKind('edge', edge, { ...near, sort })
  const { as } = home.by
  if (as !== 'none')
    // Where an edge lies it cannot lie again: a mirror in an order of its own is an index there.
    addPath(own, beside ? 'adjacent' : as === 'local' || as === 'native' ? as : 'index', {
      ...near,
      order: only ? [] : near.order,
    })
  const end = otherEnd(edge, home)
  const way = end.by.as ?? (names.sort && (undirected || keptByStream(edge, end.name)) ? 'mirror' : 'index')
  if (way === 'none') return
  refuse(
    type,
    way === 'local',
    'path.way',
    end.name,
    `by.${end.name} lies with the other end: say 'local' there, or 'index'`,
  )
  if (way === 'mirror') {
    const far = at(end, undirected && beside ? type : `${type}.${end.name}`)
    addPath(addKind('mirror', edge, far, end.name), way, far)
  } else addPath(own, way, { ...at(end), ...(way === 'inverted' && { order: [] }) })
}

/** Whether an end is sorted by anything but what tells its edges apart. */
const strays = (edge: DeclaredEdge, end: DeclaredEnd) =>
  end.by.order.some(part => ![otherEnd(edge, end).name, ...edge.key].includes(part))

/** The end in whose partition an edge lies. */
function homeEnd(edge: DeclaredEdge): DeclaredEnd {
  const { ends, one } = edge
  const [first, second] = ends
  const chosen = ends.find(end => (one ? end.name === one : end.by.as === 'adjacent'))
  if (chosen) return chosen
  const { as } = first.by
  // Only where an edge does not lie it can be a mirror in an order of its own.
  const isMirror = (as ?? (keptByStream(edge, first.name) && 'mirror')) === 'mirror' && strays(edge, first)
  const isElsewhere = second.by.as ? isMirror && !strays(edge, second) : as ? as !== 'local' : isMirror
  return isElsewhere ? second : first
}
