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

/** The part of every partition key that tells the tenants of a graph apart. */
export const TENANT_SLOT = 'tenant'
/** The part of a partition key that spreads it. */
export const SHARD_SLOT = 'shard'

export const FREE_TEXT_TYPE: SlotType = { kind: 'string', type: 'S' }
/** What is in that part, by which it is told from an attribute that is called so. */
export const SHARD_TYPE: SlotType = { ...FREE_TEXT_TYPE }

/** What is in a key that is a number: its one slot is all of it. */
export const NUMBER_TYPE: SlotType = { kind: 'number', type: 'N' }

const slotOf = ({ slot }: Pick<RowMember, 'slot'>) => slot

/** The slots of a node's id as its own templates name them, its owner's first; of an edge those of its ends. */
export const idSlots = (type: DeclaredType): readonly string[] =>
  type.kind === 'node' ? identitySlotsOf(type) : allReferenceSlots(type)

/** What tells one of a type from all others: of a node its owner's id and its own. */
export const identitySlotsOf = memoize((type: DeclaredType): readonly string[] => identityMembersOf(type).map(slotOf))

/** The slots by which something else refers to a node: the name alone where the id has one part. */
export const referenceSlots = (reference: Reference): string[] => referenceMembersOf(reference).map(slotOf)

/** The slots of an edge's ends, or of a node's owner. */
export function allReferenceSlots(type: DeclaredType): string[] {
  return referencesOf(type).flatMap(referenceSlots)
}

/** The slots of parts of a path, of which an end or an owner stands for those of its id. */
export const partSlots = (type: DeclaredType, parts: readonly string[]): string[] =>
  parts.flatMap(part =>
    membersOf(type)
      .filter(({ segments }) => segments[0] === part)
      .map(slotOf),
  )

/** The slots that a type's items can hold as attributes. */
export function storedSlots(type: DeclaredType): string[] {
  return [...Object.keys(type.attributes), ...allReferenceSlots(type)]
}

/** What a slot of a type's templates holds; undefined where there is nothing of that name. */
export function slotTypeOf(
  type: DeclaredType,
  slot: string,
  tenant: unknown = true,
  shards?: number,
): SlotType | undefined {
  const member = membersOf(type).find(each => each.slot === slot)
  if (member) return elementAttributeOf(member)
  return shards && slot === SHARD_SLOT ? SHARD_TYPE : tenant && slot === TENANT_SLOT ? FREE_TEXT_TYPE : undefined
}

/** The type that DynamoDB stores what is in a slot as, where that is one. */
export const storedTypeOf = (type: DeclaredType, slot: string) =>
  (type.attributes[slot] ?? slotTypeOf(type, slot))?.type

type PlainRow = Readonly<Record<string, unknown>>

/** The stored values of a row by the names of the slots, for every attribute and reference that it has. */
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

/** An undirected edge is one fact, whichever end is named first: the lesser is. */
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

/** One row for each member of the sets that the given slots name: a facet has an item for each. */
export function expandSets(values: KeySlotValues, slots: readonly string[]): KeySlotValues[] {
  return slots.reduce<KeySlotValues[]>(
    (rows, slot) => rows.flatMap(row => elementsOf(row[slot]).map(element => ({ ...row, [slot]: element }))),
    [values],
  )
}

/** Bytes are in no key. */
const elementsOf = (value: AttributeValue | undefined): (AttributeValue | undefined)[] =>
  value?.SS?.map(S => ({ S })) ?? value?.NS?.map(N => ({ N })) ?? [value]
