import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { Filter } from '../plan/expression.js'
import { memberAttribute } from '../plan/identity.js'
import type { DeclaredAttribute } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { Condition, Subject, Test } from './types/condition.js'

/** The most values that DynamoDB takes in one IN. */
const IN_VALUES = 100

/** Collects the placeholders of one condition. */
class Written {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, AttributeValue> = {}

  constructor(private readonly prefix: string) {}

  name(attribute: string): string {
    const made = Object.keys(this.names)
    const placeholder = made.find(each => this.names[each] === attribute) ?? `#${this.prefix}${made.length}`
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: AttributeValue): string {
    const placeholder = `:${this.prefix}${Object.keys(this.values).length}`
    this.values[placeholder] = value
    return placeholder
  }
}

class Clause implements Test {
  constructor(readonly text: string) {}
  and = (other: Test) => new Clause(`(${this.text}) AND (${(other as Clause).text})`)
  or = (other: Test) => new Clause(`(${this.text}) OR (${(other as Clause).text})`)
  negated = () => new Clause(`NOT (${this.text})`)
}

/** A condition over rows of a kind, as an expression over the items that hold them. Its placeholders begin with the prefix. */
export function written(layout: Layout, kind: Kind, condition: Condition<never>, prefix = 'c'): Filter {
  const { type } = kind
  const placeholders = new Written(prefix)
  const row = new Proxy({}, { get: (_, name) => subjectOf(layout, kind, String(name), placeholders) })
  const clause = typeof condition === 'function' ? condition(row as never) : undefined
  if (!(clause instanceof Clause))
    throw new GraphError(
      'condition.invalid',
      `a condition on ${type.name} gives no test: as in r => r.year.above(2000)`,
      {
        type: type.name,
      },
    )
  return { expression: clause.text, names: placeholders.names, values: placeholders.values }
}

/** What a key tells is not stored again, and cannot be tested. */
function subjectOf({ names }: Layout, kind: Kind, name: string, placeholders: Written): Subject<unknown> {
  const { type } = kind
  const told = [names.partition, names.sort].some(key => {
    const { mode, slots } = kind.keys[key]!
    return mode === 'encoded' && slots.some(slot => slot.name === name || slot.name.startsWith(`${name}.`))
  })
  if (told && !kind.held.includes(name))
    throw new GraphError(
      'condition.key',
      `${type.name}.${name} is in the key, which no condition tests: say it by where(), or test the rows`,
      { type: type.name, name },
    )
  const attribute = type.attributes[name] ?? memberAttribute(type, name)
  return subject(placeholders.name(names.of(type, name)), attribute, `${type.name}.${name}`, placeholders)
}

function subject(
  path: string,
  attribute: DeclaredAttribute | undefined,
  label: string,
  placeholders: Written,
): Subject<unknown> {
  const value = (given: unknown, of = attribute) =>
    placeholders.value(of ? of.encode(given, label) : numberOf(given, label))
  // A counter that is not stored yet is 0.
  const compared = (sign: string, given: unknown, holds: (zero: number, other: number) => boolean) => {
    const text = `${path} ${sign} ${value(given)}`
    const zero = attribute?.kind === 'counter' && holds(0, Number(given))
    return new Clause(zero ? `attribute_not_exists(${path}) OR ${text}` : text)
  }
  const member = attribute?.kind === 'set' || attribute?.kind === 'list' ? attribute.element : attribute
  return {
    is: given => compared('=', given, (a, b) => a === b),
    not: given => compared('<>', given, (a, b) => a !== b),
    below: given => compared('<', given, (a, b) => a < b),
    atMost: given => compared('<=', given, (a, b) => a <= b),
    above: given => compared('>', given, (a, b) => a > b),
    atLeast: given => compared('>=', given, (a, b) => a >= b),
    between: (from, to) => new Clause(`${path} BETWEEN ${value(from)} AND ${value(to)}`),
    in: (...given) => {
      const chunks = Array.from({ length: Math.ceil(given.length / IN_VALUES) }, (_, i) =>
        given.slice(i * IN_VALUES, (i + 1) * IN_VALUES),
      )
      if (chunks.length === 0) throw new GraphError('condition.invalid', `${label} is tested to be in nothing`)
      return new Clause(chunks.map(chunk => `${path} IN (${chunk.map(each => value(each)).join(', ')})`).join(' OR '))
    },
    startsWith: prefix => new Clause(`begins_with(${path}, ${placeholders.value({ S: String(prefix) })})`),
    contains: given => {
      const part =
        attribute?.kind === 'set' || attribute?.kind === 'list'
          ? value(given, member)
          : placeholders.value({ S: String(given) })
      return new Clause(`contains(${path}, ${part})`)
    },
    exists: () => new Clause(`attribute_exists(${path})`),
    missing: () => new Clause(`attribute_not_exists(${path})`),
    hasType: type => new Clause(`attribute_type(${path}, ${placeholders.value({ S: type })})`),
    size: () => subject(`size(${path})`, undefined, label, placeholders) as never,
    at: step => {
      const inner =
        typeof step === 'number'
          ? `${path}[${step}]`
          : `${path}.${placeholders.name(storedStep(attribute, String(step)))}`
      return subject(inner, innerOf(attribute, step), `${label}.${String(step)}`, placeholders) as never
    },
  }
}

const storedStep = (attribute: DeclaredAttribute | undefined, step: string) =>
  attribute?.members?.[step]?.storedAs ?? step

function innerOf(attribute: DeclaredAttribute | undefined, step: PropertyKey): DeclaredAttribute | undefined {
  if (typeof step === 'number') return attribute?.element
  if (attribute?.kind === 'json') return attribute
  // An entry of an embedded map is a map of its members.
  return attribute?.kind === 'embedded'
    ? ({ ...attribute, kind: 'map' } as DeclaredAttribute)
    : attribute?.members?.[String(step)]
}

function numberOf(given: unknown, label: string): AttributeValue {
  if (typeof given === 'number' && Number.isFinite(given)) return { N: String(given) }
  throw new GraphError('condition.invalid', `${label} is compared with what is no number`)
}
