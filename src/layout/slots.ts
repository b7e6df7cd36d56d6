import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declarations.js'
import { GraphError } from '../schema/error.js'
import type { KeySlotValues } from './keys/encode-template.js'
import type { SlotType } from './keys/key-text-codec.js'
import { memoize } from './memoize.js'
import {
  elementAttributeOf,
  identityMembersOf,
  membersOf,
  type Reference,
  type RowMember,
  referenceMembersOf,
  referencesOf,
  rowValueAt,
} from './row-members.js'

export type DeclaredType = DeclaredNode | DeclaredEdge

/** The slot of the tenant, which is the first part of every partition key of a graph with tenants. */
export const TENANT_SLOT = 'tenant'
/** The slot of the shard in a sharded partition key. */
export const SHARD_SLOT = 'shard'

export const FREE_TEXT_TYPE: SlotType = { kind: 'string', type: 'S' }
/**
 * The type of the shard slot. It is a separate object, so that identity comparison separates it from an attribute named
 * `shard`.
 */
export const SHARD_TYPE: SlotType = { ...FREE_TEXT_TYPE }

/** The type of a numeric key, whose one slot is the whole key. */
export const NUMBER_TYPE: SlotType = { kind: 'number', type: 'N' }

const slotOf = ({ slot }: Pick<RowMember, 'slot'>) => slot

/** The slots of a node's id in its own templates, its owner's first; for an edge, the slots of its ends. */
export const idSlots = (type: DeclaredType): readonly string[] =>
  type.kind === 'node' ? identitySlotsOf(type) : allReferenceSlots(type)

/** The slots that identify a row: for a node, its owner's id and its own id. */
export const identitySlotsOf = memoize((type: DeclaredType): readonly string[] => identityMembersOf(type).map(slotOf))

/** The slots of a reference to a node: the name alone if the id has one part. */
export const referenceSlots = (reference: Reference): string[] => referenceMembersOf(reference).map(slotOf)

/** The slots of an edge's ends, or of a node's owner. */
export function allReferenceSlots(type: DeclaredType): string[] {
  return referencesOf(type).flatMap(referenceSlots)
}

/** The slots of the parts of a path. An end or an owner has one slot for each part of its id. */
export const partSlots = (type: DeclaredType, parts: readonly string[]): string[] =>
  parts.flatMap(part =>
    membersOf(type)
      .filter(({ segments }) => segments[0] === part)
      .map(slotOf),
  )

/** The slots that items of a type can store as attributes. */
export function storedSlots(type: DeclaredType): string[] {
  return [...Object.keys(type.attributes), ...allReferenceSlots(type)]
}

/** Returns the type of a slot; undefined if the type has no slot of this name. */
export function slotTypeOf(
  type: DeclaredType,
  slot: string,
  tenant: unknown = true,
  shards?: number,
): SlotType | undefined {
  const member = membersOf(type).find(candidate => candidate.slot === slot)
  if (member) return elementAttributeOf(member)
  return shards && slot === SHARD_SLOT ? SHARD_TYPE : tenant && slot === TENANT_SLOT ? FREE_TEXT_TYPE : undefined
}

/** Returns the DynamoDB type of a slot, if it is always the same. */
export const storedTypeOf = (type: DeclaredType, slot: string) =>
  (type.attributes[slot] ?? slotTypeOf(type, slot))?.type

type PlainRow = Readonly<Record<string, unknown>>

/** Encodes the attributes and references of a row as stored values by slot. */
export function toSlotValues(type: DeclaredType, row: PlainRow): Record<string, AttributeValue> {
  const values: Record<string, AttributeValue> = {}
  for (const { slot, segments, attribute, path, isReference } of membersOf(type)) {
    const value = rowValueAt(row, segments)
    if (isReference && value === undefined) throw missingReferenceError(type, segments[0]!)
    if (isReference || (value !== undefined && !attribute.derived)) values[slot] = attribute.encode(value, path)
  }
  return normalizeEnds(type, values)
}

function missingReferenceError({ name: type, kind }: DeclaredType, name: string): GraphError {
  const role = kind === 'edge' ? 'end' : 'owner'
  return new GraphError('write.missing', `${type}.${name}: the ${role} is missing; give the id of a ${name}.`, {
    type,
    name,
    path: `${type}.${name}`,
  })
}

/**
 * Swaps the ends of an undirected edge so that the lesser end comes first. The edge then is the same item in both
 * directions.
 */
export function normalizeEnds<V extends KeySlotValues>(type: DeclaredType, values: V): V {
  if (type.kind === 'node' || !type.undirected) return values
  const [one, other] = type.ends.map(referenceSlots) as [string[], string[]]
  const text = (slots: string[]) => JSON.stringify(slots.map(slot => values[slot]))
  if (text(one) <= text(other)) return values
  const swapped: Record<string, AttributeValue | undefined> = { ...values }
  for (const [i, slot] of one.entries()) {
    swapped[slot] = values[other[i]!]
    swapped[other[i]!] = values[slot]
  }
  return swapped as V
}

/** Expands the sets in the given slots: one row for each member. A facet has an item for each of these rows. */
export function expandSets(values: KeySlotValues, slots: readonly string[]): KeySlotValues[] {
  return slots.reduce<KeySlotValues[]>(
    (rows, slot) => rows.flatMap(row => elementsOf(row[slot]).map(element => ({ ...row, [slot]: element }))),
    [values],
  )
}

/** Sets of bytes are not expanded, because keys cannot contain bytes. */
const elementsOf = (value: AttributeValue | undefined): (AttributeValue | undefined)[] =>
  value?.SS?.map(S => ({ S })) ?? value?.NS?.map(N => ({ N })) ?? [value]
