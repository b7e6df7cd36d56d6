import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { writeCursor } from './cursor.js'
import { type Answered, answersOf, type Entry, entriesOf, itemsIn, keyOfEntry } from './found.js'
import { keyText, kindNamed } from './identity.js'
import type { ItemShape, NodeShape, Plan, RowsShape } from './plan.js'
import { isLive, liveRows, type Row, rowOf, valuesOf } from './row.js'

export interface Page {
  readonly items: readonly unknown[]
  /** Where the next page begins; undefined where there is none. */
  readonly cursor: string | undefined
}

/** The answers of a plan, while they are read. */
interface Reading {
  readonly layout: Layout
  readonly answered: readonly Answered[]
  readonly nowMs: number | undefined
}

/** What the caller gets, once everything is answered. */
export function answerOf(layout: Layout, plan: Plan, answered: readonly Answered[], nowMs?: number): unknown {
  const reading = { layout, answered, nowMs }
  const { answer } = plan
  switch (answer.shape) {
    case 'nothing':
      return undefined
    case 'row':
    case 'exists':
      return answerOfItem(reading, answer, itemOf(reading, answer))
    case 'several': {
      const items = itemsByKey(reading, ...answer.steps)
      return answer.of.map(({ key, answer: each }) => answerOfItem(reading, each, items.get(keyText(layout, key))))
    }
    case 'rows': {
      const plain = plainRows(reading, answer)
      if (plain) return { items: plain, cursor: undefined }
      const { items, more, entries, before } = rowsOf(reading, answer)
      return { items, cursor: more ? cursorOf(layout, plan, answer, entries, before) : undefined }
    }
    case 'count':
      if (answer.rows) return rowsOf(reading, answer.rows).items.length
      return answered.reduce((sum, { answer: { Count = 0 } }) => sum + Count, 0)
    case 'collection': {
      const { node, parts } = answer
      const rows = Object.entries(parts).map(([name, part]) => [name, rowsOf(reading, part).items])
      return { node: rowIn(reading, itemOf(reading, node), kindNamed(layout, node.kind)), ...Object.fromEntries(rows) }
    }
  }
}

/** The only item that was asked for, or that of the kind. */
function itemOf({ layout, answered }: Reading, { step, kind }: NodeShape): Item | undefined {
  const answers = answersOf(answered, step)
  const { mark } = kindNamed(layout, kind)
  return answers[0]?.Item ?? itemsIn(answers).find(item => item[layout.names.type]?.S === mark)
}

/** The row of an item, or whether it is there, if it is the one that was asked for. */
function answerOfItem(reading: Reading, shape: ItemShape, item: Item | undefined): unknown {
  const { identity = {}, turned, only } = shape
  const kind = kindNamed(reading.layout, shape.kind)
  const slots = item ? Object.keys(identity) : []
  const values = slots.length > 0 ? valuesOf(reading.layout, kind, item!) : {}
  const same = slots.every(slot => JSON.stringify(values[slot]) === JSON.stringify(identity[slot]))
  const there = same && item && isLive(reading.layout, item, reading.nowMs) ? item : undefined
  if (shape.shape === 'exists') return there !== undefined
  return there && rowOf(reading.layout, kind, there, turned, only)
}

function rowIn(
  { layout, nowMs }: Reading,
  item: Item | undefined,
  kind: Kind,
  turned?: boolean,
  only?: readonly string[],
): Row | undefined {
  return item && isLive(layout, item, nowMs) ? rowOf(layout, kind, item, turned, only) : undefined
}

function itemsByKey({ layout, answered }: Reading, ...steps: readonly number[]): Map<string, Item> {
  const items = steps.flatMap(step => itemsIn(answersOf(answered, step)))
  return new Map(items.map(item => [keyText(layout, item), item]))
}

/** A step of which nothing was answered is read from where it was before, or from behind what is never answered. */
function cursorOf(
  layout: Layout,
  plan: Plan,
  { found }: RowsShape,
  entries: readonly Entry[],
  before: readonly (Item | undefined)[],
): string {
  const steps = plan.steps.filter(({ id }) => found.steps.includes(id))
  const keys = steps.map(({ id, request }) => {
    const last = entries.findLast(({ step }) => step === id)
    return last?.past ?? last?.item ?? before[id] ?? (request.input.ExclusiveStartKey as Key | undefined)
  })
  return writeCursor(layout, steps, keys)
}

/** The most common answer, by the shortest way: everything that one step found, as it is. */
function plainRows({ layout, answered, nowMs }: Reading, { found, whole, nodes, only }: RowsShape): Row[] | undefined {
  const { steps, marks, backwards, limit, turned } = found
  if (whole || nodes || marks || backwards || turned || steps.length > 1) return undefined
  const kind = kindNamed(layout, found.kind)
  const rows: Row[] = []
  for (const { answer } of answered) liveRows(layout, kind, answer.Items ?? [], nowMs, only, rows)
  return answered.at(-1)?.answer.LastEvaluatedKey || (limit !== undefined && rows.length > limit) ? undefined : rows
}

function rowsOf(reading: Reading, { found, whole, nodes, only }: RowsShape) {
  const { layout, answered, nowMs } = reading
  const { entries, more, before } = entriesOf(layout, found, answered, nowMs)
  const held = whole && itemsByKey(reading, whole.step)
  const neighbours = nodes && itemsByKey(reading, nodes.step)
  const items: unknown[] = []
  for (const entry of entries) {
    const { turned } = entry
    const item = held ? held.get(keyText(layout, keyOfEntry(layout, whole!, entry))) : entry.item
    // A whole item is of its own kind; of an edge that was turned, of the kind that it was found as.
    const kind = whole && !turned ? kindNamed(layout, whole.kind) : entry.kind
    const row = nodes?.as === 'nodes' ? undefined : rowIn(reading, item, kind, turned, only)
    if (!nodes) {
      if (row) items.push(row)
      continue
    }
    const there = neighbours!.get(keyText(layout, keyOfEntry(layout, nodes, entry)))
    const node = rowIn(reading, there, kindNamed(layout, nodes.kind))
    const joined = nodes.as === 'nodes' ? node : row && { edge: row, node }
    if (joined) items.push(joined)
  }
  return { items, entries, more, before }
}
