import type { DeclaredEdge, DeclaredEnd, DeclaredGraph, DeclaredNode, DeclaredPath, Way } from '../schema/declared.js'
import {
  edgeSortText,
  facetSortText,
  identitySlots,
  joined,
  NODE_SORT,
  nodeSortText,
  orderSlots,
  otherEnd,
  partitionText,
  pathPartitionText,
  pathSortText,
  uniquePartitionText,
} from './default-keys.js'
import { type DeclaredType, idSlots, referenceSlots, SHARD_SLOT } from './slots.js'

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
  readonly of: string | undefined
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
  readonly shards: number
}

export interface NativeDraft {
  readonly name: string
  readonly partition: readonly string[]
  readonly sort: readonly string[]
}

export interface Drafts {
  readonly kinds: readonly KindDraft[]
  readonly paths: readonly PathDraft[]
  readonly native: readonly NativeDraft[]
}

/** Every kind of item and every way of reading that a graph asks for, with the keys that it has by default. */
export function draft(graph: DeclaredGraph): Drafts {
  const parts = [...graph.nodes.map(draftNode), ...graph.edges.map(draftEdge)]
  return {
    kinds: parts.flatMap(({ kinds }) => kinds),
    paths: parts.flatMap(({ paths }) => paths),
    native: parts.flatMap(({ native }) => native),
  }
}

/** Collects what one type asks for; each further index entry of an item goes to the next of the overloaded indexes. */
class TypeDraft {
  readonly kinds: KindDraft[] = []
  readonly paths: PathDraft[] = []
  readonly native: NativeDraft[] = []

  constructor(private readonly type: DeclaredType) {}

  kind(role: Role, keys: { partition: string; sort: string; shards?: number }, of?: string): KindDraft {
    const name = of === undefined ? this.type.name : `${this.type.name}.${of}`
    const made: KindDraft = { name, role, type: this.type, of, texts: {}, shards: {}, held: [] }
    this.place(made, PARTITION, SORT, keys)
    this.kinds.push(made)
    return made
  }

  path(name: string, way: Way, kind: KindDraft, given: readonly string[], order: readonly string[], shards = 1): void {
    this.paths.push({ type: this.type, name, way, kind: kind.name, given, order, shards })
  }

  index(kind: KindDraft, keys: { partition: string; sort: string; shards?: number }): void {
    const number = countOf(kind, /^GSI\d+PK$/) + 1
    this.place(kind, `GSI${number}PK`, `GSI${number}SK`, keys)
  }

  local(kind: KindDraft, sort: string): void {
    kind.texts[`LSI${countOf(kind, /^LSI/) + 1}SK`] = sort
  }

  byAttributes(kind: KindDraft, path: string, partition: readonly string[], sort: readonly string[]): void {
    this.native.push({ name: `${this.type.name}_${path}`, partition, sort })
    kind.held.push(...partition, ...sort)
  }

  private place(
    { texts, shards: spread }: KindDraft,
    partitionAttribute: string,
    sortAttribute: string,
    { partition, sort, shards = 1 }: { partition: string; sort: string; shards?: number },
  ): void {
    texts[partitionAttribute] = shards > 1 ? `${partition}#{${SHARD_SLOT}}` : partition
    texts[sortAttribute] = sort
    if (shards > 1) spread[partitionAttribute] = shards
  }
}

const countOf = ({ texts }: KindDraft, pattern: RegExp) => Object.keys(texts).filter(name => pattern.test(name)).length

function draftNode(node: DeclaredNode): TypeDraft {
  const draft = new TypeDraft(node)
  const own = draft.kind('node', { partition: partitionText(node), sort: nodeSortText(node) })
  if (node.within) draft.path(node.within.name, 'adjacent', own, referenceSlots(node.within.name, node.within), node.id)
  for (const path of node.paths) draftNodePath(draft, node, path, own)
  for (const attribute of node.unique) {
    const keys = { partition: uniquePartitionText(node, attribute), sort: NODE_SORT }
    draft.path(attribute, 'item', draft.kind('unique', keys, attribute), [attribute], [])
  }
  return draft
}

