import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { type DeclaredType, idSlots, referenceSlots, storedSlots, TENANT_SLOT } from '../layout/slots.js'
import { decode, type KeyValues } from '../layout/template-encode.js'
import type { DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { type Reference, referencesOf } from './identity.js'

export type Row = Readonly<Record<string, unknown>>

/** The stored values of an item by slot: its attributes, and what its key tells. */
export function valuesOf(layout: Layout, kind: Kind, item: Item, turned = false): Record<string, AttributeValue> {
  const { type } = kind
  const values: Record<string, AttributeValue> = {}
  for (const [slot, name] of storedNamesOf(layout, kind)) {
    const value = item[name]
    if (value !== undefined) values[slot] = value
  }
  const other = turned !== (isOtherWay(layout, kind, item) && kind.keys[layout.names.partition]!.mode === 'raw')
  for (const key of [layout.names.partition, layout.names.sort]) {
    const template = kind.keys[key]!
    if (template.mode === 'raw') continue
    const told = decode(template, item[key]?.S ?? '')
    if (!told)
      throw new GraphError(
        'stored.key',
        `an item of ${kind.name} has the ${key} '${item[key]?.S}', which is not of "${template.source}"`,
        { type: type.name, name: key },
      )
    Object.assign(values, told)
  }
  return other ? turn(type, values) : values
}

/** Whether an undirected edge lies there as seen from its other end; keys that can be read tell the ends by themselves. */
function isOtherWay({ names }: Layout, { type, mark }: Kind, item: Item): boolean {
  return type.kind === 'edge' && type.undirected && item[names.type] !== undefined && item[names.type]!.S !== mark
}

function turn(type: DeclaredType, values: Record<string, AttributeValue>): Record<string, AttributeValue> {
  if (type.kind !== 'edge') return values
  const [one, other] = type.ends.map(({ name, node }) => referenceSlots(name, node)) as [string[], string[]]
  const turned = { ...values }
  for (const [i, slot] of one.entries()) {
    turned[slot] = values[other[i]!]!
    turned[other[i]!] = values[slot]!
  }
  return turned
}

type StoredNames = readonly (readonly [slot: string, name: string])[]

/** Rows come by the thousand: what is the same for all of a kind is worked out once. */
const storedNames = new WeakMap<Kind, StoredNames>()

function storedNamesOf({ names }: Layout, kind: Kind): StoredNames {
  const known = storedNames.get(kind)
  if (known) return known
  const { type } = kind
  const carried = type.kind === 'edge' ? type.carry.map(({ as }) => as) : []
  const made = [TENANT_SLOT, ...carried, ...storedSlots(type)].map(slot => [slot, names.of(type, slot)] as const)
  storedNames.set(kind, made)
  return made
}

/** The row that an item of a kind is. */
export function rowOf(layout: Layout, kind: Kind, item: Item, turned = false): Row {
  const { type } = kind
  return rowOfValues(type, valuesOf(layout, kind, item, turned))
}

function rowOfValues(type: DeclaredType, values: KeyValues): Row {
  const row: Record<string, unknown> = {}
  for (const reference of referencesOf(type)) row[reference.name] = idOf(reference, values)
  for (const [name, attribute] of Object.entries(type.attributes)) {
    const value = values[name]
    const read = value === undefined ? attribute.absent?.() : attribute.decode(value, `${type.name}.${name}`)
    if (read !== undefined) row[name] = read
  }
  if (type.kind === 'edge')
    for (const { as, end, attribute } of type.carry) {
      const value = values[as]
      const { node } = type.ends.find(({ name }) => name === end)!
      if (value !== undefined) row[as] = node.attributes[attribute]!.decode(value, `${type.name}.${as}`)
    }
  return row
}

/** A node's id as a row refers to it: of one part that value, of several an object. */
function idOf({ name, node }: Reference, values: KeyValues): unknown {
  const part = (slot: string, attribute: string) => {
    const value = values[slot]
    return value && node.attributes[attribute]!.decode(value, slot)
  }
  if (idSlots(node).length === 1) return part(name, node.id[0]!)
  return {
    ...(node.within && ownerOf(name, node.within, values)),
    ...Object.fromEntries(node.id.map(attribute => [attribute, part(`${name}.${attribute}`, attribute)])),
  }
}

const ownerOf = (name: string, owner: DeclaredNode, values: KeyValues) => ({
  [owner.name]: idOf({ name: `${name}.${owner.name}`, node: owner }, values),
})

/** Whether an item is still there: what has expired is gone, though DynamoDB deletes it later. */
export function isLive({ names }: Layout, item: Item, nowMs: number | undefined): boolean {
  const expires = item[names.expires]?.N
  return nowMs === undefined || expires === undefined || Number(expires) * 1000 > nowMs
}
