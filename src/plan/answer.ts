import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { mapValues } from '../schema/map-values.js'
import { sameValue } from './change-values.js'
import { writeCursor } from './cursor.js'
import { type Answered, type Entries, entriesOf, itemsIn, keyOfEntry } from './found.js'
import { byKey, keyText, kindNamed } from './identity.js'
import type { ItemShape, NodeShape, Plan, RowsShape } from './plan.js'
import { isLive, rowOf, valuesOf } from './row.js'

export interface Page {
  readonly items: readonly unknown[]
  /** Where the next page begins; undefined where there is none. */
  readonly cursor: string | undefined
}

/** The answers of a plan, while they are read. */
interface Reading {
  readonly layout: Layout
  readonly answered: Answered
  readonly nowMs: number | undefined
}

/** What the caller gets, once everything is answered. */
export function answerOf(layout: Layout, plan: Plan, answered: Answered, nowMs?: number): unknown {
  const reading = { layout, answered, nowMs }
  const { answer } = plan
  switch (answer.shape) {
    case 'nothing':
      return undefined
    case 'row':
    case 'exists':
      return answerOfItem(reading, answer, itemsIn(answered[answer.step]!)[0])
    case 'several': {
      const items = byKey(layout, itemsIn(answered.flat()))
      return answer.of.map(({ key, answer: each }) => answerOfItem(reading, each, items.get(keyText(layout, key))))
    }
    case 'rows': {
      const found = entriesOf(layout, answer.found, answered, nowMs)
      return { items: rowsOf(reading, answer, found), cursor: found.more ? cursorOf(layout, plan, found) : undefined }
    }
    case 'count':
      if (answer.rows) return rowsOf(reading, answer.rows).length
      return answered.flat().reduce((sum, { Count = 0 }) => sum + Count, 0)
    case 'collection': {
      const { node, parts } = answer
      return {
        node: answerOfItem(reading, node, nodeItem(reading, node)),
        ...mapValues(parts, part => rowsOf(reading, part)),
      }
    }
  }
}

/** The item of the collected node, by its key: a mark alone does not distinguish it from other nodes of its kind. */
function nodeItem({ layout, answered }: Reading, { step, key }: NodeShape): Item | undefined {
  const text = keyText(layout, key)
  return itemsIn(answered[step]!).find(item => keyText(layout, item) === text)
}

/** The row of an item, or whether it is there, if it is the one that was asked for. */
function answerOfItem(
  reading: Reading,
  shape: Pick<ItemShape, 'kind'> & Partial<ItemShape>,
  item: Item | undefined,
): unknown {
  const { layout, nowMs } = reading
  const { identity, turned } = shape
  const kind = kindNamed(layout, shape.kind)
  const values = item && identity && valuesOf(layout, kind, item)
  const isSame = (slot: string) => sameValue(values![slot], identity![slot])
  const isThere = item && (!values || Object.keys(identity!).every(isSame)) && isLive(layout, item, nowMs)
  if (shape.shape === 'exists') return Boolean(isThere)
  return isThere ? rowOf(layout, kind, item, turned) : undefined
}

const itemsByKey = ({ layout, answered }: Reading, step: number): Map<string, Item> =>
  byKey(layout, itemsIn(answered[step]!))

/**
 * Each step is read from behind the last that was answered of any, so that what comes in meanwhile is not told after what
 * sorts behind it; where that would not tell how far each is, from behind the last of its own. Of what is never answered
 * nothing is read again.
 */
function cursorOf(layout: Layout, plan: Plan, { steps: found, entries, before }: Entries): string {
  const steps = plan.steps.filter(({ id }) => found.includes(id))
  const at = entries.findLast(({ sort }) => sort?.strict)?.item
  const keys = steps.map(({ id, request }) => {
    const last = entries.findLast(({ step }) => step === id)
    return (last ? last.past : before[id]) ?? at ?? last?.item ?? (request.input.ExclusiveStartKey as Key | undefined)
  })
  return writeCursor(layout, steps, keys)
}

function rowsOf(
  reading: Reading,
  { found, whole, nodes, only, isStray }: RowsShape,
  { entries } = entriesOf(reading.layout, found, reading.answered, reading.nowMs),
): unknown[] {
  const { layout, nowMs } = reading
  const held = whole && itemsByKey(reading, whole.step)
  const neighbours = nodes && itemsByKey(reading, nodes.step)
  const items: unknown[] = []
  for (const entry of entries) {
    const { turned } = entry
    const item = held ? held.get(keyText(layout, keyOfEntry(layout, whole!, entry))) : entry.item
    // A whole item is of its own kind; of an edge that was turned, of the kind that it was found as.
    const kind = whole && !turned ? kindNamed(layout, whole.kind) : entry.kind
    const isNode = nodes?.as === 'nodes'
    const row = item && isLive(layout, item, nowMs) && (isNode || rowOf(layout, kind, item, turned, only))
    if (!row || isStray?.(entry, item)) continue
    const there = nodes && neighbours!.get(keyText(layout, keyOfEntry(layout, nodes, entry, item)))
    const node = nodes && answerOfItem(reading, nodes, there)
    const joined = isNode ? node : nodes ? { edge: row, node } : row
    if (joined) items.push(joined)
  }
  return items
}
