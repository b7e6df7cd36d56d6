import { type Deriving, itemAt } from '../derive/deriving.js'
import { countAnew, counterNames } from '../derive/recount.js'
import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { keyOf } from '../plan/identity.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { read } from './backfill-item.js'

/**
 * The edges of which what the stream keeps is not as it was when it was kept: their items lie elsewhere, a counter has
 * another name, or others keep it than before.
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
    const ofNodes = edge.ends.flatMap(({ node, name }) => {
      const counters = countersOf(edge).filter(({ end }) => end === name)
      const places = [...keys, ...counters.map(({ into }) => `attributes.${into} `)]
      return changes.filter(each => places.some(place => each.startsWith(`kinds.${node.name}.${place}`)))
    })
    return own.some(isTurned) || (keptByStream(edge) && (own.some(isElsewhere) || ofNodes.length > 0))
  })
}

const countersOf = ({ count, sum }: DeclaredEdge) => [...count, ...sum]

/** Counts the edges of a node anew where it counts, or has counted, any of these; answers with it as it is then. */
export async function countedAnew(
  deriving: Deriving,
  displaced: readonly DeclaredEdge[],
  item: Item,
): Promise<Item | undefined> {
  const { layout } = deriving.context
  const type = read(layout, item)?.type
  if (type?.kind !== 'node' || !(layout.names.life in item || counterNames(layout, type).length > 0)) return item
  const isNear = (edge: DeclaredEdge) => edge.ends.some(({ node }) => node.name === type.name)
  if (!displaced.some(edge => countersOf(edge).length > 0 && isNear(edge))) return item
  await countAnew(deriving, item, type)
  return itemAt(deriving, keyOf(layout.names, item))
}
