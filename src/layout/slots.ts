import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { KeyPart } from './key-text.js'
import {
  type Member,
  membersOf,
  partOf,
  type Reference,
  referenceMembers,
  referencesOf,
  tellingMembers,
  valueAt,
} from './members.js'
import { once } from './once.js'
import type { KeyValues } from './template-encode.js'

export type DeclaredType = DeclaredNode | DeclaredEdge

/** The part of every partition key that tells the tenants of a graph apart. */
export const TENANT_SLOT = 'tenant'
/** The part of a partition key that spreads it. */
export const SHARD_SLOT = 'shard'

export const FREE_TEXT: KeyPart = { kind: 'string', type: 'S' }
/** What is in that part, by which it is told from an attribute that is called so. */
export const SPREADING: KeyPart = { ...FREE_TEXT }

/** What is in a key that is a number: its one slot is all of it. */
export const NUMBER: KeyPart = { kind: 'number', type: 'N' }

const slotOf = ({ slot }: Pick<Member, 'slot'>) => slot

/** The slots of a node's id as its own templates name them, its owner's first; of an edge those of its ends. */
export const idSlots = (type: DeclaredType): readonly string[] =>
  type.kind === 'node' ? identityOf(type) : referredSlots(type)

/** What tells one of a type from all others: of a node its owner's id and its own. */
export const identityOf = once((type: DeclaredType): readonly string[] => tellingMembers(type).map(slotOf))

/** The slots by which something else refers to a node: the name alone where the id has one part. */
export const referenceSlots = (reference: Reference): string[] => referenceMembers(reference).map(slotOf)

/** The slots of an edge's ends, or of a node's owner. */
export function referredSlots(type: DeclaredType): string[] {
  return referencesOf(type).flatMap(referenceSlots)
}

/** The slots of parts of a path, of which an end or an owner stands for those of its id. */
export const partSlots = (type: DeclaredType, parts: readonly string[]): string[] =>
  parts.flatMap(part =>
    membersOf(type)
      .filter(({ at }) => at[0] === part)
      .map(slotOf),
  )

/** The slots that a type's items can hold as attributes. */
export function storedSlots(type: DeclaredType): string[] {
  return [...Object.keys(type.attributes), ...referredSlots(type)]
}

/** What a slot of a type's templates holds; undefined where there is nothing of that name. */
export function slotPart(
  type: DeclaredType,
  slot: string,
  tenant: unknown = true,
  shards?: number,
): KeyPart | undefined {
  const member = membersOf(type).find(each => each.slot === slot)
  if (member) return partOf(member)
  return shards && slot === SHARD_SLOT ? SPREADING : tenant && slot === TENANT_SLOT ? FREE_TEXT : undefined
}

/** The type that DynamoDB stores what is in a slot as, where that is one. */
export const storedType = (type: DeclaredType, slot: string) => (type.attributes[slot] ?? slotPart(type, slot))?.type

type Row = Readonly<Record<string, unknown>>

/** The stored values of a row by the names of the slots, for every attribute and reference that it has. */
export function slotValues(type: DeclaredType, row: Row): Record<string, AttributeValue> {
  const values: Record<string, AttributeValue> = {}
  for (const { slot, at, attribute, path, referred } of membersOf(type)) {
    const value = valueAt(row, at)
    if (referred && value === undefined) throw missingReference(type, at[0]!)
    if (referred || (value !== undefined && !attribute.derived)) values[slot] = attribute.encode(value, path)
  }
  return endsInOrder(type, values)
}

function missingReference({ name: type, kind }: DeclaredType, name: string): GraphError {
  const what = kind === 'edge' ? 'end' : 'owner'
  return new GraphError('write.missing', `${type}.${name}: the ${what} is missing; give the id of a ${name}.`, {
    type,
    name,
    path: `${type}.${name}`,
  })
}

/** An undirected edge is one fact, whichever end is named first: the lesser is. */
export function endsInOrder<V extends KeyValues>(type: DeclaredType, values: V): V {
  if (type.kind === 'node' || !type.undirected) return values
  const [one, other] = type.ends.map(referenceSlots) as [string[], string[]]
  const text = (slots: string[]) => JSON.stringify(slots.map(slot => values[slot]))
  if (text(one) <= text(other)) return values
  const turned: Record<string, AttributeValue | undefined> = { ...values }
  for (const [i, slot] of one.entries()) {
    turned[slot] = values[other[i]!]
    turned[other[i]!] = values[slot]
  }
  return turned as V
}

/** One row for each member of the sets that the given slots name: a facet has an item for each. */
export function eachMember(values: KeyValues, slots: readonly string[]): KeyValues[] {
  return slots.reduce<KeyValues[]>(
    (rows, slot) => rows.flatMap(row => elementsOf(row[slot]).map(element => ({ ...row, [slot]: element }))),
    [values],
  )
}

/** Bytes are in no key. */
const elementsOf = (value: AttributeValue | undefined): (AttributeValue | undefined)[] =>
  value?.SS?.map(S => ({ S })) ?? value?.NS?.map(N => ({ N })) ?? [value]
