import { type Deriving, itemAt } from '../derive/deriving.js'
import { countAnew, counterNames, countRest } from '../derive/recount.js'
import type { Item } from '../dynamodb/attribute-value.js'
import type { Shape } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { keyOf } from '../plan/identity.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { read, typeIn } from './backfill-item.js'

/**
 * The edges of which what the stream keeps is not as it was when it was kept: their items lie elsewhere, a node finds
 * them by mirrors of which it had none, a counter has another name, or others keep it than before.
 */
export function displacedIn(before: Layout, after: Layout, changes: readonly string[]): DeclaredEdge[] {
  const { partition, sort } = after.names
  const keys = [`keys.${partition} `, `keys.${sort} `]
  const isElsewhere = (each: string) =>
    [...keys, `shards.${partition} `].some(place => each.includes(`.${place}`)) || each.endsWith(' is gone')
  const isTurned = (each: string) => / was \["(stream|transaction)".*, is (?!\["\1")/.test(each)
  const edges = [...before.graph.declared.edges, ...after.graph.declared.edges]
  return edges.filter(edge => {
    const own = changes.filter(each => each.startsWith(`kinds.${edge.name}.`))
    const isFoundElsewhere = countersOf(edge).some(({ end }) => own.includes(`kinds.${edge.name}.${end} is new`))
    const ofNodes = edge.ends.flatMap(({ node, name }) => {
      const counters = countersOf(edge).filter(({ end }) => end === name)
      const places = [...keys, ...counters.map(({ into }) => `attributes.${into} `)]
      return changes.filter(each => places.some(place => each.startsWith(`kinds.${node.name}.${place}`)))
    })
    return (
      own.some(isTurned) || (keptByStream(edge) && (own.some(isElsewhere) || isFoundElsewhere || ofNodes.length > 0))
    )
  })
}

/**
 * Whether a source that copies follow is stored under another name: what those who know the new one wrote of it, those
 * who followed the stream by the other did not see.
 */
export const isSourceRenamed = (before: Layout, { graph, names }: Layout): boolean =>
  graph.declared.edges.some(edge =>
    edge.carry.some(({ end, attribute, sync }) => {
      const { node } = endNamed(edge, end)!
      const was = typeIn(before, node.name)
      return sync && was && before.names.of(was, attribute) !== names.of(node, attribute)
    }),
  )

const countersOf = ({ count, sum }: DeclaredEdge) => [...count, ...sum]

type Kinds = Pick<Shape, 'kinds'>

/** What an edge keeps by a shape, and how: `end.attribute` of a node, or the name of a copy. */
const keptIn = ({ kinds }: Kinds, edge: string): Readonly<Record<string, unknown>> =>
  (kinds[edge] as { readonly kept?: Readonly<Record<string, unknown>> } | undefined)?.kept ?? {}

/**
 * The nodes in which the stream keeps a counter that it did not keep before, or of other edges. Such a one may hold what
 * is on no edge as counted, and be right for now: each edge that changes would then be counted once more.
 */
export function recountedIn(was: Kinds, { graph, shape }: Layout): DeclaredNode[] {
  const isSame = (edge: DeclaredEdge, name: string) =>
    JSON.stringify(keptIn(was, edge.name)[name]) === JSON.stringify(keptIn(shape, edge.name)[name])
  return graph.declared.edges.flatMap(edge =>
    countersOf(edge)
      .filter(({ end, into, by }) => by === 'stream' && !isSame(edge, `${end}.${into}`))
      .map(({ end }) => endNamed(edge, end)!.node),
  )
}

/**
 * The counters and maps of nodes of a type that an edge kept and none does any more: nobody else can write them. Those
 * of a type that is gone stay, as its edges do.
 */
export function uncountedIn(was: Kinds, { graph }: Layout): (type: DeclaredNode) => string[] {
  const { edges } = graph.declared
  const slotOf = ({ name }: DeclaredNode, into: string) => `${name}.${into}`
  const kept = edges.flatMap(edge =>
    [...countersOf(edge), ...edge.embed].map(({ end, into }) => slotOf(endNamed(edge, end)!.node, into)),
  )
  const left = edges.flatMap(edge =>
    Object.keys(keptIn(was, edge.name)).flatMap(name => {
      const [end, into] = name.split('.') as [string, string | undefined]
      const node = endNamed(edge, end)?.node
      return node && into !== undefined && node.attributes[into]?.derived ? [slotOf(node, into)] : []
    }),
  )
  const gone = new Set(left.filter(each => !kept.includes(each)))
  return type => Object.keys(type.attributes).filter(into => gone.has(slotOf(type, into)))
}

/**
 * Counts the edges of a node anew where it counts, or has counted, any that are displaced, and what is not counted yet
 * where it is of those to be `recounted`; answers with it as it is then.
 */
export async function countedAnew(
  deriving: Deriving,
  displaced: readonly DeclaredEdge[],
  recounted: readonly DeclaredNode[],
  item: Item,
): Promise<Item | undefined> {
  const { layout } = deriving.context
  const type = read(layout, item)?.type
  if (type?.kind !== 'node' || !(layout.names.life in item || counterNames(layout, type).length > 0)) return item
  const isNear = (edge: DeclaredEdge) => edge.ends.some(({ node }) => node.name === type.name)
  if (displaced.some(edge => countersOf(edge).length > 0 && isNear(edge))) await countAnew(deriving, item, type)
  else if (recounted.includes(type)) await countRest(deriving, item, type)
  else return item
  return itemAt(deriving, keyOf(layout.names, item))
}
