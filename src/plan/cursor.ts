import type { AttributeValue, Key } from '../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES } from '../dynamodb/limits.js'
import { hashOf } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { textOf } from '../layout/store-item.js'
import { plainNumber } from '../schema/attributes/number.js'
import { GraphError } from '../schema/error.js'
import { placeOf } from './partition.js'
import type { LateCursor, Step } from './plan.js'

const VERSION = 1

/**
 * An opaque text, which serves only the query that it is bound to. It tells how far each of the steps was read: the
 * last key that was answered from it, if one was, without what the query tells.
 */
export function writeCursor(layout: Layout, steps: readonly Step[], keys: readonly (Key | undefined)[]): string {
  const texts = steps.map((step, i) => keys[i] && positionOf(layout, step).names.map(name => textOf(keys[i]![name])))
  const json = JSON.stringify([VERSION, boundTo(steps), texts])
  // Characters that base64 cannot take, or writes by such as an address cannot hold, are escaped as JSON has it.
  const plain = json.replace(/[^ -=@-}]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return btoa(plain).replaceAll('=', '')
}

/** The steps, each from where it was left. A cursor that is still encrypted shows where its positions will stand. */
export function resumed(
  layout: Layout,
  steps: readonly Step[],
  cursor: string | LateCursor | undefined,
): readonly Step[] {
  if (cursor === undefined) return steps
  if (isLate(cursor)) return steps.map(step => startingAt(step, cursor))
  const [version, bound, positions] = parsed(cursor) as [unknown, unknown, readonly (readonly string[] | null)[]]
  check(version === VERSION && Array.isArray(positions))
  if (bound !== boundTo(steps))
    throw new GraphError('cursor.mismatch', 'the cursor is of another query: give it to that one')
  check(positions.length === steps.length)
  return steps.map((step, i) => {
    const texts = positions[i]
    if (texts === null) return step
    const { names, told } = positionOf(layout, step)
    check(Array.isArray(texts) && texts.length === names.length && texts.every(text => typeof text === 'string'))
    const values = names.map((name, at) => ({ [layout.design.attributes[name]!]: texts![at] }) as AttributeValue)
    check(values.every(isKeyValue))
    const position = Object.fromEntries(names.map((name, at) => [name, values[at]]))
    return startingAt(step, { ...position, ...told })
  })
}

const isLate = (cursor: unknown): cursor is LateCursor => (cursor as LateCursor | null)?.late === 'cursor'

const startingAt = (step: Step, ExclusiveStartKey: object): Step => ({
  ...step,
  request: { ...step.request, input: { ...step.request.input, ExclusiveStartKey } },
})

/** Whether DynamoDB takes a value as a part of a key: it refuses the whole request otherwise. */
function isKeyValue({ S, N }: AttributeValue): boolean {
  if (N !== undefined) return plainNumber(N) !== undefined
  return !!S && S.isWellFormed() && encoder.encode(S).length <= PARTITION_KEY_BYTES
}

const encoder = new TextEncoder()

const boundTo = (steps: readonly Step[]): string => hashOf(queryText(steps))

/** Everything that decides which rows come, and in which order; a list of shards among it. */
export function queryText(steps: readonly Step[]): string {
  const inputs = steps.map(({ request }) => request.input)
  return JSON.stringify(inputs.map(({ Limit, ConsistentRead, ExclusiveStartKey, ...rest }) => rest))
}

/** The attributes of a position, and what its query tells of it: of the partition, the first of the values. */
function positionOf(layout: Layout, { request: { operation, input } }: Step): { names: string[]; told: Key } {
  const { partition, sort } = placeOf(layout, input.IndexName as string | undefined)
  const values = input.ExpressionAttributeValues as Key
  const told = Object.fromEntries(operation === 'scan' ? [] : partition.map((name, i) => [name, values[`:k${i}`]!]))
  const names = [...new Set([...sort, ...layout.names.keys])].filter(name => !Object.hasOwn(told, name))
  return { names, told }
}

/** What it says, as far as it is a cursor; whatever else it is has no version. */
function parsed(cursor: string): readonly unknown[] {
  try {
    return [JSON.parse(atob(cursor))].flat()
  } catch {
    return []
  }
}

function check(holds: boolean): void {
  if (!holds) throw new GraphError('cursor.invalid', 'this is no cursor of a page: begin again')
}
