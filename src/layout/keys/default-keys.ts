import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import { isRanking } from '../../schema/checks/attributes.js'
import type { AccessMethod, DeclaredEdge, DeclaredEnd, DeclaredGraph, DeclaredNode } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { rankingCountersOf } from '../items/derived-values.js'
import {
  allReferenceSlots,
  type DeclaredType,
  identitySlotsOf,
  partSlots,
  referenceSlots,
  SHARD_SLOT,
  TENANT_SLOT,
} from '../slots.js'
import type { StoredNames } from '../stored-names.js'
import { edgeIdentitySlots, joinTemplate, NODE_SORT, nodePlaceOf, otherEndOf } from './default-templates.js'

export const PARTITION = 'PK'
export const SORT = 'SK'
export const INVERTED = 'inverted'

export type KindRole = 'node' | 'edge' | 'mirror' | 'facet' | 'unique'

/** A kind of item with unparsed templates: their texts by key attribute. */
export interface UnparsedKind {
  readonly name: string
  readonly role: KindRole
  readonly type: DeclaredType
  /** The member of the type that the kind serves: the end of a mirror, the path of a facet, the unique attribute. */
  readonly memberName?: string | undefined
  readonly templateTexts: Record<string, string>
  /** The number of shards by partition key attribute; keys without shards are not listed. */
  readonly shards: Record<string, number>
  /** The slots that it stores as attributes although its key contains them: an index of native keys needs them. */
  readonly storedKeySlots: string[]
}

/** A path before its table or index is chosen. */
export interface UnresolvedPath {
  readonly type: DeclaredType
  readonly name: string
  readonly method: AccessMethod
  /** The kind of item that it reads. */
  readonly kind: string
  /** The slots for which every read gives a value, which select one partition. */
  readonly requiredSlots: readonly string[]
  /** The slots of the requested sort order. */
  readonly order: readonly string[]
  /** The sort order with further slots that break ties. */
  readonly fullOrder: readonly string[]
  /** The partition key attribute of the index made for it; undefined if the table serves it. */
  readonly partitionAttribute: string | undefined
  /** Of a ranking by a counter in shards: the attribute that holds the shard. */
  readonly shardAt?: string | undefined
}

/** The access methods that need a sort key in the table. */
const SORTED_METHODS: ReadonlySet<AccessMethod> = new Set(['local', 'mirror', 'inverted'])

export interface DefaultKeys {
  readonly kinds: readonly UnparsedKind[]
  readonly paths: readonly UnresolvedPath[]
}

interface TemplatePair {
  readonly partition: string
  readonly sort: string
  readonly shards?: number
}

/** A path with the key templates that an index needs for it. */
type PathKeys = Pick<UnresolvedPath, 'name' | 'requiredSlots' | 'order'> &
  Partial<TemplatePair & Pick<UnresolvedPath, 'fullOrder'>>

/** Derives every kind of item and every path of a graph, with default keys. */
export function deriveDefaultKeys({ nodes, edges, tenant }: DeclaredGraph, names: StoredNames): DefaultKeys {
  const kinds: UnparsedKind[] = []
  const paths: UnresolvedPath[] = []

  const addKind = (role: KindRole, type: DeclaredType, keys: TemplatePair, memberName?: string): UnparsedKind => {
    const name = memberName ? `${type.name}.${memberName}` : type.name
    const kind: UnparsedKind = { name, role, type, memberName, templateTexts: {}, shards: {}, storedKeySlots: [] }
    setTemplates(kind, names, keys)
    kinds.push(kind)
    return kind
  }

  /** Adds a path. Each further index entry of an item uses the next overloaded index. */
  const addPath = (kind: UnparsedKind, method: AccessMethod, pathKeys: PathKeys) => {
    const { type, templateTexts, storedKeySlots } = kind
    const { name, order, sort = '', fullOrder = [] } = pathKeys
    const isLeaderboard = isLeaderboardPath(type, method, order)
    const fault = methodFaultOf(type, method, pathKeys, names)
    rejectDeclarationIf(
      type.name,
      fault,
      'path.way',
      name,
      `by.${name} cannot be ${method} ${fault}; declare as: 'index'.`,
    )
    // The tenant is a prefix of every composed key, but an attribute of its own in a native key.
    const requiredSlots =
      tenant && method === 'native' ? [TENANT_SLOT, ...pathKeys.requiredSlots] : pathKeys.requiredSlots
    const head = sort && (method === 'index' || method === 'item') ? nextIndexName(templateTexts, 'GSI') : undefined
    if (head) setTemplates(kind, { partition: head + PARTITION, sort: head + SORT }, pathKeys as TemplatePair)
    if (method === 'local') templateTexts[nextIndexName(templateTexts, 'LSI') + SORT] = sort
    if (method === 'native') storedKeySlots.push(...requiredSlots, ...fullOrder)
    // The attributes of a native key cannot hold a shard, so the shard is one more attribute.
    const shardAt = isLeaderboard && pathKeys.shards! > 1 ? `${type.name}_${name}_shard` : undefined
    if (shardAt) {
      templateTexts[shardAt] = `{${SHARD_SLOT}}`
      kind.shards[shardAt] = pathKeys.shards!
    }
    paths.push({
      type,
      name,
      method,
      kind: kind.name,
      requiredSlots,
      order,
      fullOrder,
      partitionAttribute: head && head + PARTITION,
      shardAt,
    })
  }

  for (const node of nodes) addNodeKeys(node, names, addKind, addPath)
  for (const edge of edges) addEdgeKeys(edge, names, addKind, addPath)
  return { kinds, paths }
}

