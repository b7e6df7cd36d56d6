import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredAttribute, DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import type { KeyPart } from './key-text.js'
import type { KeyValues } from './template-encode.js'

export type DeclaredType = DeclaredNode | DeclaredEdge

/** The part of every partition key that tells the tenants of a graph apart. */
export const TENANT_SLOT = 'tenant'
/** The part of a partition key that spreads it. */
export const SHARD_SLOT = 'shard'

const FREE_TEXT: KeyPart = { kind: 'string', range: undefined, values: undefined }

/** The slots of a node's id as its own templates name them: its owner's first. */
export function idSlots({ id, within }: DeclaredNode): string[] {
  return within ? [...referenceSlots(within.name, within), ...id] : [...id]
}

/** The slots by which something else refers to a node: the name alone where the id has one part. */
export function referenceSlots(name: string, node: DeclaredNode): string[] {
  const slots = idSlots(node)
  return slots.length === 1 ? [name] : slots.map(slot => `${name}.${slot}`)
}

/** The slots that a type's items can hold as attributes. */
export function storedSlots(type: DeclaredType): string[] {
  const references =
    type.kind === 'edge' ? type.ends : type.within ? [{ name: type.within.name, node: type.within }] : []
  return [...Object.keys(type.attributes), ...references.flatMap(({ name, node }) => referenceSlots(name, node))]
}

/** What a slot of a type's templates holds; undefined where there is nothing of that name. */
export function slotPart(type: DeclaredType, slot: string): KeyPart | undefined {
  if (slot === TENANT_SLOT || slot === SHARD_SLOT) return FREE_TEXT
  return slotAttribute(type, slot)
}

function slotAttribute(type: DeclaredType, slot: string): DeclaredAttribute | undefined {
  if (Object.hasOwn(type.attributes, slot)) return elementOf(type.attributes[slot]!)
  const dot = slot.indexOf('.')
  const name = dot < 0 ? slot : slot.slice(0, dot)
  const node = referredNode(type, name)
  if (node) return slotAttribute(node, dot < 0 ? node.id[0]! : slot.slice(dot + 1))
  return type.kind === 'edge' ? carriedAttribute(type, slot) : undefined
}

/** A set is in a key by one of its members. */
function elementOf(attribute: DeclaredAttribute): DeclaredAttribute {
  return attribute.kind === 'set' ? attribute.element! : attribute
}

function referredNode(type: DeclaredType, name: string): DeclaredNode | undefined {
  if (type.kind === 'edge') return type.ends.find(end => end.name === name)?.node
  return type.within?.name === name ? type.within : undefined
}

function carriedAttribute(edge: DeclaredEdge, name: string): DeclaredAttribute | undefined {
  const carried = edge.carry.find(carry => carry.as === name)
  return carried && referredNode(edge, carried.end)!.attributes[carried.attribute]
}

type Row = Readonly<Record<string, unknown>>

/** The stored values of a row by the names of the slots, for every attribute and reference that it has. */
export function slotValues(type: DeclaredType, row: Row): Record<string, AttributeValue> {
  const values: Record<string, AttributeValue> = {}
  for (const [name, attribute] of Object.entries(type.attributes))
    if (row[name] !== undefined && !attribute.derived)
      values[name] = attribute.encode(row[name], `${type.name}.${name}`)
  const references =
    type.kind === 'edge' ? type.ends : type.within ? [{ name: type.within.name, node: type.within }] : []
  for (const { name, node } of references) addReference(values, name, node, row[name], `${type.name}.${name}`)
  if (type.kind === 'edge')
    for (const { as } of type.carry)
      if (row[as] !== undefined) values[as] = carriedAttribute(type, as)!.encode(row[as], `${type.name}.${as}`)
  return type.kind === 'edge' && type.undirected ? endsInOrder(type, values) : values
}

/** An undirected edge is one fact, whichever end is named first: the lesser is. */
export function endsInOrder<V extends KeyValues>({ ends: [first, second] }: DeclaredEdge, values: V): V {
  const [one, other] = [first, second].map(({ name, node }) => referenceSlots(name, node)) as [string[], string[]]
  const text = (slots: string[]) => JSON.stringify(slots.map(slot => values[slot]))
  if (text(one) <= text(other)) return values
  const turned = one.flatMap((slot, i) => [
    [slot, values[other[i]!]],
    [other[i]!, values[slot]],
  ])
  return { ...values, ...Object.fromEntries(turned) }
}

function addReference(
  values: Record<string, AttributeValue>,
  name: string,
  node: DeclaredNode,
  id: unknown,
  path: string,
): void {
  if (idSlots(node).length === 1) {
    values[name] = node.attributes[node.id[0]!]!.encode(id, path)
    return
  }
  const parts = (id ?? {}) as Row
  for (const part of node.id) values[`${name}.${part}`] = node.attributes[part]!.encode(parts[part], `${path}.${part}`)
  if (node.within)
    addReference(
      values,
      `${name}.${node.within.name}`,
      node.within,
      parts[node.within.name],
      `${path}.${node.within.name}`,
    )
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
