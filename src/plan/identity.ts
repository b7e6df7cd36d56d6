import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { Names } from '../layout/names.js'
import { type DeclaredType, idSlots, referenceSlots, slotValues, TENANT_SLOT } from '../layout/slots.js'
import { storeItem } from '../layout/store-item.js'
import type { KeyValues } from '../layout/template-encode.js'
import type { DeclaredAttribute, DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { Slots } from './plan.js'

/** A node that a type refers to: an end of an edge, or the owner of a node. */
export interface Reference {
  readonly name: string
  readonly node: DeclaredNode
}

export function referencesOf(type: DeclaredType): readonly Reference[] {
  if (type.kind === 'edge') return type.ends
  return type.within ? [{ name: type.within.name, node: type.within }] : []
}

export function typeOf({ graph }: Layout, name: string): DeclaredType {
  const { nodes, edges } = graph.declared
  const type = [...nodes, ...edges].find(candidate => candidate.name === name)
  if (type) return type
  throw new GraphError('read.path', `there is no '${name}' in the graph ${graph.name}`, { type: name })
}

/** The kind of a type's own items. */
export function ownKind({ kinds }: Layout, type: DeclaredType): Kind {
  return kinds.find(kind => kind.type === type && kind.role === type.kind)!
}

/** The slots of a node's id, whose parts are a value or an object. */
function idValues(node: DeclaredNode, id: unknown): Slots {
  const parts = idSlots(node).length === 1 ? { [node.id[0]!]: id } : ((id ?? {}) as Record<string, unknown>)
  const names = [...node.id, ...(node.within ? [node.within.name] : [])]
  return slotValues(node, Object.fromEntries(names.map(name => [name, parts[name]])))
}

/** The slots by which a type refers to a node. */
function referenceValues({ name, node }: Reference, id: unknown): Slots {
  const values = idValues(node, id)
  const references = referenceSlots(name, node)
  return pick(idSlots(node), values, slot => references[slot]!)
}

/** The id's slots of the node that the values of a type refer to. */
export function referredValues({ name, node }: Reference, values: KeyValues): Slots {
  const ids = idSlots(node)
  return pick(referenceSlots(name, node), values, slot => ids[slot]!)
}

function pick(slots: readonly string[], values: KeyValues, named: (position: number) => string): Slots {
  const picked: Record<string, AttributeValue> = {}
  for (const [position, slot] of slots.entries()) {
    const value = values[slot]
    if (value !== undefined) picked[named(position)] = value
  }
  return picked
}

export const tenantValues = (tenant: string | undefined): Slots =>
  tenant === undefined ? {} : { [TENANT_SLOT]: { S: tenant } }

/** What tells a node or an edge from all others of its type: an id, or the ends and the key. */
export function identityValues(type: DeclaredType, identity: unknown): Slots {
  if (type.kind === 'node') return idValues(type, identity)
  const given = (identity ?? {}) as Record<string, unknown>
  const names = [...type.ends.map(({ name }) => name), ...type.key]
  return Object.assign({}, ...names.map(name => memberValues(type, name, given[name])))
}

/** The slots of one member of a row: a reference, an attribute, or one element of a set. */
export function memberValues(type: DeclaredType, name: string, value: unknown): Slots {
  const reference = referencesOf(type).find(candidate => candidate.name === name)
  if (reference) return referenceValues(reference, value)
  return { [name]: memberAttribute(type, name).encode(value, `${type.name}.${name}`) }
}

/** What a part of a path holds. */
export function memberAttribute(type: DeclaredType, name: string): DeclaredAttribute {
  const reference = referencesOf(type).find(candidate => candidate.name === name)
  const carried = type.kind === 'edge' ? type.carry.find(({ as }) => as === name) : undefined
  const found = reference
    ? reference.node.attributes[reference.node.id.at(-1)!]
    : carried
      ? referencesOf(type).find(({ name: end }) => end === carried.end)!.node.attributes[carried.attribute]
      : type.attributes[name]
  if (!found) throw new GraphError('read.part', `${type.name} has no '${name}' to read by`, { type: type.name, name })
  return found.kind === 'set' ? found.element! : found
}

/** The key in the table of the item that these values make. */
export function tableKey({ names }: Layout, kind: Kind, values: KeyValues): Key {
  const item = storeItem(kind, names, values)
  return keyOf(names, item)
}

/** The key in the table of an item, or of an entry of an index. */
export function keyOf({ partition, sort }: Names, item: Item): Key {
  return { [partition]: item[partition]!, [sort]: item[sort]! }
}
