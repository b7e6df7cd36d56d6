import type { AttributeValue, Key } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES } from '../../dynamodb/limits.js'
import { toFnvHash } from '../../layout/fingerprint.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import type { Layout } from '../../layout/layout.js'
import { toPlainNumber } from '../../schema/attributes/number.js'
import { GraphError } from '../../schema/error.js'
import type { DeferredCursor, PlanStep } from '../plan.js'
import { queryTargetOf } from './partition.js'

const VERSION = 1

/**
 * Encodes an opaque cursor that is bound to its query. It holds the last returned key of each step, without the
 * attributes that the query determines.
 */
export function writePageCursor(
  layout: Layout,
  steps: readonly PlanStep[],
  keys: readonly (Key | undefined)[],
): string {
  const positions = steps.map(
    (step, i) => keys[i] && cursorAttributesOf(layout, step).names.map(name => keyAttributeText(keys[i]![name])),
  )
  const json = JSON.stringify([VERSION, queryHashOf(steps), positions])
  // Characters outside printable ASCII, and those that base64 may encode as `+` or `/`, are escaped as in JSON.
  const plain = json.replace(/[^ -=@-}]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return btoa(plain).replaceAll('=', '')
}

/** Sets the start position of each step. A cursor that is still encrypted leaves deferred positions. */
export function resumeSteps(
  layout: Layout,
  steps: readonly PlanStep[],
  cursor: string | DeferredCursor | undefined,
): readonly PlanStep[] {
  if (cursor === undefined) return steps
  if (isDeferred(cursor)) return steps.map(step => startStepAt(step, cursor))
  const [version, queryHash, positions] = parseCursor(cursor) as [
    unknown,
    unknown,
    readonly (readonly string[] | null)[],
  ]
  assertCursor(version === VERSION && Array.isArray(positions))
  if (queryHash !== queryHashOf(steps))
    throw new GraphError(
      'cursor.mismatch',
      'cursor: it belongs to another query; use it with that query, or begin again without it.',
    )
  assertCursor(positions.length === steps.length)
  return steps.map((step, i) => {
    const texts = positions[i]
    if (texts === null) return step
    const { names, fixed } = cursorAttributesOf(layout, step)
    assertCursor(Array.isArray(texts) && texts.length === names.length && texts.every(text => typeof text === 'string'))
    const values = names.map((name, at) => ({ [layout.design.attributes[name]!]: texts![at] }) as AttributeValue)
    assertCursor(values.every(isKeyValue))
    const position = Object.fromEntries(names.map((name, at) => [name, values[at]]))
    return startStepAt(step, { ...position, ...fixed })
  })
}

const isDeferred = (cursor: unknown): cursor is DeferredCursor =>
  (cursor as DeferredCursor | null)?.deferred === 'cursor'

const startStepAt = (step: PlanStep, ExclusiveStartKey: object): PlanStep => ({
  ...step,
  request: { ...step.request, input: { ...step.request.input, ExclusiveStartKey } },
})

/** Whether DynamoDB accepts a value in a key. DynamoDB rejects the whole request otherwise. */
function isKeyValue({ S, N }: AttributeValue): boolean {
  if (N !== undefined) return toPlainNumber(N) !== undefined
  return !!S && S.isWellFormed() && encoder.encode(S).length <= PARTITION_KEY_BYTES
}

const encoder = new TextEncoder()

const queryHashOf = (steps: readonly PlanStep[]): string => toFnvHash(queryText(steps))

/** Everything that determines the rows and their order, including the list of shards. */
export function queryText(steps: readonly PlanStep[]): string {
  const inputs = steps.map(({ request }) => request.input)
  return JSON.stringify(inputs.map(({ Limit, ConsistentRead, ExclusiveStartKey, ...rest }) => rest))
}

/**
 * The attributes of a position that the cursor stores, and those that the query determines. Of the partition, the
 * query determines the first value.
 */
function cursorAttributesOf(
  layout: Layout,
  { request: { operation, input } }: PlanStep,
): { names: string[]; fixed: Key } {
  const { partition, sort } = queryTargetOf(layout, input.IndexName as string | undefined)
  const values = input.ExpressionAttributeValues as Key
  const fixed = Object.fromEntries(operation === 'scan' ? [] : partition.map((name, i) => [name, values[`:k${i}`]!]))
  const names = [...new Set([...sort, ...layout.names.keys])].filter(name => !Object.hasOwn(fixed, name))
  return { names, fixed }
}

/** Parses a cursor. The result of invalid input has no version. */
function parseCursor(cursor: string): readonly unknown[] {
  try {
    return [JSON.parse(atob(cursor))].flat()
  } catch {
    return []
  }
}

function assertCursor(holds: boolean): void {
  if (!holds)
    throw new GraphError('cursor.invalid', 'cursor: the text is not a cursor of a page; begin again without it.')
}
