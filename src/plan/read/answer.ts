import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { mapValues } from '../../schema/map-values.js'
import { indexByKey, kindByName, tableKeyOf, uniqueKeyTextOf } from '../identity.js'
import type { ItemShape, NodeShape, Plan, RowsShape } from '../plan.js'
import { isLive, rowOf, valuesOf } from '../row.js'
import { isSameValue } from '../slot-values.js'
import { writePageCursor } from './cursor.js'
import { entriesOf, type FoundEntries, type FoundEntry, itemsIn, keyOfEntry, type StepResponses } from './entries.js'

export interface RowPage {
  readonly items: readonly unknown[]
  /** The cursor of the next page; undefined on the last page. */
  readonly cursor: string | undefined
}

/** The responses of a plan and the context for decoding them. */
export interface AnswerContext {
  readonly layout: Layout
  readonly responses: StepResponses
  readonly nowMs: number | undefined
}

/** Returns the result of the call when all steps have responses. */
export function answerOf(layout: Layout, plan: Plan, responses: StepResponses, nowMs?: number): unknown {
  const context = { layout, responses, nowMs }
  const { answer } = plan
  switch (answer.shape) {
    case 'nothing':
      return undefined
    case 'row':
    case 'exists':
      return answerFromItem(context, answer, itemsIn(responses[answer.step]!)[0])
    case 'several': {
      const items = indexByKey(layout, itemsIn(responses.flat()))
      return answer.of.map(({ key, answer: each }) =>
        answerFromItem(context, each, items.get(uniqueKeyTextOf(layout, key))),
      )
    }
    case 'rows': {
      const plain = plainRows(context, answer)
      if (plain) return { items: plain, cursor: undefined }
      const selected = entriesOf(layout, answer.selection, responses, nowMs)
      return {
        items: rowsOf(context, answer, selected),
        cursor: selected.hasMore ? cursorOf(layout, plan, selected) : undefined,
      }
    }
    case 'count':
      if (answer.rows) return rowsOf(context, answer.rows).length
      return responses.flat().reduce((sum, { Count = 0 }) => sum + Count, 0)
    case 'collection': {
      const { node, parts } = answer
      return {
        node: answerFromItem(context, node, nodeItemOf(context, node)),
        ...mapValues(parts, part => rowsOf(context, part)),
      }
    }
  }
}

/**
 * The item of the collected node. Its key identifies it, because other nodes of the same kind have the same type
 * mark.
 */
function nodeItemOf({ layout, responses }: AnswerContext, { step, key }: NodeShape): Item | undefined {
  const text = uniqueKeyTextOf(layout, key)
  return itemsIn(responses[step]!).find(item => uniqueKeyTextOf(layout, item) === text)
}

/** The row of an item, or whether it exists, if the item is the requested row. */
function answerFromItem(
  context: AnswerContext,
  shape: Pick<ItemShape, 'kind'> & Partial<ItemShape>,
  item: Item | undefined,
): unknown {
  const { layout, nowMs } = context
  const { identity, endsSwapped } = shape
  const kind = kindByName(layout, shape.kind)
  const values = item && identity && valuesOf(layout, kind, item)
  const isSame = (slot: string) => isSameValue(values![slot], identity![slot])
  const isThere = item && (!values || Object.keys(identity!).every(isSame)) && isLive(layout, item, nowMs)
  if (shape.shape === 'exists') return Boolean(isThere)
  return isThere ? rowOf(layout, kind, item, endsSwapped) : undefined
}

const itemsByKey = ({ layout, responses }: AnswerContext, step: number): Map<string, Item> =>
  indexByKey(layout, itemsIn(responses[step]!))

/**
 * Each step resumes after the last entry returned from any step, so that an item inserted meanwhile never appears
 * after an item that sorts behind it. When this position is unknown for a step, the step resumes after its own last
 * entry. Items that never become rows are not read again.
 */
