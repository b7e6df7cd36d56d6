import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { mapValues } from '../../schema/map-values.js'
import { indexByKey, kindByName, uniqueKeyTextOf } from '../identity.js'
import type { ItemShape, NodeShape, Plan, RowsShape } from '../plan.js'
import { isLive, rowOf, valuesOf } from '../row.js'
import { isSameValue } from '../slot-values.js'
import { writePageCursor } from './cursor.js'
import { entriesOf, type FoundEntries, itemsIn, keyOfEntry, type StepResponses } from './entries.js'

export interface RowPage {
  readonly items: readonly unknown[]
  /** The cursor of the next page; undefined on the last page. */
  readonly cursor: string | undefined
}

/** The responses of a plan and the context for decoding them. */
interface AnswerContext {
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
  const { selection, wholeItems, nodes, only, isMisplaced } = shape
  const { steps, sortOrders, typeMarks, readBackwards, limit, fromOtherEnd } = selection
  const isPlain = !(
    wholeItems ||
    nodes ||
    isMisplaced ||
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

function rowsOf(
  context: AnswerContext,
  { selection, wholeItems, nodes, only, isMisplaced }: RowsShape,
  { entries } = entriesOf(context.layout, selection, context.responses, context.nowMs),
): unknown[] {
  const { layout, nowMs } = context
  const wholeByKey = wholeItems && itemsByKey(context, wholeItems.step)
  const neighborsByKey = nodes && itemsByKey(context, nodes.step)
  const items: unknown[] = []
  for (const entry of entries) {
    const { endsSwapped } = entry
    const item = wholeByKey
      ? wholeByKey.get(uniqueKeyTextOf(layout, keyOfEntry(layout, wholeItems!, entry)))
      : entry.item
    // A whole item has the kind of its type; an edge with swapped ends has the kind under which it was found.
    const kind = wholeItems && !endsSwapped ? kindByName(layout, wholeItems.kind) : entry.kind
    const isNode = nodes?.as === 'nodes'
    const row = item && isLive(layout, item, nowMs) && (isNode || rowOf(layout, kind, item, endsSwapped, only))
    if (!row || isMisplaced?.(entry, item)) continue
    const neighbor = nodes && neighborsByKey!.get(uniqueKeyTextOf(layout, keyOfEntry(layout, nodes, entry, item)))
    const node = nodes && answerFromItem(context, nodes, neighbor)
    const joined = isNode ? node : nodes ? { edge: row, node } : row
    if (joined) items.push(joined)
  }
  return items
}