function draftNodePath(draft: TypeDraft, node: DeclaredNode, path: DeclaredPath, own: KindDraft): void {
  const way = path.as ?? 'index'
  const read = (kind: KindDraft, given = path.in) => draft.path(path.name, way, kind, given, path.order, path.shards)
  const keys = { partition: pathPartitionText(node, path), sort: pathSortText(node, path), shards: path.shards }
  if (way === 'item') {
    const facet = draft.kind('facet', { partition: partitionText(node), sort: facetSortText(node, path) }, path.name)
    draft.index(facet, keys)
    read(facet)
  } else if (way === 'local') {
    const rest = node.id.filter(part => !path.order.includes(part))
    draft.local(own, joined(node.name, [...path.order, ...rest]))
    read(own, node.within ? referenceSlots(node.within.name, node.within) : idSlots(node))
  } else if (way === 'native') {
    const rest = idSlots(node).filter(slot => !path.order.includes(slot) && !path.in.includes(slot))
    draft.byAttributes(own, path.name, path.in, [...path.order, ...rest])
    read(own)
  } else {
    draft.index(own, keys)
    read(own)
  }
}

function draftEdge(edge: DeclaredEdge): TypeDraft {
  const draft = new TypeDraft(edge)
  const home = homeEnd(edge)
  const identity = identitySlots(edge, home)
  const order = orderSlots(edge, home.by.order)
  const beside = order.every(slot => identity.includes(slot))
  const partition = partitionText(home.node, home.name)
  const sorted = edgeSortText(edge.name, edge, home, home.by.order)
  const sort =
    edge.one === home.name ? onlySortText(edge, home) : beside ? sorted : edgeSortText(edge.name, edge, home, [])
  const own = draft.kind('edge', { partition, sort, shards: home.by.shards })
  if (home.by.as !== 'none') {
    const way = beside ? 'adjacent' : home.by.as === 'local' ? 'local' : 'index'
    if (way === 'local') draft.local(own, sorted)
    if (way === 'index') draft.index(own, { partition, sort: sorted, shards: home.by.shards })
    const sorts = edge.one === home.name ? [] : order
    draft.path(home.name, way, own, referenceSlots(home.name, home.node), sorts, home.by.shards)
  }
  draftOtherEnd(draft, edge, otherEnd(edge, home), own)
  return draft
}

/** The end in whose partition an edge lies. */
function homeEnd(edge: DeclaredEdge): DeclaredEnd {
  const [first, second] = edge.ends
  if (edge.one !== undefined) return edge.one === first.name ? first : second
  const adjacent = edge.ends.find(end => end.by.as === 'adjacent')
  if (adjacent) return adjacent
  return first.by.as !== undefined && first.by.as !== 'local' && second.by.as === undefined ? second : first
}

/** A node that has at most one such edge: what it leads to is not in the key, so a second cannot be there. */
function onlySortText(edge: DeclaredEdge, home: DeclaredEnd): string {
  const bare = { ...edge, key: [] }
  const target = identitySlots(bare, home)
    .map(slot => `#{${slot}}`)
    .join('')
  const whole = edgeSortText(edge.name, bare, home, [])
  return whole.slice(0, whole.length - target.length)
}

function draftOtherEnd(draft: TypeDraft, edge: DeclaredEdge, end: DeclaredEnd, own: KindDraft): void {
  const way = end.by.as ?? (edge.undirected ? 'mirror' : 'index')
  const given = referenceSlots(end.name, end.node)
  const order = orderSlots(edge, end.by.order)
  const { shards } = end.by
  const partition = partitionText(end.node, end.name)
  if (way === 'mirror') {
    const head = edge.undirected ? edge.name : `${edge.name}.${end.name}`
    const mirror = draft.kind(
      'mirror',
      { partition, sort: edgeSortText(head, edge, end, end.by.order), shards },
      end.name,
    )
    draft.path(end.name, way, mirror, given, order, shards)
    return
  }
  if (way === 'none') return
  if (way === 'index') draft.index(own, { partition, sort: edgeSortText(edge.name, edge, end, end.by.order), shards })
  if (way === 'native') {
    const rest = identitySlots(edge, end).filter(slot => !order.includes(slot))
    draft.byAttributes(own, end.name, given, [...order, ...rest])
  }
  draft.path(end.name, way, own, given, way === 'inverted' ? [] : order, shards)
}
