import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import { isSameValue } from '../../plan/slot-values.js'
import { maxCopiesPerCall } from '../../plan/write/plan-copies.js'
import type { DeclaredNode } from '../../schema/declarations.js'
import { type DerivationContext, readCurrentItem } from './context.js'
import { countEdgesOnPath } from './counters.js'
import { type EdgeReference, edgeReferenceOf, updateCopies } from './edge.js'
import { PermanentErrors } from './permanent-errors.js'
import { type DerivedPath, derivedPathsOf, type ParsedItem, readSideItems } from './side-items.js'

/** What a record of a node asks for. */
export interface NodeWork {
  /** The node as some record showed it: what tells it from others. */
  readonly item: Item
  readonly type: DeclaredNode
  needsCopies: boolean
  needsCounting: boolean
}

/** Whether the values that edges carry from a node are other than they were; of one that came or went they are. */
export function hasChangedSources(
  layout: Layout,
  type: DeclaredNode,
  oldImage: Item | undefined,
  newImage: Item | undefined,
): boolean {
  const paths = derivedPathsOf(layout, type).filter(({ hasCopies }) => hasCopies)
  if (!oldImage || !newImage) return paths.length > 0
  return paths.some(path =>
    copySourcesOf(layout, path).some(({ sourceName }) => !isSameValue(oldImage[sourceName], newImage[sourceName])),
  )
}

/** The stored names of what an edge carries from an end, at the end and on the edge. */
function copySourcesOf({ names }: Layout, { edge, end }: DerivedPath) {
  return edge.carry
    .filter(carried => carried.end === end.name && carried.sync !== undefined)
    .map(({ attribute, copyName, deleted }) => ({
      attribute,
      sourceName: names.attributeOf(end.node, attribute),
      copyName: names.attributeOf(edge, copyName),
      deleted,
    }))
}

export async function settleNode(
  derivation: DerivationContext,
  { item, type, needsCopies, needsCounting }: NodeWork,
): Promise<void> {
  const { layout } = derivation.context
  const paths = derivedPathsOf(layout, type)
  const permanentErrors = new PermanentErrors()
  if (needsCopies)
    for (const path of paths)
      if (path.hasCopies) await permanentErrors.collectFrom(updateCopiesFromNode(derivation, item, path))
  if (needsCounting)
    for (const path of paths)
      if (path.hasCounters) await permanentErrors.collectFrom(countEdgesOnPath(derivation, item, path))
  permanentErrors.throwFirst()
}

/** Brings the copies of a node's values, on the edges that it finds by a path, up to it. */
async function updateCopiesFromNode(derivation: DerivationContext, node: Item, path: DerivedPath): Promise<void> {
  const { layout } = derivation.context
  const currentNode = await readCurrentItem(derivation, keyOfItem(layout.names, node))
  const sources = copySourcesOf(layout, path)
  const { name, attributes } = path.end.node
  // Nobody could read an edge that carries what cannot be read.
  for (const { attribute, sourceName } of sources)
    if (currentNode?.[sourceName]) attributes[attribute]!.decode(currentNode[sourceName], `${name}.${attribute}`)
  const isStale = ({ item }: ParsedItem) =>
    sources.some(
      ({ sourceName, copyName, deleted }) =>
        (currentNode || deleted === 'remove') && !isSameValue(item[copyName], currentNode?.[sourceName]),
    )
  const batchSize = maxCopiesPerCall(layout, path.edge.name)
  const permanentErrors = new PermanentErrors()
  let staleEdges: EdgeReference[] = []
  for await (const sideItems of readSideItems(derivation, node, path)) {
    staleEdges.push(...sideItems.filter(isStale).map(side => edgeReferenceOf(layout, side)))
    for (; staleEdges.length >= batchSize; staleEdges = staleEdges.slice(batchSize))
      await permanentErrors.collectFrom(updateCopies(derivation, staleEdges.slice(0, batchSize)))
  }
  if (staleEdges.length > 0) await permanentErrors.collectFrom(updateCopies(derivation, staleEdges))
  permanentErrors.throwFirst()
}
