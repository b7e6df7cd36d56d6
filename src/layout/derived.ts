import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { formatDecimal, parseDecimal } from '../dynamodb/number.js'
import { exactly } from '../schema/attributes/number.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { identitySlots } from './default-keys.js'
import { escapeText, type KeyValues } from './template-encode.js'

/** An embedded entry is named by what tells the edge from all others of the node; several parts as in a key. */
export function entryName(edge: DeclaredEdge, end: DeclaredEnd, values: KeyValues): string {
  const parts = identitySlots(edge, end).map(slot => Object.values(values[slot]!).join(''))
  return parts.length === 1 ? parts[0]! : parts.map(escapeText).join('#')
}

/** Whether a counter is of edges with these values. */
export const isCounted = ({ where = {} }: Pick<DeclaredCount, 'where'>, values: KeyValues): boolean =>
  Object.entries(where).every(([slot, wanted]) =>
    wanted.some(each => JSON.stringify(each) === JSON.stringify(values[slot])),
  )

/** The counters by which a path of a node is sorted: it has them from the beginning, so that it is found there. */
export const rankedBy = ({ paths, attributes }: DeclaredNode): string[] =>
  paths.flatMap(({ order }) => order.filter(part => attributes[part]?.kind === 'counter'))

export function entryOf(node: DeclaredNode, into: string, values: KeyValues): Record<string, AttributeValue> {
  const entry: Record<string, AttributeValue> = {}
  for (const [name, { storedAs }] of Object.entries(node.attributes[into]!.members!))
    if (values[name]) entry[storedAs ?? name] = values[name]
  return entry
}

/** Exact, as DynamoDB adds. */
export function sumOf(a: AttributeValue | undefined, b: AttributeValue | undefined, sign: 1 | -1 = 1): AttributeValue {
  const one = parseDecimal(a?.N ?? '0')!
  const other = parseDecimal(b?.N ?? '0')!
  const least = Math.min(one.exponent - one.digits.length, other.exponent - other.digits.length)
  const scaled = (decimal: typeof one) => BigInt(formatDecimal({ ...decimal, exponent: decimal.exponent - least }))
  const sum = `${scaled(one) + BigInt(sign) * scaled(other)}e${least}`
  return exactly(sum, 'a sum', sum)
}