function cursorOf(layout: Layout, plan: Plan, { steps: stepIds, entries, skippedBefore }: FoundEntries): string {
  const steps = plan.steps.filter(({ id }) => stepIds.includes(id))
  const position = entries.findLast(({ sortOrder }) => sortOrder?.strict)?.item
  const keys = steps.map(({ id, request }) => {
    const last = entries.findLast(({ step }) => step === id)
    return (
      (last ? last.lastSkipped : skippedBefore[id]) ??
      position ??
      last?.item ??
      (request.input.ExclusiveStartKey as Key | undefined)
    )
  })
  return writePageCursor(layout, steps, keys)
}

/**
 * The rows of one Query that was read to its end, if every item is a row. Most lists are this simple, and need no entry
 * for each item. Undefined for all others.
 */
function plainRows({ layout, responses, nowMs }: AnswerContext, shape: RowsShape): unknown[] | undefined {
  const { selection, wholeItems, nodes, only, ofNode } = shape
  const { steps, sortOrders, typeMarks, readBackwards, limit, fromOtherEnd } = selection
  const isPlain = !(
    wholeItems ||
    nodes ||
    ofNode ||
    sortOrders ||
    typeMarks ||
    readBackwards ||
    fromOtherEnd ||
    limit !== undefined
  )
  // A range that is empty has no Query at all.
  const answers = isPlain && steps.length === 1 && responses[steps[0]!]
  if (!answers || answers.at(-1)?.LastEvaluatedKey) return undefined
  const kind = kindByName(layout, selection.kind)
  const rows: unknown[] = []
  for (const item of itemsIn(answers)) {
    const row = isLive(layout, item, nowMs) && rowOf(layout, kind, item, false, only)
    if (row) rows.push(row)
  }
  return rows
}

function rowsOf(context: AnswerContext, shape: RowsShape, found?: FoundEntries): unknown[] {
  const { layout } = context
  const { nodes } = shape
  const readable = readableItemsOf(context, shape, found)
  if (!nodes) return readable.map(({ row }) => row)
  const neighborsByKey = itemsByKey(context, nodes.step)
  return readable.flatMap(({ entry, item, row }) => {
    const neighbor = neighborsByKey.get(uniqueKeyTextOf(layout, keyOfEntry(layout, nodes, entry, item)))
    const node = answerFromItem(context, nodes, neighbor)
    return nodes.as === 'joined' ? { edge: row, node } : (node ?? [])
  })
}

/** An item that becomes a row. */
interface ReadableItem {
  readonly entry: FoundEntry
  readonly item: Item
  /** The kind that decodes the item. */
  readonly kind: Kind
  /** The decoded row; true where only the node at the other end is decoded. */
  readonly row: unknown
}

/** The items of the rows that were found. Throws if one of them cannot be decoded. */
export function readableItemsOf(
  context: AnswerContext,
  { selection, wholeItems, nodes, only, ofNode }: RowsShape,
  { entries } = entriesOf(context.layout, selection, context.responses, context.nowMs),
): ReadableItem[] {
  const { layout, nowMs } = context
  const wholeByKey = wholeItems && itemsByKey(context, wholeItems.step)
  const readable: ReadableItem[] = []
  for (const entry of entries) {
    const { endsSwapped } = entry
    const item = wholeByKey
      ? wholeByKey.get(uniqueKeyTextOf(layout, keyOfEntry(layout, wholeItems!, entry)))
      : entry.item
    if (!item || !isLive(layout, item, nowMs)) continue
    // A whole item has the kind of its type; an edge with swapped ends has the kind under which it was found.
    const kind = wholeItems && !endsSwapped ? kindByName(layout, wholeItems.kind) : entry.kind
    const row = nodes?.as === 'nodes' || rowOf(layout, kind, item, endsSwapped, only)
    if (!ofNode || isOfNode(layout, ofNode, entry, item)) readable.push({ entry, item, kind, row })
  }
  return readable
}

/** Whether an item is stored under the key that its values form, and belongs to the node at the end. */
function isOfNode(layout: Layout, ofNode: NonNullable<RowsShape['ofNode']>, entry: FoundEntry, item: Item): boolean {
  const { kind } = entry
  const textOf = (key: Key) => uniqueKeyTextOf(layout, key)
  return (
    textOf(tableKeyOf(layout, kind, valuesOf(layout, kind, item))) === textOf(item) &&
    textOf(keyOfEntry(layout, ofNode, entry, item)) === textOf(ofNode.key)
  )
}
