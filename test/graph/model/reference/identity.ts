import type { DeclaredType } from '../../../../src/layout/slots.js'
import type { DeclaredAttribute, DeclaredEdge, DeclaredEnd, DeclaredNode } from '../../../../src/schema/declarations.js'

export type Row = Readonly<Record<string, unknown>>

/** Returns the same text for equal values. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (each instanceof Set ? [...each].sort() : each))

export const isEqual = (a: unknown, b: unknown) => textOf(a) === textOf(b)

/** A node's id in the form of a call: a bare value for one part, an object otherwise. */
export function idOf({ id, within }: DeclaredNode, row: Row): unknown {
  if (id.length === 1 && !within) return row[id[0]!]
  const parts = id.map(name => [name, row[name]] as const)
  return Object.fromEntries(within ? [[within.name, row[within.name]], ...parts] : parts)
}

/** The identity of a node or an edge in the form of a call. */
export function keyOf(type: DeclaredType, row: Row): unknown {
  if (type.kind === 'node') return idOf(type, row)
  const names = [...type.ends.map(({ name }) => name), ...type.key]
  return Object.fromEntries(names.map(name => [name, row[name]]))
}

/** The identity as members of a row. */
export function partsOfKey(type: DeclaredType, key: unknown): Row {
  if (type.kind === 'node' && type.id.length === 1 && !type.within) return { [type.id[0]!]: key }
  return key as Row
}

/**
 * The key of a row in the model, at most one row each. For an undirected edge it does not depend on the order of the
 * ends; for an only edge it contains only the node.
 */
export function placeOf(type: DeclaredType, row: Row): string {
  if (type.kind === 'node') return textOf(idOf(type, row))
  if (type.one !== undefined) return textOf(row[type.one])
  const key = type.key.map(name => row[name])
  const ends = type.ends.map(({ name }) => textOf(row[name]))
  return textOf([type.undirected ? ends.sort() : ends, key])
}

export function otherEnd({ ends }: DeclaredEdge, end: DeclaredEnd): DeclaredEnd {
  return ends[0] === end ? ends[1] : ends[0]
}

/** An undirected edge from the perspective of its other end. */
export function turned({ ends: [first, second] }: DeclaredEdge, row: Row): Row {
  return { ...row, [first.name]: row[second.name], [second.name]: row[first.name] }
}

/** An undirected edge with its ends in canonical order. */
export function inOneOrder(type: DeclaredType, row: Row): Row {
  if (type.kind === 'node' || !type.undirected) return row
  const [first, second] = type.ends.map(({ name }) => textOf(row[name])) as [string, string]
  return first <= second ? row : turned(type, row)
}

/** The values of an id, starting with the owner's. */
export function idValues(node: DeclaredNode, id: unknown): { readonly attribute: DeclaredAttribute; value: unknown }[] {
  const parts = partsOfKey(node, id)
  const owner = node.within ? idValues(node.within, parts[node.within.name]) : []
  return [...owner, ...node.id.map(name => ({ attribute: node.attributes[name]!, value: parts[name] }))]
}
