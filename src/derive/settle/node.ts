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

/** The work that a record of a node requests. */
export interface NodeWork {
  /** The node's item in one of the records. Its identity is used. */
  readonly item: Item
  readonly type: DeclaredNode
  needsCopies: boolean
  needsCounting: boolean
}

/** Whether a source of copied values changed. The creation and the deletion of a node count as changes. */
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

/** Returns the stored names of synced attributes, on the end node and on the edge. */
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

/** Updates the copies of a node's values on the edges of a path. */
async function updateCopiesFromNode(derivation: DerivationContext, node: Item, path: DerivedPath): Promise<void> {
  const { layout } = derivation.context
  const currentNode = await readCurrentItem(derivation, keyOfItem(layout.names, node))
  const sources = copySourcesOf(layout, path)
  const { name, attributes } = path.end.node
  // Decode the sources first: an edge with an undecodable copy could not be read.
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
