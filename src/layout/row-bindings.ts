import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { plainNumber } from '../schema/attributes/number.js'
import type { DeclaredAttribute, DeclaredEdge, DeclaredNode, RowBinding } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { mapValues } from '../schema/map-values.js'
import type { Layout } from './layout.js'
import { membersOf } from './members.js'
import { once } from './once.js'
import { type DeclaredType, endsInOrder, identityOf, referenceSlots, TENANT_SLOT } from './slots.js'

type Values = Readonly<Record<string, AttributeValue | undefined>>

/** Raw keys can ignore case: then ids that differ in case are the same row. */
export type Fold = 'upper' | 'lower' | undefined

export const foldOf = once(({ kinds }: Layout): { readonly fold: Fold } => ({
  fold: kinds.flatMap(({ keys }) => Object.values(keys)).find(({ fold }) => fold)?.fold,
}))

/** The binding of an encrypted attribute, which another mapping can stand in front of. */
function bindingOf({ rowBinding, mapped }: DeclaredAttribute): RowBinding | undefined {
  return rowBinding ?? (mapped && bindingOf(mapped.of))
}

/** Whether values of an attribute are bound to their row, or have parts that are. */
export const isRowBound = (attribute: DeclaredAttribute): boolean => boundWithin(attribute).any

const boundWithin = once((attribute: DeclaredAttribute): { readonly any: boolean } => {
  // Entries of an embedded map are copies of edges. They keep the binding of those.
  const inside = attribute.kind === 'embedded' ? [] : [attribute.element, ...Object.values(attribute.members ?? {})]
  return { any: !!bindingOf(attribute) || inside.some(part => part && isRowBound(part)) }
})

/** The attributes of a type that are bound to its rows. */
export const rowBoundNames = once((type: DeclaredType): readonly string[] =>
  Object.keys(type.attributes).filter(name => isRowBound(type.attributes[name]!)),
)

/** The row that a value belongs to. A copy that an edge carries belongs to the node that it was copied from. */
interface Belonging {
  readonly name: string
  readonly identity: string
}

/** Where the value in a slot of a row belongs, given the values that identify the row. */
export function belongingOf(type: DeclaredType, slot: string, values: Values, fold: Fold): Belonging {
  const carried = type.kind === 'edge' ? type.carry.find(({ as }) => as === slot) : undefined
  if (!carried) return { name: `${type.name}.${slot}`, identity: identityText(type, endsInOrder(type, values), fold) }
  const end = endNamed(type as DeclaredEdge, carried.end)!
  const own = sourceIdentity(end.node, referenceSlots(end), values)
  return { name: `${end.node.name}.${carried.attribute}`, identity: identityText(end.node, own, fold) }
}

function sourceIdentity(node: DeclaredNode, references: readonly string[], values: Values): Values {
  const own = Object.fromEntries(identityOf(node).map((slot, i) => [slot, values[references[i]!]]))
  return { [TENANT_SLOT]: values[TENANT_SLOT], ...own }
}

function identityText(type: DeclaredType, values: Values, fold: Fold): string {
  const isMember = membersOf(type).some(({ slot }) => slot === TENANT_SLOT)
  const slots = isMember ? identityOf(type) : [TENANT_SLOT, ...identityOf(type)]
  const text = JSON.stringify(slots.map(slot => plainValue(values[slot])))
  return fold === 'upper' ? text.toUpperCase() : fold === 'lower' ? text.toLowerCase() : text
}

const plainValue = (value: AttributeValue | undefined) =>
  value &&
  mapValues(value as Record<string, unknown>, (each, type) => (type === 'N' ? plainNumber(String(each)) : each))

type Change = (binding: RowBinding, stored: AttributeValue, name: string) => AttributeValue

/** A stored value, with each encrypted value in it replaced. Elements of a list have the name of the list. */
export function eachBound(
  attribute: DeclaredAttribute,
  stored: AttributeValue,
  name: string,
  change: Change,
): AttributeValue {
  const binding = bindingOf(attribute)
  if (binding) return stored.B ? change(binding, stored, name) : stored
  if (!isRowBound(attribute)) return stored
  const { element, members = {} } = attribute
  if (stored.L && element) return { L: stored.L.map(each => eachBound(element, each, name, change)) }
  if (!stored.M) return stored
  const M = { ...stored.M }
  for (const [member, part] of Object.entries(members)) {
    const at = part.storedAs ?? member
    if (M[at]) M[at] = eachBound(part, M[at], `${name}.${member}`, change)
  }
  return { M }
}

/** A stored value of a row as it is written: bound to the row that these values identify. */
export function boundValue(
  type: DeclaredType,
  slot: string,
  stored: AttributeValue,
  values: Values,
  fold: Fold,
): AttributeValue {
  const attribute = type.attributes[slot]
  if (!attribute || !isRowBound(attribute)) return stored
  const { name, identity } = belongingOf(type, slot, values, fold)
  return eachBound(attribute, stored, name, (binding, each, at) => binding.bind(each, { name: at, identity }))
}

/** Every way in which a value of a row can be stored. Only an attribute that is encrypted as a whole has several. */
export function storedForms(
  type: DeclaredType,
  slot: string,
  stored: AttributeValue,
  values: Values,
  fold: Fold,
): readonly AttributeValue[] {
  const member = membersOf(type).find(each => each.slot === slot)
  const binding = member && bindingOf(member.attribute)
  return binding ? binding.forms(stored, belongingOf(type, slot, values, fold)) : [stored]
}
