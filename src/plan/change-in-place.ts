import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { sumOf } from '../layout/derived.js'
import type { DeclaredAttribute } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import type { PartChange } from './plan.js'

type Stored = AttributeValue | undefined

/** A value after a change in place; undefined where nothing is left of it. */
export function changedPart(attribute: DeclaredAttribute, before: Stored, change: PartChange, path: string): Stored {
  switch (change.kind) {
    case 'set':
      return change.value
    case 'remove':
      return undefined
    case 'add':
      // What is added up must fit as a value that is given.
      return attribute.encode(attribute.decode(sumOf(before, change.value), path), path)
    case 'append':
      return { L: [...(before?.L ?? []), ...change.value.L!] }
    case 'prepend':
      return { L: [...change.value.L!, ...(before?.L ?? [])] }
    case 'within':
      return changedWithin(attribute, before, change.parts, path)
    default:
      return changedSet(before, change.kind, change.value) ?? required(attribute, path)
  }
}

/** Nothing, where that may be. */
function required({ optional }: DeclaredAttribute, path: string): undefined {
  if (optional) return undefined
  throw new GraphError('write.missing', `${path} is not optional: it needs a value`, { path })
}

/** In a list, as DynamoDB does: positions are those before the change, what is set beyond the end is put there. */
function changedWithin(
  { kind, element, members }: DeclaredAttribute,
  before: Stored,
  parts: Readonly<Record<string, PartChange>>,
  path: string,
): AttributeValue {
  const isList = kind === 'list'
  const values = { ...(isList ? before?.L : before?.M) } as Record<string, Stored>
  for (const name in parts) {
    const member = isList ? element! : members![name]!
    const stored = member.storedAs ?? name
    values[stored] = changedPart(member, values[stored], parts[name]!, `${path}.${name}`)
  }
  // A map that is begun by this has all that it must have.
  if (!isList && !before)
    for (const name in members) values[members[name]!.storedAs ?? name] ??= required(members[name]!, `${path}.${name}`)
  const left = mapValues(values, value => value)
  return isList ? { L: Object.values(left) } : { M: left }
}

function changedSet(before: Stored, kind: 'include' | 'exclude', value: AttributeValue): Stored {
  const members = (set: Stored): readonly unknown[] => set?.SS ?? set?.NS ?? set?.BS ?? []
  const given = new Set(members(value).map(String))
  const kept = members(before).filter(member => !given.has(String(member)))
  const left = kind === 'include' ? [...kept, ...members(value)] : kept
  return left.length > 0 ? ({ [Object.keys(value)[0]!]: left } as unknown as AttributeValue) : undefined
}