/** Whether a path is a native index of nodes, sorted by a counter. */
const isLeaderboardPath = (type: DeclaredType, method: AccessMethod, order: readonly string[]): boolean =>
  method === 'native' && type.kind === 'node' && !type.within && ranksByCounter(type, order)

/** The reason why a path cannot have its access method; false if it can. */
function methodFaultOf(type: DeclaredType, method: AccessMethod, { order, shards = 1 }: PathKeys, names: StoredNames) {
  const isUnshardable =
    (method === 'native' && !isLeaderboardPath(type, method, order)) || (method === 'local' && type.kind === 'node')
  if (isUnshardable && shards > 1) return `with 'shards'`
  return !names.sort && SORTED_METHODS.has(method) && 'without a sort key'
}

/** Sets the templates of a key on a kind. */
function setTemplates(
  { templateTexts, shards: shardCounts }: UnparsedKind,
  attributes: TemplatePair,
  { partition, sort, shards = 1 }: TemplatePair,
): void {
  // Without a sort key in the table, the sort template becomes the end of the partition template.
  const head = attributes.sort || sort === NODE_SORT ? partition : `${partition}#${sort}`
  templateTexts[attributes.partition] = shards > 1 ? `${head}#{${SHARD_SLOT}}` : head
  if (attributes.sort) templateTexts[attributes.sort] = sort
  if (shards > 1) shardCounts[attributes.partition] = shards
}

/** Returns the name of the first overloaded index that the kind does not use yet. */
function nextIndexName(templateTexts: Readonly<Record<string, string>>, prefix: 'GSI' | 'LSI'): string {
  let number = 1
  while (templateTexts[prefix + number + SORT]) number++
  return prefix + number
}

const ranksByCounter = (node: DeclaredNode, order: readonly string[]): boolean => {
  const ranking = rankingCountersOf(node)
  return order.some(part => ranking.includes(part))
}

type AddKind = (role: KindRole, type: DeclaredType, keys: TemplatePair, memberName?: string) => UnparsedKind
type AddPath = (kind: UnparsedKind, method: AccessMethod, pathKeys: PathKeys) => void

function addNodeKeys(node: DeclaredNode, names: StoredNames, addKind: AddKind, addPath: AddPath): void {
  const { name: type, id, within, unique, paths } = node
  const { partition, innerSlots } = nodePlaceOf(node)
  const sort = within ? joinTemplate(type, innerSlots) : NODE_SORT
  const nodeKind = addKind('node', node, { partition, sort })
  const owner = allReferenceSlots(node)
  if (within)
    addPath(nodeKind, names.sort ? 'adjacent' : 'index', {
      name: within.name,
      requiredSlots: owner,
      order: id,
      partition,
      sort,
    })
  for (const { name, as, shards, ...parts } of paths) {
    const requiredSlots = partSlots(node, parts.in)
    const order = partSlots(node, parts.order)
    // A counter or a summary changes in place, so an index sorted by it needs the attribute itself as its key.
    const method = as ?? (order.some(part => isRanking(node.attributes[part])) ? 'native' : 'index')
    const head = `${type}.${name}`
    // The rest of the node's id follows the order, so that no two entries have equal keys.
    const fullOrder = [...new Set([...order, ...identitySlotsOf(node)])].filter(slot => !requiredSlots.includes(slot))
    // A facet is a separate item next to its node. In the partition of an owner, many facets share that owner, which
    // the partition key contains.
    const facetSlots = [...requiredSlots, ...order].filter(slot => !owner.includes(slot))
    const kind =
      method === 'item'
        ? addKind('facet', node, { partition, sort: joinTemplate(head, new Set([...innerSlots, ...facetSlots])) }, name)
        : nodeKind
    addPath(kind, method, {
      name,
      order,
      fullOrder,
      shards,
      partition: joinTemplate(head, requiredSlots),
      ...(method === 'local'
        ? // The part that identifies the owner within the partition comes first.
          {
            requiredSlots: owner,
            sort: joinTemplate(type, new Set([...innerSlots.slice(0, -id.length), ...order, ...id])),
          }
        : // Sort keys of an index have no name prefix.
          { requiredSlots, sort: joinTemplate('', fullOrder).slice(1) || NODE_SORT }),
    })
  }
  for (const name of unique) {
    const keys = { partition: joinTemplate(`${type}.${name}`, [name]), sort: NODE_SORT }
    addPath(addKind('unique', node, keys, name), 'item', { name, requiredSlots: [name], order: [] })
  }
}

