import { caseFoldingOf, isRowBound, storedFormsOf } from '../../layout/items/row-bindings.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { chunksOf } from '../../plan/chunks.js'
import { membersByName, type RowMember } from '../../plan/members.js'
import type { SlotValues, WriteCondition } from '../../plan/plan.js'
import { WriteExpression } from '../../plan/write/expression.js'
import { memberError } from '../../plan/write/intent/row-change.js'
import { json } from '../../schema/attributes/json.js'
import { number } from '../../schema/attributes/number.js'
import { string } from '../../schema/attributes/string.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import type { Condition, Subject, Test } from '../types/condition.js'
import { assertOperands, assertOrdered, assertRange, assertTextFunction } from './condition-checks.js'

/** The maximum number of values in one IN. */
const IN_VALUES = 100

class ConditionClause implements Test {
  constructor(readonly text: string) {}

  and(other: Test): ConditionClause {
    return new ConditionClause(`(${this.text}) AND (${clauseTextOf(other)})`)
  }

  or(other: Test): ConditionClause {
    return new ConditionClause(`(${this.text}) OR (${clauseTextOf(other)})`)
  }

  negated(): ConditionClause {
    return new ConditionClause(`NOT (${this.text})`)
  }
}

function clauseTextOf(test: unknown, label = 'condition', details?: { readonly type: string }): string {
  if (test instanceof ConditionClause) return test.text
  throw new GraphError(
    'condition.invalid',
    `${label}: the condition is not one test; give a test, for example r => r.year.above(2000), and join several tests by and().`,
    details,
  )
}

/** Compiles a condition on rows of a kind to an expression on their items. Its placeholders begin with the prefix. */
export function compileCondition(
  layout: Layout,
  kind: Kind,
  condition: Condition<never>,
  prefix = 'c',
  identity?: SlotValues,
): WriteCondition {
  const { name } = kind.type
  const placeholders = new WriteExpression(prefix)
  const row = new Proxy({}, { get: (_, member) => subjectOf(layout, kind, String(member), placeholders, identity) })
  const test = typeof condition === 'function' ? condition(row as never) : undefined
  const textFrom = (given: unknown) => clauseTextOf(given, name, { type: name })
  const expression = textFrom(test)
  const { names, values } = placeholders
  // JavaScript's `&&` between two tests returns only the second test. An unused placeholder reveals the mistake.
  for (const placeholder in { ...names, ...values }) textFrom(expression.includes(placeholder) && test)
  return { expression, names, values }
}

/** The test subject of an attribute. A value that is stored only in a key cannot be tested. */
function subjectOf(
  layout: Layout,
  kind: Kind,
  name: string,
  placeholders: WriteExpression,
  identity: SlotValues | undefined,
): Subject<unknown> {
  const { names } = layout
  const { type, slotsInKey } = kind
  const [member, more] = membersByName(type, name)
  if (more || slotsInKey.has(name))
    throw memberError(
      'condition.key',
      type,
      name,
      'the attribute is part of the key, so a condition cannot test it; read by it in where()',
    )
  const { attribute } = member!
  const path = placeholders.name(names.attributeOf(type, name))
  const whole = createSubject(path, attribute, `${type.name}.${name}`, placeholders)
  return isRowBound(attribute) ? createBoundSubject(layout, member!, type, whole, path, placeholders, identity) : whole
}

/** An encrypted value is bound to its row, so only the condition of a write, which knows the row, can compare it. */
function createBoundSubject(
  layout: Layout,
  { slot, attribute, path: label }: RowMember,
  type: DeclaredType,
  whole: Subject<unknown>,
  path: string,
  placeholders: WriteExpression,
  identity: SlotValues | undefined,
): Subject<unknown> {
  const isOneOf = (operands: readonly unknown[]): string => {
    if (!identity)
      throw memberError(
        'condition.invalid',
        type,
        slot,
        "the attribute is encrypted for its row; declare it 'searchable' to filter by it",
      )
    const { fold } = caseFoldingOf(layout)
    const forms = operands.flatMap(operand =>
      storedFormsOf(type, slot, attribute.encode(operand, label), identity, fold),
    )
    return `${path} IN (${forms.map(form => placeholders.value(form)).join(', ')})`
  }
  const { exists, missing, hasType } = whole
  const throwEncrypted = () => {
    throw memberError(
      'condition.invalid',
      type,
      slot,
      'the attribute is encrypted; test it by is(), not(), in(), exists() or missing()',
    )
  }
  const all = {
    below: throwEncrypted,
    atMost: throwEncrypted,
    above: throwEncrypted,
    atLeast: throwEncrypted,
    between: throwEncrypted,
  }
  return {
    ...all,
    startsWith: throwEncrypted,
    contains: throwEncrypted,
    size: throwEncrypted,
    at: throwEncrypted,
    exists,
    missing,
    hasType,
    is: operand => new ConditionClause(isOneOf([operand])),
    not: given => new ConditionClause(`NOT ${isOneOf([given])}`),
    in: (...operands) => new ConditionClause(isOneOf(operands)),
  }
}

