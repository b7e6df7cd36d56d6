import type { Item } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { compareUtf8 } from '../layout/template-order.js'
import { EVERYTHING, type Landing, landing, overlap, type Place, type Span } from './partition.js'

/** Something to read from a partition: the node itself, or a part of what is collected. */
export interface Wanted {
  /** Undefined for the node itself. */
  readonly part: string | undefined
  readonly marks: readonly string[]
  readonly span: Span
  readonly limit: number | undefined
  readonly reverse: boolean
}

/** Neighbours in a partition, read by one Query. */
export interface Run {
  readonly wanted: readonly Wanted[]
  /** Undefined where the whole partition is wanted. */
  readonly span: Span | undefined
  /** Whether kinds that are not wanted are met. */
  readonly mixed: boolean
}

/** The node as it lies in that partition, if it does. */
export function nodeAt(place: Place, text: string, kind: Kind, item: Item): Wanted | undefined {
  const sort = place.sort === undefined ? undefined : item[place.sort]?.S
  if (item[place.partition]?.S !== text || (place.sort !== undefined && sort === undefined)) return undefined
  const span = sort === undefined ? EVERYTHING : { low: sort, high: sort }
  return { part: undefined, marks: [kind.mark], span, limit: undefined, reverse: false }
}

/**
 * The stretches of a partition in which nothing lies that is not wanted. A part with a limit is read to its end only
 * by itself, or right after the node.
 */
export function runsOf(layout: Layout, place: Place, text: string, wanted: readonly Wanted[]): Run[] {
  const there = landing(layout, place, text)
  const whole = wanted.filter(({ limit }) => limit === undefined)
  const runs = joined(whole, there)
  const node = wanted.find(({ part }) => part === undefined)
  if (!node || runs.some(run => run.wanted.includes(node) && run.wanted.length > 1)) return runs
  for (const part of wanted) {
    if (part.limit === undefined || !leadsTo(node, part)) continue
    const run = runOf([node, part], there)
    if (!run.mixed) return [...runs.filter(other => !other.wanted.includes(node)), run]
  }
  return runs
}

/** Whether a Query in the part's own direction meets the node first. */
function leadsTo(node: Wanted, { span, reverse }: Wanted): boolean {
  const order = compareUtf8(node.span.low, span.low)
  return reverse ? order > 0 : order < 0
}

function joined(wanted: readonly Wanted[], there: readonly Landing[]): Run[] {
  const sorted = [...wanted].sort((a, b) => compareUtf8(a.span.low, b.span.low))
  const runs: Run[] = []
  for (const each of sorted) {
    const last = runs.at(-1)
    const longer = last && runOf([...last.wanted, each], there)
    // Without a sort key everything of a partition is read anyway, wanted or not.
    if (longer && (!longer.mixed || each.span === EVERYTHING)) runs[runs.length - 1] = longer
    else runs.push(runOf([each], there))
  }
  return runs
}

function runOf(wanted: readonly Wanted[], there: readonly Landing[]): Run {
  const span = hull(wanted.map(each => each.span))
  const others = there.filter(landed => !wanted.some(each => covers(each, landed)))
  const rest = others.length > 0
  return { wanted, span: rest ? span : undefined, mixed: others.some(other => overlap(other.span, span)) }
}

function covers({ marks, span, part }: Wanted, { kind, span: landed }: Landing): boolean {
  // Items of the node's kind in its own partition are the node, though a raw key does not tell.
  return marks.includes(kind.mark) && (part === undefined || (span.low === landed.low && span.high === landed.high))
}

function hull(spans: readonly Span[]): Span {
  const lows = spans.map(({ low }) => low).sort(compareUtf8)
  const highs = spans.map(({ high }) => high)
  const ends = highs.includes(undefined) ? [] : (highs as string[]).sort(compareUtf8)
  return { low: lows[0]!, high: ends.at(-1) }
}