function addEdgeKeys(edge: DeclaredEdge, names: StoredNames, addKind: AddKind, addPath: AddPath): void {
  const { name: type, one, undirected } = edge
  const home = homeEndOf(edge)
  const keysAt = (end: DeclaredEnd, head = type) => {
    const { name, node, by } = end
    const { partition, innerSlots } = nodePlaceOf(node, name)
    const identity = edgeIdentitySlots(edge, end)
    const order = partSlots(edge, by.order)
    const fullOrder = [...new Set([...order, ...identity])]
    const requiredSlots = referenceSlots(end)
    const sort = joinTemplate(head, [...innerSlots, ...fullOrder])
    return {
      name,
      requiredSlots,
      order,
      partition,
      sort,
      shards: by.shards,
      fullOrder,
      innerSlots,
      identity,
    }
  }
  const homeKeys = keysAt(home)
  // Without a sort key, a partition holds one item.
  const isAdjacent = names.sort && !hasCustomOrder(edge, home)
  // A `one` edge has no other end in its key, so a second edge would have the same key.
  const isOnlyEdge = one === home.name
  const sort = joinTemplate(type, [
    ...homeKeys.innerSlots,
    ...(isOnlyEdge ? [] : isAdjacent ? homeKeys.fullOrder : homeKeys.identity),
  ])
  const edgeKind = addKind('edge', edge, { ...homeKeys, sort })
  const { as } = home.by
  if (as !== 'none')
    // The home end cannot have a mirror, because the edge itself is stored there. A custom order is served by an index.
    addPath(edgeKind, isAdjacent ? 'adjacent' : as === 'local' || as === 'native' ? as : 'index', {
      ...homeKeys,
      order: isOnlyEdge ? [] : homeKeys.order,
    })
  const end = otherEndOf(edge, home)
  const method = end.by.as ?? (names.sort && (undirected || hasStreamDerivedData(edge, end.name)) ? 'mirror' : 'index')
  if (method === 'none') return
  rejectDeclarationIf(
    type,
    method === 'local',
    'path.way',
    end.name,
    `by.${end.name} cannot be local, because the edge is stored with its other end; declare that end as: 'local', or this one as: 'index'.`,
  )
  if (method === 'mirror') {
    const mirrorKeys = keysAt(end, undirected && isAdjacent ? type : `${type}.${end.name}`)
    addPath(addKind('mirror', edge, mirrorKeys, end.name), method, mirrorKeys)
  } else addPath(edgeKind, method, { ...keysAt(end), ...(method === 'inverted' && { order: [] }) })
}

/** Whether an end is sorted by attributes that are not part of the edge's identity. */
const hasCustomOrder = (edge: DeclaredEdge, end: DeclaredEnd) =>
  end.by.order.some(part => ![otherEndOf(edge, end).name, ...edge.key].includes(part))

/** Returns the home end, in whose partition an edge is stored. */
function homeEndOf(edge: DeclaredEdge): DeclaredEnd {
  const { ends, one } = edge
  const [first, second] = ends
  const chosen = ends.find(end => (one ? end.name === one : end.by.as === 'adjacent'))
  if (chosen) return chosen
  const { as } = first.by
  // Only the end that is not the home end can have a mirror with a custom order.
  const isMirror =
    (as ?? (hasStreamDerivedData(edge, first.name) && 'mirror')) === 'mirror' && hasCustomOrder(edge, first)
  const isElsewhere = second.by.as ? isMirror && !hasCustomOrder(edge, second) : as ? as !== 'local' : isMirror
  return isElsewhere ? second : first
}
