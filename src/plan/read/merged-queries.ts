import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import { type Kind, keySlotsOf } from '../../layout/kinds.js'
import { identitySlotsOf } from '../../layout/slots.js'
import type { PathQuery } from './options.js'
import { isOverlapping, type KindSpan, type QueryTarget, type SortKeySpan, WHOLE_PARTITION } from './partition.js'
import type { QuerySource } from './query-sources.js'

/** A part of a collection. */
export interface CollectPart {
  readonly name: string
  readonly query: PathQuery
  /** The range to query, when the part can be read together with others. */
  readonly source: QuerySource | undefined
}

/** A range to read from a partition: the node itself, or a part of the collection. */
export interface WantedSpan {
  /** Undefined for the node itself. */
  readonly part?: CollectPart
  readonly limit?: number | undefined
  readonly typeMarks: readonly string[]
  readonly span: SortKeySpan
  /** Of the node itself: whether the partition cannot hold another node of its kind. */
  readonly isOnly?: boolean
}

/** Adjacent ranges of a partition, read by one Query. */
export interface MergedQuery {
  readonly spans: readonly WantedSpan[]
  /** Undefined when the whole partition is read. */
  readonly span: SortKeySpan | undefined
  /** Whether the range also contains kinds that were not requested. */
  readonly hasOtherKinds: boolean
}

/**
 * Merges ranges of a partition that have only requested items between them. A part with a limit is read alone, or
 * directly after the node.
 */
export function mergeQueries(kindSpans: readonly KindSpan[], wanted: readonly WantedSpan[]): MergedQuery[] {
  const merged: MergedQuery[] = []
  for (const each of [...wanted].sort((a, b) => compareUtf8(a.span.low, b.span.low))) {
    if (each.limit) continue
    const last = merged.at(-1)?.spans ?? []
    const longer = mergeSpans([...last, each], kindSpans)
    // Without a sort key, a Query reads the whole partition anyway.
    if (longer.hasOtherKinds && each.span !== WHOLE_PARTITION) merged.push(mergeSpans([each], kindSpans))
    else merged.splice(-1, 1, longer)
  }
  const shared = merged.filter(run => run.spans.length > 1)
  const node = wanted.find(({ part }) => !part)
  if (!node || shared.some(run => run.spans.includes(node))) return shared
  const nodeFirst = wanted
    .filter(part => part.limit && isNodeFirst(node, part))
    .map(part => mergeSpans([node, part], kindSpans))
    .find(({ hasOtherKinds }) => !hasOtherKinds)
  return nodeFirst ? [...shared, nodeFirst] : shared
}

/** Whether a Query in the part's direction reads the node first. */
function isNodeFirst(node: WantedSpan, { span, part }: WantedSpan): boolean {
  const order = compareUtf8(node.span.low, span.low)
  return part!.query.reverse ? order > 0 : order < 0
}

function mergeSpans(spans: readonly WantedSpan[], kindSpans: readonly KindSpan[]): MergedQuery {
  const span = spans.map(wanted => wanted.span).reduce(enclosingSpan)
  const otherKindSpans = kindSpans.filter(kindSpan => !spans.some(wanted => isCovering(wanted, kindSpan)))
  return {
    spans,
    span: otherKindSpans.length > 0 ? span : undefined,
    hasOtherKinds: otherKindSpans.some(other => isOverlapping(other.span, span)),
  }
}

function isCovering({ typeMarks, span, part, isOnly }: WantedSpan, { kind, span: kindSpan }: KindSpan): boolean {
  return (
    typeMarks.includes(kind.typeMark) && (part ? span.low === kindSpan.low && span.high === kindSpan.high : !!isOnly)
  )
}

/** Whether the partition of a node determines its identity, so that no other node of its kind is in that partition. */
export function isOnlyInPartition(kind: Kind, { partition }: QueryTarget): boolean {
  const slots = keySlotsOf(kind, partition)
  return identitySlotsOf(kind.type).every(slot => slots.includes(slot))
}

const enclosingSpan = (a: SortKeySpan, b: SortKeySpan): SortKeySpan => ({
  low: [a.low, b.low].sort(compareUtf8)[0]!,
  high: a.high && b.high && [a.high, b.high].sort(compareUtf8)[1],
})
