import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredAttribute, DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import type { KeyPart } from './key-text.js'
import type { KeyValues } from './template-encode.js'

export type DeclaredType = DeclaredNode | DeclaredEdge

/** The part of every partition key that tells the tenants of a graph apart. */
export const TENANT_SLOT = 'tenant'
/** The part of a partition key that spreads it. */
export const SHARD_SLOT = 'shard'

export const FREE_TEXT: KeyPart = { kind: 'string', type: 'S', range: undefined, values: undefined }

/** The slots of a node's id as its own templates name them: its owner's first. */
export function idSlots({ id, within }: DeclaredNode): string[] {
  return within ? [...referenceSlots(within.name, within), ...id] : [...id]
}

/** The slots by which something else refers to a node: the name alone where the id has one part. */
export function referenceSlots(name: string, node: DeclaredNode): string[] {
  const slots = idSlots(node)
  return slots.length === 1 ? [name] : slots.map(slot => `${name}.${slot}`)
}

/** The nodes that a type refers to: the ends of an edge, the owner of a node. */
function referencesOf(type: DeclaredType): readonly { readonly name: string; readonly node: DeclaredNode }[] {
  if (type.kind === 'edge') return type.ends
  return type.within ? [{ name: type.within.name, node: type.within }] : []
}

/** The slots that a type's items can hold as attributes. */
export function storedSlots(type: DeclaredType): string[] {
  return [
    ...Object.keys(type.attributes),
    ...referencesOf(type).flatMap(({ name, node }) => referenceSlots(name, node)),
  ]
}

/** What a slot of a type's templates holds; undefined where there is nothing of that name. */
export function slotPart(type: DeclaredType, slot: string): KeyPart | undefined {
  return slot === TENANT_SLOT || slot === SHARD_SLOT ? FREE_TEXT : slotAttribute(type, slot)
}

function slotAttribute(type: DeclaredType, slot: string): DeclaredAttribute | undefined {
  const attribute = Object.hasOwn(type.attributes, slot) ? type.attributes[slot] : undefined
  // A set is in a key by one of its members.
  if (attribute) return attribute.kind === 'set' ? attribute.element : attribute
  const [head, ...rest] = slot.split('.')
  const node = referencesOf(type).find(({ name }) => name === head)?.node
  if (node) return slotAttribute(node, rest.join('.') || node.id[0]!)
  return type.kind === 'edge' ? carriedAttribute(type, slot) : undefined
}

function carriedAttribute({ carry, ends }: DeclaredEdge, name: string): DeclaredAttribute | undefined {
  const { end, attribute = '' } = carry.find(({ as }) => as === name) ?? {}
  return ends.find(each => each.name === end)?.node.attributes[attribute]
}

type Row = Readonly<Record<string, unknown>>

/** The stored values of a row by the names of the slots, for every attribute and reference that it has. */
export function slotValues(type: DeclaredType, row: Row): Record<string, AttributeValue> {
  const values: Record<string, AttributeValue> = {}
  const add = (name: string, { derived, encode }: DeclaredAttribute) => {
    const value = row[name]
    if (value !== undefined && !derived) values[name] = encode(value, `${type.name}.${name}`)
  }
  for (const name in type.attributes) add(name, type.attributes[name]!)
  for (const { name, node } of referencesOf(type)) addReference(values, name, node, row[name], `${type.name}.${name}`)
  if (type.kind === 'node') return values
  for (const { as } of type.carry) add(as, carriedAttribute(type, as)!)
  return type.undirected ? endsInOrder(type, values) : values
}

/** An undirected edge is one fact, whichever end is named first: the lesser is. */
export function endsInOrder<V extends KeyValues>({ ends }: DeclaredEdge, values: V): V {
  const [one, other] = ends.map(({ name, node }) => referenceSlots(name, node)) as [string[], string[]]
  const text = (slots: string[]) => JSON.stringify(slots.map(slot => values[slot]))
  if (text(one) <= text(other)) return values
  const turned: Record<string, AttributeValue | undefined> = { ...values }
  for (const [i, slot] of one.entries()) {
    turned[slot] = values[other[i]!]
    turned[other[i]!] = values[slot]
  }
  return turned as V
}

function addReference(
  values: Record<string, AttributeValue>,
  name: string,
  { id, within, attributes }: DeclaredNode,
  given: unknown,
  path: string,
): void {
  if (!within && id.length === 1) {
    values[name] = attributes[id[0]!]!.encode(given, path)
    return
  }
  const parts = (given ?? {}) as Row
  for (const part of id) values[`${name}.${part}`] = attributes[part]!.encode(parts[part], `${path}.${part}`)
  if (!within) return
  const owner = within.name
  addReference(values, `${name}.${owner}`, within, parts[owner], `${path}.${owner}`)
}

/** One row for each member of the sets that the given slots name: a facet has an item for each. */
export function eachMember(values: KeyValues, slots: readonly string[]): KeyValues[] {
  return slots.reduce<KeyValues[]>(
    (rows, slot) => rows.flatMap(row => membersOf(row[slot]).map(member => ({ ...row, [slot]: member }))),
    [values],
  )
}

function membersOf(value: AttributeValue | undefined): (AttributeValue | undefined)[] {
  if (value?.SS) return value.SS.map(S => ({ S }))
  if (value?.NS) return value.NS.map(N => ({ N }))
  if (value?.BS) return value.BS.map(B => ({ B }))
  return [value]
}
