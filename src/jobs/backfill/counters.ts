import { type DerivationContext, readCurrentItem } from '../../derive/settle/context.js'
import { counterNamesOf, recountFromZero, repairCounters } from '../../derive/settle/recount.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { LayoutShape } from '../../layout/fingerprint.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { findType, parseOwnItem } from './item.js'

/**
 * The edges of which what the stream keeps is not as it was when it was kept: their items lie elsewhere, a node finds
 * them by mirrors of which it had none, a counter has another name, or others keep it than before.
 */
export function findDisplacedEdges(oldLayout: Layout, newLayout: Layout, changes: readonly string[]): DeclaredEdge[] {
  const { partition, sort } = newLayout.names
  const keys = [`keys.${partition} `, `keys.${sort} `]
  const isMove = (change: string) =>
    [...keys, `shards.${partition} `].some(place => change.includes(`.${place}`)) || change.endsWith(' is gone')
  const isOtherKeeper = (change: string) => / was \["(stream|transaction)".*, is (?!\["\1")/.test(change)
  const edges = [...oldLayout.graph.declared.edges, ...newLayout.graph.declared.edges]
  return edges.filter(edge => {
    const edgeChanges = changes.filter(change => change.startsWith(`kinds.${edge.name}.`))
    const hasNewPath = countersOfEdge(edge).some(({ end }) => edgeChanges.includes(`kinds.${edge.name}.${end} is new`))
    const nodeChanges = edge.ends.flatMap(({ node, name }) => {
      const counters = countersOfEdge(edge).filter(({ end }) => end === name)
      const places = [...keys, ...counters.map(({ into }) => `attributes.${into} `)]
      return changes.filter(change => places.some(place => change.startsWith(`kinds.${node.name}.${place}`)))
    })
    return (
      edgeChanges.some(isOtherKeeper) ||
      (hasStreamDerivedData(edge) && (edgeChanges.some(isMove) || hasNewPath || nodeChanges.length > 0))
    )
  })
}

/**
 * Whether a source that copies follow is stored under another name: what those who know the new one wrote of it, those
 * who followed the stream by the other did not see.
 */
export const isSourceRenamed = (oldLayout: Layout, { graph, names }: Layout): boolean =>
  graph.declared.edges.some(edge =>
    edge.carry.some(({ end, attribute, sync }) => {
      const { node } = findEnd(edge, end)!
      const oldType = findType(oldLayout, node.name)
      return sync && oldType && oldLayout.names.attributeOf(oldType, attribute) !== names.attributeOf(node, attribute)
    }),
  )

const countersOfEdge = ({ count, sum }: DeclaredEdge) => [...count, ...sum]

type ShapeKinds = Pick<LayoutShape, 'kinds'>

/** What an edge keeps by a shape, and how: `end.attribute` of a node, or the name of a copy. */
const aggregatesInShape = ({ kinds }: ShapeKinds, edge: string): Readonly<Record<string, unknown>> =>
  (kinds[edge] as { readonly kept?: Readonly<Record<string, unknown>> } | undefined)?.kept ?? {}

/**
 * The nodes in which the stream keeps a counter that it did not keep before, or of other edges. Such a one may hold what
 * is on no edge as counted, and be right for now: each edge that changes would then be counted once more.
 */
export function findNodesToRecount(oldShape: ShapeKinds, { graph, shape }: Layout): DeclaredNode[] {
  const isSame = (edge: DeclaredEdge, name: string) =>
    JSON.stringify(aggregatesInShape(oldShape, edge.name)[name]) ===
    JSON.stringify(aggregatesInShape(shape, edge.name)[name])
  return graph.declared.edges.flatMap(edge =>
    countersOfEdge(edge)
      .filter(({ end, into, by }) => by === 'stream' && !isSame(edge, `${end}.${into}`))
      .map(({ end }) => findEnd(edge, end)!.node),
  )
}

/**
 * The counters and maps of nodes of a type that an edge kept and none does any more: nobody else can write them. Those
 * of a type that is gone stay, as its edges do.
 */
export function findDroppedAggregates(oldShape: ShapeKinds, { graph }: Layout): (type: DeclaredNode) => string[] {
  const { edges } = graph.declared
  const slotOf = ({ name }: DeclaredNode, into: string) => `${name}.${into}`
  const currentSlots = edges.flatMap(edge =>
    [...countersOfEdge(edge), ...edge.embed].map(({ end, into }) => slotOf(findEnd(edge, end)!.node, into)),
  )
  const oldSlots = edges.flatMap(edge =>
    Object.keys(aggregatesInShape(oldShape, edge.name)).flatMap(name => {
      const [end, into] = name.split('.') as [string, string | undefined]
      const node = findEnd(edge, end)?.node
      return node && into !== undefined && node.attributes[into]?.derived ? [slotOf(node, into)] : []
    }),
  )
  const droppedSlots = new Set(oldSlots.filter(slot => !currentSlots.includes(slot)))
  return type => Object.keys(type.attributes).filter(into => droppedSlots.has(slotOf(type, into)))
}

/**
 * Counts the edges of a node anew where it counts, or has counted, any that are displaced, and what is not counted yet
 * where it is of those to be `recounted`; answers with it as it is then.
 */
export async function recountIfAffected(
  derivation: DerivationContext,
  displaced: readonly DeclaredEdge[],
  recounted: readonly DeclaredNode[],
  item: Item,
): Promise<Item | undefined> {
  const { layout } = derivation.context
  const type = parseOwnItem(layout, item)?.type
  if (type?.kind !== 'node' || !(layout.names.incarnation in item || counterNamesOf(layout, type).length > 0))
    return item
  const touchesNode = (edge: DeclaredEdge) => edge.ends.some(({ node }) => node.name === type.name)
  if (displaced.some(edge => countersOfEdge(edge).length > 0 && touchesNode(edge)))
    await recountFromZero(derivation, item, type)
  else if (recounted.includes(type)) await repairCounters(derivation, item, type)
  else return item
  return readCurrentItem(derivation, keyOfItem(layout.names, item))
}
