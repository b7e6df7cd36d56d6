import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { type DeclaredType, idSlots, referenceSlots } from '../layout/slots.js'
import { changedPart } from './change-in-place.js'
import type { Change, PartChange } from './plan.js'

export type Values = Readonly<Record<string, AttributeValue>>

/** The slots that tell a node or an edge from all others of its type. */
export function identityOf(type: DeclaredType): string[] {
  if (type.kind === 'node') return idSlots(type)
  return [...type.ends.flatMap(({ name, node }) => referenceSlots(name, node)), ...type.key]
}

/** The values that a stored item of a type has, by slot; those that its key tells are the identity by which it was read. */
export function storedValues({ names }: Layout, type: DeclaredType, identity: Values, item: Item): Values {
  const carried = type.kind === 'edge' ? type.carry.map(({ as }) => as) : []
  const own = Object.keys(type.attributes).filter(name => !type.attributes[name]!.derived)
  const values: Record<string, AttributeValue> = { ...identity }
  for (const slot of [...identityOf(type), ...own, ...carried]) {
    const stored = item[names.of(type, slot)]
    if (stored !== undefined) values[slot] = stored
  }
  return values
}

/** The values after a change. */
export function changedValues(type: DeclaredType, before: Values, change: Change): Values {
  const values: Record<string, AttributeValue> = { ...before, ...change.set }
  for (const slot of change.remove) delete values[slot]
  const changes: readonly [string, PartChange][] = [
    ...Object.entries(change.add).map(([slot, value]) => [slot, { kind: 'add', value }] as [string, PartChange]),
    ...Object.entries(change.inPlace),
  ]
  for (const [slot, part] of changes) {
    const value = changedPart(type.attributes[slot]!, before[slot], part, `${type.name}.${slot}`)
    if (value) values[slot] = value
    else delete values[slot]
  }
  return values
}

/** Whether two stored values are the same; the members of a set have no order. */
export function sameValue(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return canonical(a) === canonical(b)
}

function canonical(value: AttributeValue | undefined): string | undefined {
  return JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Uint8Array) return [...each]
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    const entries = Object.entries(each).sort(([x], [y]) => (x < y ? -1 : 1))
    return entries.map(([name, part]) => [
      name,
      /^[SNB]S$/.test(name) && Array.isArray(part) ? part.map(String).sort() : part,
    ])
  })
}
