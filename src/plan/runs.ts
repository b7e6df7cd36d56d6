import { type Kind, slotsOf } from '../layout/kinds.js'
import { identityOf } from '../layout/slots.js'
import { compareUtf8 } from '../layout/template-order.js'
import type { PathAsk } from './ask.js'
import { EVERYTHING, type Landing, overlap, type Place, type Span } from './partition.js'
import type { Source } from './queries.js'

/** A part of a collection. */
export interface Part {
  readonly name: string
  readonly ask: PathAsk
  /** Where it lies, if it can be read together with others. */
  readonly source: Source | undefined
}

/** Something to read from a partition: the node itself, or a part of what is collected. */
export interface Wanted {
  /** Undefined for the node itself. */
  readonly part?: Part
  readonly limit?: number | undefined
  readonly marks: readonly string[]
  readonly span: Span
  /** Of the node itself: whether the partition can hold no other node of its kind. */
  readonly isOnly?: boolean
}

/** Neighbours in a partition, read by one Query. */
export interface Run {
  readonly wanted: readonly Wanted[]
  /** Undefined where the whole partition is wanted. */
  readonly span: Span | undefined
  /** Whether kinds that are not wanted are met. */
  readonly mixed: boolean
}

/**
 * The stretches of a partition in which nothing lies that is not wanted, if they hold more than one thing. A part with
 * a limit is read to its end only by itself, or right after the node.
 */
export function runsOf(there: readonly Landing[], wanted: readonly Wanted[]): Run[] {
  const runs: Run[] = []
  for (const each of [...wanted].sort((a, b) => compareUtf8(a.span.low, b.span.low))) {
    if (each.limit) continue
    const last = runs.at(-1)?.wanted ?? []
    const longer = runOf([...last, each], there)
    // Without a sort key everything of a partition is read anyway, wanted or not.
    if (longer.mixed && each.span !== EVERYTHING) runs.push(runOf([each], there))
    else runs.splice(-1, 1, longer)
  }
  const long = runs.filter(run => run.wanted.length > 1)
  const node = wanted.find(({ part }) => !part)
  if (!node || long.some(run => run.wanted.includes(node))) return long
  const led = wanted
    .filter(part => part.limit && leadsTo(node, part))
    .map(part => runOf([node, part], there))
    .find(({ mixed }) => !mixed)
  return led ? [...long, led] : long
}

/** Whether a Query in the part's own direction meets the node first. */
function leadsTo(node: Wanted, { span, part }: Wanted): boolean {
  const order = compareUtf8(node.span.low, span.low)
  return part!.ask.reverse ? order > 0 : order < 0
}

function runOf(wanted: readonly Wanted[], there: readonly Landing[]): Run {
  const span = wanted.map(each => each.span).reduce(hull)
  const others = there.filter(landed => !wanted.some(each => covers(each, landed)))
  return {
    wanted,
    span: others[0] ? span : undefined,
    mixed: others.some(other => overlap(other.span, span)),
  }
}

function covers({ marks, span, part, isOnly }: Wanted, { kind, span: landed }: Landing): boolean {
  return marks.includes(kind.mark) && (part ? span.low === landed.low && span.high === landed.high : !!isOnly)
}

/** Whether the partition of a node determines its identity, so that no other node of its kind is in that partition. */
export function isOnlyInPartition(kind: Kind, { partition }: Place): boolean {
  const slots = slotsOf(kind, partition)
  return identityOf(kind.type).every(slot => slots.includes(slot))
}

const hull = (a: Span, b: Span): Span => ({
  low: [a.low, b.low].sort(compareUtf8)[0]!,
  high: a.high && b.high && [a.high, b.high].sort(compareUtf8)[1],
})
