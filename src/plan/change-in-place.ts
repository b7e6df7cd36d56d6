import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { formatDecimal, numberFault, parseDecimal } from '../dynamodb/number.js'
import type { DeclaredAttribute } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
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
      return changedSet(before, change.kind, change.value)
  }
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
  const left = Object.entries(values).filter((entry): entry is [string, AttributeValue] => entry[1] !== undefined)
  return isList ? { L: left.map(([, value]) => value) } : { M: Object.fromEntries(left) }
}

function changedSet(before: Stored, kind: 'include' | 'exclude', value: AttributeValue): Stored {
  const members = (set: Stored): readonly unknown[] => set?.SS ?? set?.NS ?? set?.BS ?? []
  const given = new Set(members(value).map(String))
  const kept = members(before).filter(member => !given.has(String(member)))
  const left = kind === 'include' ? [...kept, ...members(value)] : kept
  return left.length > 0 ? ({ [Object.keys(value)[0]!]: left } as unknown as AttributeValue) : undefined
}

/** Exact, as DynamoDB adds. */
export function sumOf(a: AttributeValue | undefined, b: AttributeValue | undefined, sign: 1 | -1 = 1): AttributeValue {
  const [one, other] = [parseDecimal(a?.N ?? '0')!, parseDecimal(b?.N ?? '0')!]
  const least = Math.min(one.exponent - one.digits.length, other.exponent - other.digits.length)
  const scaled = ({ negative, digits, exponent }: typeof one) =>
    BigInt(`${negative ? '-' : ''}${digits || '0'}${'0'.repeat(exponent - digits.length - least)}`)
  const sum = parseDecimal(`${scaled(one) + BigInt(sign) * scaled(other)}e${least}`)!
  const fault = numberFault(sum)
  if (fault && sum.digits !== '') throw new GraphError('value.number', `a sum is beyond what DynamoDB holds: ${fault}`)
  return { N: formatDecimal(sum) }
}
