import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { toPlainNumber } from '../../schema/attributes/number.js'
import type { DeclaredAttribute, DeclaredEdge, DeclaredNode, RowBinding } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { mapValues } from '../../schema/map-values.js'
import type { Layout } from '../layout.js'
import { memoize } from '../memoize.js'
import { membersOf } from '../row-members.js'
import { type DeclaredType, identitySlotsOf, normalizeEnds, referenceSlots, TENANT_SLOT } from '../slots.js'

type Values = Readonly<Record<string, AttributeValue | undefined>>

/** The case that raw keys are folded to. With folding, ids that differ only in case identify the same row. */
export type CaseFolding = 'upper' | 'lower' | undefined

export const caseFoldingOf = memoize(({ kinds }: Layout): { readonly fold: CaseFolding } => ({
  fold: kinds.flatMap(({ keys }) => Object.values(keys)).find(({ fold }) => fold)?.fold,
}))

/** Returns the binding of an encrypted attribute, also through mapped attributes around it. */
function bindingOf({ rowBinding, mapped }: DeclaredAttribute): RowBinding | undefined {
  return rowBinding ?? (mapped && bindingOf(mapped.inner))
}

/** Whether an attribute, or a part of it, is bound to its row. */
export const isRowBound = (attribute: DeclaredAttribute): boolean => bindingPresenceOf(attribute).any

const bindingPresenceOf = memoize((attribute: DeclaredAttribute): { readonly any: boolean } => {
  // Entries of an embedded map are copies from edges and keep the binding of the edges.
  const innerAttributes =
    attribute.kind === 'embedded' ? [] : [attribute.element, ...Object.values(attribute.members ?? {})]
  return { any: !!bindingOf(attribute) || innerAttributes.some(part => part && isRowBound(part)) }
})

/** The attributes of a type that are bound to its rows. */
export const rowBoundAttributes = memoize((type: DeclaredType): readonly string[] =>
  Object.keys(type.attributes).filter(name => isRowBound(type.attributes[name]!)),
)

/** The row that a value belongs to. A copy that an edge carries belongs to the node that it was copied from. */
interface ValueOwner {
  readonly name: string
  readonly identity: string
}

/** Returns the row that the value in a slot belongs to, by the values that identify the row. */
export function valueOwnerOf(type: DeclaredType, slot: string, values: Values, fold: CaseFolding): ValueOwner {
  const carried = type.kind === 'edge' ? type.carry.find(({ copyName }) => copyName === slot) : undefined
  if (!carried)
    return { name: `${type.name}.${slot}`, identity: toIdentityText(type, normalizeEnds(type, values), fold) }
  const end = findEnd(type as DeclaredEdge, carried.end)!
  const sourceValues = sourceIdentityOf(end.node, referenceSlots(end), values)
  return { name: `${end.node.name}.${carried.attribute}`, identity: toIdentityText(end.node, sourceValues, fold) }
}

function sourceIdentityOf(node: DeclaredNode, references: readonly string[], values: Values): Values {
  const identity = Object.fromEntries(identitySlotsOf(node).map((slot, i) => [slot, values[references[i]!]]))
  return { [TENANT_SLOT]: values[TENANT_SLOT], ...identity }
}

function toIdentityText(type: DeclaredType, values: Values, fold: CaseFolding): string {
  const isMember = membersOf(type).some(({ slot }) => slot === TENANT_SLOT)
  const slots = isMember ? identitySlotsOf(type) : [TENANT_SLOT, ...identitySlotsOf(type)]
  const text = JSON.stringify(slots.map(slot => toPlainValue(values[slot])))
  return fold === 'upper' ? text.toUpperCase() : fold === 'lower' ? text.toLowerCase() : text
}

const toPlainValue = (value: AttributeValue | undefined) =>
  value &&
  mapValues(value as Record<string, unknown>, (content, type) =>
    type === 'N' ? toPlainNumber(String(content)) : content,
  )

type ReplaceBoundValue = (binding: RowBinding, stored: AttributeValue, name: string) => AttributeValue

/** Replaces each encrypted value inside a stored value. Elements of a list have the name of the list. */
export function replaceBoundValues(
  attribute: DeclaredAttribute,
  stored: AttributeValue,
  name: string,
  replace: ReplaceBoundValue,
): AttributeValue {
  const binding = bindingOf(attribute)
  if (binding) return stored.B ? replace(binding, stored, name) : stored
  if (!isRowBound(attribute)) return stored
  const { element, members = {} } = attribute
  if (stored.L && element) return { L: stored.L.map(item => replaceBoundValues(element, item, name, replace)) }
  if (!stored.M) return stored
  const M = { ...stored.M }
  for (const [member, part] of Object.entries(members)) {
    const storedName = part.storedAs ?? member
    if (M[storedName]) M[storedName] = replaceBoundValues(part, M[storedName], `${name}.${member}`, replace)
  }
  return { M }
}

/** Binds a stored value to the row that these values identify. */
export function bindValue(
  type: DeclaredType,
  slot: string,
  stored: AttributeValue,
  values: Values,
  fold: CaseFolding,
): AttributeValue {
  const attribute = type.attributes[slot]
  if (!attribute || !isRowBound(attribute)) return stored
  const { name, identity } = valueOwnerOf(type, slot, values, fold)
  return replaceBoundValues(attribute, stored, name, (binding, boundValue, valueName) =>
    binding.bind(boundValue, { name: valueName, identity }),
  )
}

/** Returns every stored form of a value. Only an attribute that is encrypted as a whole has several. */
export function storedFormsOf(
  type: DeclaredType,
  slot: string,
  stored: AttributeValue,
  values: Values,
  fold: CaseFolding,
): readonly AttributeValue[] {
  const member = membersOf(type).find(candidate => candidate.slot === slot)
  const binding = member && bindingOf(member.attribute)
  return binding ? binding.forms(stored, valueOwnerOf(type, slot, values, fold)) : [stored]
}