/** The declaration of a size, and of values known only as stored JSON. */
const SIZE = number().declared
const ANYTHING = json().declared

/** A clause on the value at `zeroPath`, which counts as 0 when it is not stored; without a path, the text alone. */
function zeroClause(text: string, holdsOfZero: boolean, zeroPath: string | false | undefined): ConditionClause {
  if (!zeroPath) return new ConditionClause(text)
  const missing = `attribute_not_exists(${zeroPath}) OR ${text}`
  return new ConditionClause(holdsOfZero ? missing : `attribute_exists(${zeroPath}) AND (${text})`)
}

/**
 * Creates a test subject. The value at `zeroPath` counts as 0 when it is not stored, unlike in DynamoDB. This applies
 * to counters and to sizes of embedded maps.
 */
function createSubject(
  path: string,
  attribute: DeclaredAttribute,
  label: string,
  placeholders: WriteExpression,
  zeroPath = attribute.kind === 'counter' && path,
): Subject<unknown> {
  // The output of a validator is not passed to the validator again.
  const stored = (operand: unknown, { kind, encode } = attribute) =>
    (kind === 'validated' ? ANYTHING.encode : encode)(operand, label)
  const value = (operand: unknown, declared = attribute) => placeholders.value(stored(operand, declared))
  const clause = (text: string, holdsOfZero: boolean, unstored = zeroPath) => zeroClause(text, holdsOfZero, unstored)
  // Every row has this attribute, because a default replaces a missing value.
  const absent = attribute.valueIfAbsent && path
  const comparison = (sign: string) => (operand: unknown) => {
    if (sign !== '=' && sign !== '<>') assertOrdered(stored(operand), label)
    // For a missing value that counts as 0, the sign also holds if 0 compares to the number this way.
    return clause(
      `${path} ${sign} ${value(operand)}`,
      sign.includes(Number(operand) > 0 ? '<' : Number(operand) < 0 ? '>' : '='),
    )
  }
  const text = (operand: unknown) => value(operand, string().declared)
  // DynamoDB returns false for text functions on a number, which is how a decimal is stored.
  const textPath = () => {
    assertTextFunction(attribute, label)
    return path
  }
  return {
    is: comparison('='),
    not: comparison('<>'),
    below: comparison('<'),
    atMost: comparison('<='),
    above: comparison('>'),
    atLeast: comparison('>='),
    between: (from, to) => {
      assertRange(stored(from), stored(to), label)
      return clause(`${path} BETWEEN ${value(from)} AND ${value(to)}`, Number(from) <= 0 && Number(to) >= 0)
    },
    in: (...operands) => {
      assertOperands(operands, label)
      const chunks = chunksOf(operands, IN_VALUES)
      const texts = chunks.map(chunk => `${path} IN (${chunk.map(operand => value(operand)).join(', ')})`)
      return clause(
        texts.join(' OR '),
        operands.some(operand => !Number(operand)),
      )
    },
    startsWith: prefix => new ConditionClause(`begins_with(${textPath()}, ${text(prefix)})`),
    contains: member => new ConditionClause(`contains(${textPath()}, ${value(member, attribute.element ?? ANYTHING)})`),
    exists: () => clause(`attribute_exists(${path})`, true, absent),
    missing: () => clause(`attribute_not_exists(${path})`, false, absent),
    hasType: type => new ConditionClause(`attribute_type(${path}, ${text(type)})`),
    size: () =>
      createSubject(`size(${textPath()})`, SIZE, label, placeholders, attribute.kind === 'embedded' && path) as never,
    at: step => {
      const name = String(step)
      const isElement = typeof step === 'number'
      const { kind, element, members } = attribute
      // An entry of an embedded map is a map of its members. Its name is not part of them.
      const entry: DeclaredAttribute = { ...attribute, kind: 'map', storedAs: undefined, valueIfAbsent: undefined }
      const innerAttribute = kind === 'embedded' ? entry : isElement ? element : members?.[name]
      const inner = isElement ? `[${name}]` : `.${placeholders.name(innerAttribute?.storedAs ?? name)}`
      return createSubject(path + inner, innerAttribute ?? ANYTHING, `${label}.${name}`, placeholders) as never
    },
  }
}
