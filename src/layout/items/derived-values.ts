import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'
import { encodeExactNumber } from '../../schema/attributes/number.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredNode } from '../../schema/declarations.js'
import { edgeIdentitySlots } from '../keys/default-templates.js'
import { escapeText, type KeySlotValues } from '../keys/encode-template.js'

/**
 * The most edges from a node of a tree up to its root. A put of an edge checks each of them in its transaction, which
 * takes 100 items.
 */
export const TREE_DEPTH = 50

/**
 * Returns the name of an embedded entry: the identity of the edge at its node. Several parts are joined as in a key.
 */
export function embeddedEntryName(edge: DeclaredEdge, end: DeclaredEnd, values: KeySlotValues): string {
  const parts = edgeIdentitySlots(edge, end).map(slot => Object.values(values[slot]!).join(''))
  return parts.length === 1 ? parts[0]! : parts.map(escapeText).join('#')
}

/** Whether a counter counts an edge with these values. */
export const isCounted = ({ where = {} }: Pick<DeclaredCount, 'where'>, values: KeySlotValues): boolean =>
  Object.entries(where).every(([slot, allowed]) =>
    allowed.some(value => JSON.stringify(value) === JSON.stringify(values[slot])),
  )

/**
 * The counters that a path of a node is sorted by. A new node stores them as 0, because an index omits items without
 * them.
 */
export const rankingCountersOf = ({ paths, attributes }: DeclaredNode): string[] =>
  paths.flatMap(({ order }) => order.filter(part => attributes[part]?.kind === 'counter'))

export function embeddedEntryOf(
  node: DeclaredNode,
  into: string,
  values: KeySlotValues,
): Record<string, AttributeValue> {
  const entry: Record<string, AttributeValue> = {}
  for (const [name, { storedAs }] of Object.entries(node.attributes[into]!.members!))
    if (values[name]) entry[storedAs ?? name] = values[name]
  return entry
}

/** Adds two numbers exactly, as DynamoDB does. */
export function addNumberValues(
  a: AttributeValue | undefined,
  b: AttributeValue | undefined,
  sign: 1 | -1 = 1,
): AttributeValue {
  const one = parseDecimal(a?.N ?? '0')!
  const other = parseDecimal(b?.N ?? '0')!
  const least = Math.min(one.exponent - one.digits.length, other.exponent - other.digits.length)
  const scaled = (decimal: typeof one) => BigInt(formatDecimal({ ...decimal, exponent: decimal.exponent - least }))
  const sum = `${scaled(one) + BigInt(sign) * scaled(other)}e${least}`
  return encodeExactNumber(sum, 'a sum', sum)
}
