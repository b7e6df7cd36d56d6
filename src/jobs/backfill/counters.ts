import { type DerivationContext, readCurrentItem } from '../../derive/settle/context.js'
import { counterNamesOf, recountFromZero, repairCounters } from '../../derive/settle/recount.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { LayoutShape } from '../../layout/fingerprint.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { findType, parseOwnItem } from './own-items.js'

/**
 * Returns the edges whose stream aggregates are invalid: items move, a new mirror is required to find them, a counter
 * was renamed, or the aggregates changed.
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

/** Whether a copied attribute was renamed. Consumers with the old layout do not see writes to the new name. */
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

/** Describes the aggregates of an edge in a shape: `end.attribute` of a node, or the name of a copy. */
const aggregatesInShape = ({ kinds }: ShapeKinds, edge: string): Readonly<Record<string, unknown>> =>
  (kinds[edge] as { readonly kept?: Readonly<Record<string, unknown>> } | undefined)?.kept ?? {}

/**
 * Returns the node types with a new or changed stream counter. This counter may be correct without recorded
 * contributions, so the next change of an edge would count it twice.
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
 * Returns the aggregates of node types that no edge maintains any more. Aggregates of removed types remain, like their
 * items.
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
 * Recounts a node's edges if displaced edges contribute to it, and counts missing edges if its type is to be
 * recounted. Returns the current node.
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
