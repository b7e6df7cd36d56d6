import type { Access } from '../../layout/access/access.js'
import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import { NODE_SORT } from '../../layout/keys/default-templates.js'
import { tokenizeTemplate } from '../../layout/keys/parse-template.js'
import { prefixUpperBound } from '../../layout/keys/template-condition.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { referencesOf } from '../../layout/row-members.js'
import { TENANT_SLOT } from '../../layout/slots.js'
import type { Finding } from './findings.js'

/** A kind in a partition, with the range of its sort keys. */
interface KindRange {
  readonly kind: Kind
  readonly low: string
  readonly high: string | undefined
}

/**
 * Finds custom keys that make `collect` read a node and its edges by two requests instead of one Query: another kind
 * sorts between the two, or the node sorts after them, so that a Query with a limit ends before it. With default keys a
 * node sorts first, unless a custom key sorts before it.
 */
export function findSplitCollections({ kinds, accesses, names }: Layout): Finding[] {
  const partitionOf = (kind: Kind) => literalsOf(kind.keys[names.partition]!.source)
  // Without a sort key, a partition holds one item.
  if (!names.sort) return []
  return kinds.flatMap(node => {
    const { role, type, keys } = node
    const hasCustomSort = withoutTenant(keys[names.sort]!.source) !== NODE_SORT
    if (role !== 'node' || type.kind !== 'node' || type.within) return []
    const collectionKinds = kinds.filter(kind => partitionOf(kind) === partitionOf(node))
    const ranges = collectionKinds.map(
      (kind): KindRange => ({ kind, ...sortKeyRangeOf(kind.keys[names.sort]!.source) }),
    )
    const nodeRange = ranges.find(({ kind }) => kind === node)!
    return accesses
      .filter(access => !access.index && access.shards === 1 && isReadFrom(node, access))
      .flatMap(access => {
        const otherRange = ranges.find(({ kind }) => kind === access.kind && kind !== node)
        return otherRange && (hasCustomSort || isBefore(otherRange, nodeRange))
          ? splitFindings(nodeRange, otherRange, ranges, isSingleEdge(access))
          : []
      })
  })
}

function splitFindings(
  node: KindRange,
  otherRange: KindRange,
  ranges: readonly KindRange[],
  isSingle: boolean,
): Finding[] {
  const [low, high] = compareUtf8(node.low, otherRange.low) < 0 ? [node, otherRange] : [otherRange, node]
  const between = ranges.filter(
    other => other !== node && other !== otherRange && !isBefore(other, low) && !isBefore(high, other),
  )
  const [nodeName, otherName] = [node.kind.name, otherRange.kind.name]
  const kindsBetween = between.map(({ kind }) => kind.name).join(' and ')
  if (between.length === 0 && (high === otherRange || isSingle)) return []
  const message =
    between.length > 0
      ? `In a partition of ${nodeName}, ${kindsBetween} can sort between the node and its ${otherName}: collect() reads the two by one Query only if it is asked for all of them, and else gets the node by a request of its own. Give them sort keys next to each other.`
      : `In a partition of ${nodeName}, the node sorts after its ${otherName}: collect() with a limit reads both by one Query only in reverse, and else gets the node by a request of its own. Give it a sort key before theirs.`
  return [{ code: 'collection.split', rejected: false, kind: nodeName, message }]
}

/** Whether all sort keys of one kind are less than those of the other. */
const isBefore = (one: KindRange, other: KindRange) => one.high !== undefined && compareUtf8(one.high, other.low) < 0

/** A `one` edge is read without a limit. */
const isSingleEdge = ({ type, name }: Access) => type.kind === 'edge' && type.one === name

const isReadFrom = ({ type }: Kind, access: Access) =>
  referencesOf(access.type).some(
    ({ name, node }) => node === type && (access.type.kind === 'node' || name === access.name),
  )

function sortKeyRangeOf(sort: string): { low: string; high: string | undefined } {
  const { literals, slotNames } = tokenizeTemplate({ source: withoutTenant(sort) })
  const low = literals[0]!
  return { low, high: slotNames.length > 0 ? prefixUpperBound(low) : low }
}

/** Returns the literals of a template. Templates with equal literals make equal keys from equal values. */
export const literalsOf = (template: string): string => JSON.stringify(tokenizeTemplate({ source: template }).literals)

/** Removes the tenant, which is the same for a whole partition. */
export const withoutTenant = (template: string) => template.replace(`{${TENANT_SLOT}}#`, '')
