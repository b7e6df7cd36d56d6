import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { foldOf, isRowBound, storedForms } from '../layout/row-bindings.js'
import type { DeclaredType } from '../layout/slots.js'
import { chunksOf } from '../plan/chunks.js'
import { type Member, membersNamed } from '../plan/members.js'
import type { Slots, WriteCondition } from '../plan/plan.js'
import { WriteExpression } from '../plan/write-expression.js'
import { refusal } from '../plan/write-given.js'
import { json } from '../schema/attributes/json.js'
import { number } from '../schema/attributes/number.js'
import { string } from '../schema/attributes/string.js'
import type { DeclaredAttribute } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { Condition, Subject, Test } from './types/condition.js'

/** The most values that DynamoDB takes in one IN. */
const IN_VALUES = 100

class Clause implements Test {
  constructor(readonly text: string) {}

  and(other: Test): Clause {
    return new Clause(`(${this.text}) AND (${textOf(other)})`)
  }

  or(other: Test): Clause {
    return new Clause(`(${this.text}) OR (${textOf(other)})`)
  }

  negated(): Clause {
    return new Clause(`NOT (${this.text})`)
  }
}

function textOf(test: unknown, what = 'that', details?: { readonly type: string }): string {
  if (test instanceof Clause) return test.text
  throw new GraphError(
    'condition.invalid',
    `${what} is no test, or two without and(): give r => r.year.above(2000)`,
    details,
  )
}

/** A condition over rows of a kind, as an expression over the items that hold them. Its placeholders begin with the prefix. */
export function written(
  layout: Layout,
  kind: Kind,
  condition: Condition<never>,
  prefix = 'c',
  identity?: Slots,
): WriteCondition {
  const { name } = kind.type
  const placeholders = new WriteExpression(prefix)
  const row = new Proxy({}, { get: (_, member) => subjectOf(layout, kind, String(member), placeholders, identity) })
  const test = typeof condition === 'function' ? condition(row as never) : undefined
  const text = (given: unknown) => textOf(given, `a condition on ${name}`, { type: name })
  const expression = text(test)
  const { names, values } = placeholders
  // Of two tests that && joins, only the second is given.
  for (const placeholder in { ...names, ...values }) text(expression.includes(placeholder) && test)
  return { expression, names, values }
}

/** What a key tells is not stored again, and cannot be tested. */
function subjectOf(
  layout: Layout,
  kind: Kind,
  name: string,
  placeholders: WriteExpression,
  identity: Slots | undefined,
): Subject<unknown> {
  const { names } = layout
  const { type, told } = kind
  const [member, more] = membersNamed(type, name)
  if (more || told.has(name)) throw refusal('condition.key', type, name, 'is in the key, which only where() tests')
  const { attribute } = member!
  const path = placeholders.name(names.of(type, name))
  const whole = subject(path, attribute, `${type.name}.${name}`, placeholders)
  return isRowBound(attribute) ? boundSubject(layout, member!, type, whole, path, placeholders, identity) : whole
}

/** An encrypted value is bound to its row: only the condition of a write knows the row, and so what is stored there. */
function boundSubject(
  layout: Layout,
  { slot, attribute, path: label }: Member,
  type: DeclaredType,
  whole: Subject<unknown>,
  path: string,
  placeholders: WriteExpression,
  identity: Slots | undefined,
): Subject<unknown> {
  const isOneOf = (given: readonly unknown[]): string => {
    if (!identity)
      throw refusal(
        'condition.invalid',
        type,
        slot,
        "is encrypted for its row; declare it 'searchable' to filter by it",
      )
    const { fold } = foldOf(layout)
    const forms = given.flatMap(each => storedForms(type, slot, attribute.encode(each, label), identity, fold))
    return `${path} IN (${forms.map(form => placeholders.value(form)).join(', ')})`
  }
  const { exists, missing, hasType } = whole
  const refused = () => {
    throw refusal('condition.invalid', type, slot, 'is encrypted: test it by is(), not(), in(), exists() or missing()')
  }
  const all = { below: refused, atMost: refused, above: refused, atLeast: refused, between: refused }
  return {
    ...all,
    startsWith: refused,
    contains: refused,
    size: refused,
    at: refused,
    exists,
    missing,
    hasType,
    is: given => new Clause(isOneOf([given])),
    not: given => new Clause(`NOT ${isOneOf([given])}`),
    in: (...given) => new Clause(isOneOf(given)),
  }
}

