import type { DeclaredType } from '../../../../src/layout/slots.js'
import type { DeclaredEnd, DeclaredNode } from '../../../../src/schema/declarations.js'
import { idValues, otherEnd, type Row } from './identity.js'

/** Texts by their UTF-8 bytes, which is not JavaScript's order; numbers and dates by value. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  return Number(a) - Number(b)
}

export function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, value] of a.entries()) {
    const order = compare(value, b[i])
    if (order !== 0) return order
  }
  return 0
}

/** The sort values of a row: the parts of the path, then the rest of the identity. */
export function sortValues(type: DeclaredType, order: readonly string[], row: Row, from?: DeclaredEnd): unknown[] {
  const identity = type.kind === 'node' ? nodeParts(type) : edgeParts(type, from!)
  const rest = identity.filter(part => !order.includes(part))
  return [...order, ...rest].flatMap(part => valuesOf(type, part, row))
}

const nodeParts = ({ id, within }: DeclaredNode) => (within ? [within.name, ...id] : [...id])

function edgeParts(type: Extract<DeclaredType, { kind: 'edge' }>, from: DeclaredEnd): string[] {
  return [otherEnd(type, from).name, ...type.key]
}

/** The values of a path part; an id may have several. */
function valuesOf(type: DeclaredType, part: string, row: Row): unknown[] {
  const node = type.kind === 'edge' ? type.ends.find(({ name }) => name === part)?.node : type.within
  const isReference = node !== undefined && (type.kind === 'edge' || node.name === part)
  return isReference ? idValues(node, row[part]).map(({ value }) => value) : [row[part]]
}
