import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { sameValue } from '../plan/change-values.js'
import { keyOf } from '../plan/identity.js'
import { copiesAtOnce } from '../plan/write-copies.js'
import type { DeclaredNode } from '../schema/declared.js'
import { countPath } from './count.js'
import { type Deriving, itemAt } from './deriving.js'
import { copy, type EdgeAt, edgeAt } from './edge.js'
import { Past } from './past.js'
import { type NodePath, pathsOf, type Seen, sidesOf } from './sides.js'

/** What a record of a node asks for. */
export interface NodeWork {
  /** The node as some record showed it: what tells it from others. */
  readonly item: Item
  readonly type: DeclaredNode
  copies: boolean
  counts: boolean
}

/** Whether the values that edges carry from a node are other than they were; of one that came or went they are. */
export function carriedChanged(
  layout: Layout,
  type: DeclaredNode,
  old: Item | undefined,
  now: Item | undefined,
): boolean {
  const paths = pathsOf(layout, type).filter(({ copies }) => copies)
  if (!old || !now) return paths.length > 0
  return paths.some(path => sourcesOf(layout, path).some(({ from }) => !sameValue(old[from], now[from])))
}

/** The stored names of what an edge carries from an end, at the end and on the edge. */
function sourcesOf({ names }: Layout, { edge, end }: NodePath) {
  return edge.carry
    .filter(each => each.end === end.name && each.sync !== undefined)
    .map(({ attribute, as, deleted }) => ({
      attribute,
      from: names.of(end.node, attribute),
      as: names.of(edge, as),
      deleted,
    }))
}

export async function settleNode(deriving: Deriving, { item, type, copies, counts }: NodeWork): Promise<void> {
  const { layout } = deriving.context
  const paths = pathsOf(layout, type)
  const past = new Past()
  if (copies) for (const path of paths) if (path.copies) await past.do(copyFrom(deriving, item, path))
  if (counts) for (const path of paths) if (path.counts) await past.do(countPath(deriving, item, path))
  past.tell()
}

/** Brings the copies of a node's values, on the edges that it finds by a path, up to it. */
async function copyFrom(deriving: Deriving, node: Item, path: NodePath): Promise<void> {
  const { layout } = deriving.context
  const now = await itemAt(deriving, keyOf(layout.names, node))
  const sources = sourcesOf(layout, path)
  const { name, attributes } = path.end.node
  // Nobody could read an edge that carries what cannot be read.
  for (const { attribute, from } of sources)
    if (now?.[from]) attributes[attribute]!.decode(now[from], `${name}.${attribute}`)
  const isBehind = ({ item }: Seen) =>
    sources.some(({ from, as, deleted }) => (now || deleted === 'remove') && !sameValue(item[as], now?.[from]))
  const most = copiesAtOnce(layout, path.edge.name)
  const past = new Past()
  let behind: EdgeAt[] = []
  for await (const sides of sidesOf(deriving, node, path)) {
    behind.push(...sides.filter(isBehind).map(side => edgeAt(layout, side)))
    for (; behind.length >= most; behind = behind.slice(most)) await past.do(copy(deriving, behind.slice(0, most)))
  }
  if (behind.length > 0) await past.do(copy(deriving, behind))
  past.tell()
}