/** A size; and what nobody knows more of than that it is stored as JSON is. */
const SIZE = number().declared
const ANYTHING = json().declared

/** `zero`: what is 0 where it is not stored yet, which is not what DynamoDB compares with: a counter, or an embedded map's size. */
function subject(
  path: string,
  attribute: DeclaredAttribute,
  label: string,
  placeholders: WriteExpression,
  zero = attribute.kind === 'counter' && path,
): Subject<unknown> {
  // What a validator has made of a value is not given to it again.
  const value = (given: unknown, { kind, encode } = attribute) =>
    placeholders.value((kind === 'validated' ? ANYTHING.encode : encode)(given, label))
  const tested = (text: string, holdsOfZero: boolean, unstored = zero) =>
    new Clause(
      !unstored
        ? text
        : holdsOfZero
          ? `attribute_not_exists(${unstored}) OR ${text}`
          : `attribute_exists(${unstored}) AND (${text})`,
    )
  // What is read of each row is there, stored or not.
  const absent = attribute.absent && path
  const compared = (sign: string) => (given: unknown) =>
    // How 0 lies to the number is a part of each sign that holds.
    tested(`${path} ${sign} ${value(given)}`, sign.includes(Number(given) > 0 ? '<' : Number(given) < 0 ? '>' : '='))
  const text = (given: unknown) => value(given, string().declared)
  // Of a number, as a decimal is stored, DynamoDB says that it never is so.
  const within = () => {
    if (attribute.type === 'N') throw new GraphError('condition.invalid', `${label} is a number`)
    return path
  }
  return {
    is: compared('='),
    not: compared('<>'),
    below: compared('<'),
    atMost: compared('<='),
    above: compared('>'),
    atLeast: compared('>='),
    between: (from, to) =>
      tested(`${path} BETWEEN ${value(from)} AND ${value(to)}`, Number(from) <= 0 && Number(to) >= 0),
    in: (...given) => {
      const chunks = chunksOf(given, IN_VALUES)
      if (!chunks[0]) throw new GraphError('condition.invalid', `${label} is tested to be in nothing`)
      const texts = chunks.map(chunk => `${path} IN (${chunk.map(each => value(each)).join(', ')})`)
      return tested(
        texts.join(' OR '),
        given.some(each => !Number(each)),
      )
    },
    startsWith: prefix => new Clause(`begins_with(${within()}, ${text(prefix)})`),
    contains: given => new Clause(`contains(${within()}, ${value(given, attribute.element ?? ANYTHING)})`),
    exists: () => tested(`attribute_exists(${path})`, true, absent),
    missing: () => tested(`attribute_not_exists(${path})`, false, absent),
    hasType: type => new Clause(`attribute_type(${path}, ${text(type)})`),
    size: () => subject(`size(${within()})`, SIZE, label, placeholders, attribute.kind === 'embedded' && path) as never,
    at: step => {
      const name = String(step)
      const isElement = typeof step === 'number'
      const { kind, element, members } = attribute
      // An entry of an embedded map, under a name that its members have no say in, is a map of them.
      const entry: DeclaredAttribute = { ...attribute, kind: 'map', storedAs: undefined, absent: undefined }
      const held = kind === 'embedded' ? entry : isElement ? element : members?.[name]
      const inner = isElement ? `[${name}]` : `.${placeholders.name(held?.storedAs ?? name)}`
      return subject(path + inner, held ?? ANYTHING, `${label}.${name}`, placeholders) as never
    },
  }
}
