import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { type DeclaredType, referenceSlots } from '../layout/slots.js'
import type { Values } from './change-values.js'
import type { Change, Refused } from './plan.js'
import type { WriteExpression } from './write-expression.js'

/** The item before a write: read and there, read and not there, or not read. */
export type Before = Item | 'absent' | 'unread'

/** The conditions under which an item is written, and what it means where they fail. */
export function asBefore(
  layout: Layout,
  type: DeclaredType,
  change: Change,
  before: Before,
  expression: WriteExpression,
  values: Values,
): Refused {
  const { partition, etag } = layout.names
  const { verb, condition } = change
  const absent = expression.missing.bind(expression, partition)
  let refused: Refused = 'again'
  if (verb === 'create') {
    expression.where(type.expires === undefined ? absent() : `${absent()} OR ${expired(layout, change, expression)}`)
    refused = 'write.exists'
  } else if (before === 'absent') expression.where(absent())
  else if (typeof before === 'object')
    if (before[etag]) expression.where(expression.equals(etag, before[etag]))
    else expression.where(expression.exists(partition)).where(expression.missing(etag))
  else refused = unread(layout, type, change, expression, values)
  if (verb === 'delete' && whileEmpty(layout, type, expression)) refused = 'node.edges'
  expression.given(condition)
  return condition ? 'write.condition' : refused
}

/** What has expired is gone, though DynamoDB may not have deleted it yet. */
function expired({ names }: Layout, { nowSeconds }: Change, expression: WriteExpression): string {
  return `${expression.name(names.expires)} <= ${expression.value({ N: String(nowSeconds) })}`
}

function unread(
  layout: Layout,
  type: DeclaredType,
  change: Change,
  expression: WriteExpression,
  values: Values,
): Refused {
  const { names } = layout
  const same = farSlots(type).map(slot => expression.equals(names.of(type, slot), change.identity[slot]!))
  if (change.verb === 'update') {
    expression.where(expression.exists(names.partition))
    if (type.expires !== undefined) expression.where(`NOT ${expired(layout, change, expression)}`)
    for (const each of same) expression.where(each)
    return 'write.absent'
  }
  if (change.verb === 'delete') {
    for (const each of same) expression.where(each)
    return same.length > 0 ? 'nothing' : 'again'
  }
  const fixed = immutables(type).map(slot => {
    const value = values[slot]
    return value ? expression.equals(names.of(type, slot), value) : expression.missing(names.of(type, slot))
  })
  if (fixed.length > 0) expression.where(`${expression.missing(names.partition)} OR (${fixed.join(' AND ')})`)
  return fixed.length > 0 ? 'write.immutable' : 'again'
}

/** Slots of an edge's identity that are not in its key: what the one edge of a node leads to. */
export function farSlots(type: DeclaredType): string[] {
  if (type.kind === 'node' || type.one === undefined) return []
  const far = type.ends.find(({ name }) => name !== type.one)!
  return [...referenceSlots(far.name, far.node), ...type.key]
}

export function immutables({ attributes, ...type }: DeclaredType): string[] {
  const identity = type.kind === 'node' ? type.id : type.key
  return Object.keys(attributes).filter(name => attributes[name]!.immutable && !identity.includes(name))
}

/** A node goes only when no edge is counted or embedded in it: made anew, it would not know of them. */
function whileEmpty({ graph, names }: Layout, type: DeclaredType, expression: WriteExpression): boolean {
  if (type.kind === 'edge') return false
  const zero = { N: '0' }
  const kept = new Map<string, 'number' | 'map'>()
  for (const { ends, count, sum, embed } of graph.declared.edges) {
    const here = (end: string) => ends.find(({ name }) => name === end)!.node === type
    for (const { end, into, by } of [...count, ...sum]) if (here(end) && by === 'transaction') kept.set(into, 'number')
    for (const { end, into } of embed) if (here(end)) kept.set(into, 'map')
  }
  for (const [into, kind] of kept) {
    const name = names.of(type, into)
    const empty =
      kind === 'number' ? expression.equals(name, zero) : `size(${expression.name(name)}) = ${expression.value(zero)}`
    expression.where(`${expression.missing(name)} OR ${empty}`)
  }
  return kept.size > 0
}
