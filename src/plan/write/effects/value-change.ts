import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { addNumberValues } from '../../../layout/items/derived-values.js'
import type { DeclaredAttribute } from '../../../schema/declarations.js'
import { GraphError } from '../../../schema/error.js'
import { mapValues } from '../../../schema/map-values.js'
import type { ValueChange } from '../../plan.js'

type Stored = AttributeValue | undefined

/** The value after a change in place; undefined when nothing remains. */
export function applyValueChange(
  attribute: DeclaredAttribute,
  before: Stored,
  change: ValueChange,
  path: string,
): Stored {
  switch (change.kind) {
    case 'set':
      return change.value
    case 'remove':
      return undefined
    case 'add':
      // The sum must be valid like a value that a caller gives.
      return attribute.encode(attribute.decode(addNumberValues(before, change.value), path), path)
    case 'append':
      return { L: [...(before?.L ?? []), ...change.value.L!] }
    case 'prepend':
      return { L: [...change.value.L!, ...(before?.L ?? [])] }
    case 'within':
      return applyWithin(attribute, before, change.parts, path)
    default:
      return applyToSet(before, change.kind, change.value) ?? assertOptional(attribute, path)
  }
}

/** Returns undefined for an optional attribute; throws otherwise. */
function assertOptional({ optional }: DeclaredAttribute, path: string): undefined {
  if (optional) return undefined
  throw new GraphError(
    'write.missing',
    `${path}: the attribute is not optional, so it cannot be empty; give a value.`,
    { path },
  )
}

/** As in DynamoDB, list positions refer to the list before the change, and a position beyond the end appends. */
function applyWithin(
  { kind, element, members }: DeclaredAttribute,
  before: Stored,
  parts: Readonly<Record<string, ValueChange>>,
  path: string,
): AttributeValue {
  const isList = kind === 'list'
  const values = { ...(isList ? before?.L : before?.M) } as Record<string, Stored>
  for (const name in parts) {
    const member = isList ? element! : members![name]!
    const stored = member.storedAs ?? name
    values[stored] = applyValueChange(member, values[stored], parts[name]!, `${path}.${name}`)
  }
  // A map that this change creates must have all required members.
  if (!isList && !before)
    for (const name in members)
      values[members[name]!.storedAs ?? name] ??= assertOptional(members[name]!, `${path}.${name}`)
  const remaining = mapValues(values, value => value)
  return isList ? { L: Object.values(remaining) } : { M: remaining }
}

function applyToSet(before: Stored, kind: 'include' | 'exclude', value: AttributeValue): Stored {
  const members = (set: Stored): readonly unknown[] => set?.SS ?? set?.NS ?? set?.BS ?? []
  const changedMembers = new Set(members(value).map(String))
  const others = members(before).filter(member => !changedMembers.has(String(member)))
  const remaining = kind === 'include' ? [...others, ...members(value)] : others
  return remaining.length > 0 ? ({ [Object.keys(value)[0]!]: remaining } as unknown as AttributeValue) : undefined
}
