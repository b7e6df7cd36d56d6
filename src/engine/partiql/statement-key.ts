import { type AttributeValue, attributeTypeOf, type Key } from '../../dynamodb/attribute-value.js'
import { RequestError, type ServiceError, validationError } from '../errors.js'
import type { ConditionNode, OperandNode, OperationNode } from '../expressions/parsing/syntax.js'
import { emptyKeyError, emptyKindOf } from '../keys/empty-keys.js'
import type { KeyAttribute, KeySchema } from '../keys/key-schema.js'
import { setMember } from '../values/attribute-maps.js'
import { isEqualValue } from '../values/compare-values.js'
import type { WhereClause } from './where-clause.js'

/** A condition that compares an attribute with values. */
export interface AttributeComparison {
  readonly name: string
  readonly operator: string
  readonly values: readonly AttributeValue[]
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/**
 * Returns the comparison of a top-level attribute with values only, in either order; undefined for other conditions.
 */
export function toAttributeComparison(node: ConditionNode, { builder }: WhereClause): AttributeComparison | undefined {
  if (node.type !== 'operation' && node.type !== 'call') return undefined
  const { operands, operator } = node
  const place = operands.findIndex(operand => operand.type === 'path')
  const path = operands[place]
  if (path?.type !== 'path' || path.elements.length !== 1) return undefined
  const others = operands.filter((_, i) => i !== place)
  if (others.some(operand => operand.type !== 'value') || (place > 0 && !isMirrorable(node))) return undefined
  const { values } = builder.slots
  return {
    name: path.elements[0] as string,
    operator: place === 0 ? operator : (MIRRORED[operator] ?? operator),
    values: others.map(operand => values[(operand as Extract<OperandNode, { slot: number }>).slot]!),
  }
}

const isMirrorable = ({ operator }: Pick<OperationNode, 'operator'> | { operator: string }) =>
  operator === '=' || MIRRORED[operator] !== undefined

export function checkKeyValueType({ name, type }: KeyAttribute, value: AttributeValue): void {
  const actualType = attributeTypeOf(value)
  if (actualType !== 'S' && actualType !== 'N' && actualType !== 'B') throw notKeyTypeError(name, actualType)
  if (actualType !== type) throw wrongStatementKeyTypeError(name)
  const empty = emptyKindOf(value)
  if (empty) throw emptyKeyError(name, empty)
}

const notKeyTypeError = (name: string, type: string): ServiceError =>
  new RequestError(`Key value must be of type S, N, or B. Key name: ${name}, Key type: ${type}`)

export const wrongStatementKeyTypeError = (name: string): ServiceError =>
  validationError(`Key attribute's data type should match its data type in table's schema: Key ${name}`)

/** Throws for a value that no table can have as a key. The type of the actual key is checked by the lookup. */
export function checkScalarKeyValue(name: string, value: AttributeValue): void {
  const actualType = attributeTypeOf(value)
  if (actualType !== 'S' && actualType !== 'N' && actualType !== 'B') throw notKeyTypeError(name, actualType)
}

/**
 * The errors of a clause that does not name one key. Without `newDuplicateError` the first of several values is used.
 */
export interface StatementKeyErrors {
  readonly newMissingError: () => ServiceError
  readonly newDuplicateError: ((name: string) => ServiceError) | undefined
}

export const STATEMENT_KEY_ERRORS: StatementKeyErrors = {
  newMissingError: () => validationError('Where clause does not contain a mandatory equality on all key attributes'),
  newDuplicateError: name =>
    validationError(`Multiple conditions on same key ${name}. Only single item Update/Insert/Delete are supported`),
}

type IsEquality = (comparison: AttributeComparison) => boolean

const isEqual: IsEquality = ({ operator }) => operator === '='
/** For reads, IN with a single value is an equality too. */
export const isSingleEquality: IsEquality = ({ operator, values }) =>
  operator === '=' || (operator === 'IN' && values.length === 1)

/** Returns the key of the one item of a statement. The WHERE clause must have an equality for each key attribute. */
export function resolveStatementKey(
  keys: KeySchema,
  where: WhereClause | undefined,
  { newMissingError, newDuplicateError }: StatementKeyErrors,
  isEquality = isEqual,
): Key {
  const equalities = where ? conjunctsOf(where.root).map(node => toAttributeComparison(node, where)) : []
  const key: Key = {}
  for (const { name } of [...keys.partition, ...keys.sort]) {
    const matching = equalities.filter(comparison => comparison?.name === name && isEquality(comparison))
    const [value] = matching.map(comparison => comparison!.values[0]!)
    if (value === undefined) throw newMissingError()
    if (newDuplicateError && matching.some(comparison => !isEqualValue(comparison!.values[0]!, value)))
      throw newDuplicateError(name)
    setMember(key, name, value)
  }
  return key
}

/** Returns whether a clause has conditions other than equalities on the key. */
export function hasConditionBeyondKey(keys: KeySchema, where: WhereClause, isEquality = isEqual): boolean {
  const names = [...keys.partition, ...keys.sort].map(({ name }) => name)
  return conjunctsOf(where.root).some(node => {
    const comparison = toAttributeComparison(node, where)
    return !comparison || !isEquality(comparison) || !names.includes(comparison.name)
  })
}

/** Returns the conditions of a conjunction, which must all hold. */
function conjunctsOf(node: ConditionNode): ConditionNode[] {
  return node.type === 'AND' ? node.parts.flatMap(conjunctsOf) : [node]
}
