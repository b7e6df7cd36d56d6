import { type AttributeValue, type Key, typeOf } from '../../dynamodb/attribute-value.js'
import { RequestError, type ServiceError, validation } from '../errors.js'
import type { ConditionNode, OperandNode, OperationNode } from '../expressions/syntax.js'
import { emptyKey, emptyKind } from '../keys/empty.js'
import type { KeyAttribute, KeySchema } from '../keys/schema.js'
import { equalValues } from '../values/compare.js'
import { setMember } from '../values/maps.js'
import type { Where } from './where.js'

/** A leaf of a condition that compares an attribute with values. */
export interface Comparison {
  readonly name: string
  readonly operator: string
  readonly values: readonly AttributeValue[]
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** A comparison of a whole attribute with nothing but values, whichever stands first. */
export function comparisonOf(node: ConditionNode, { form }: Where): Comparison | undefined {
  if (node.type !== 'operation' && node.type !== 'call') return undefined
  const { operands, operator } = node
  const place = operands.findIndex(operand => operand.type === 'path')
  const path = operands[place]
  if (path?.type !== 'path' || path.elements.length !== 1) return undefined
  const others = operands.filter((_, i) => i !== place)
  if (others.some(operand => operand.type !== 'value') || (place > 0 && !isMirrored(node))) return undefined
  const { values } = form.slots
  return {
    name: path.elements[0] as string,
    operator: place === 0 ? operator : (MIRRORED[operator] ?? operator),
    values: others.map(operand => values[(operand as Extract<OperandNode, { slot: number }>).slot]!),
  }
}

const isMirrored = ({ operator }: Pick<OperationNode, 'operator'> | { operator: string }) =>
  operator === '=' || MIRRORED[operator] !== undefined

export function checkKeyValue({ name, type }: KeyAttribute, value: AttributeValue): void {
  const given = typeOf(value)
  if (given !== 'S' && given !== 'N' && given !== 'B') throw notKey(name, given)
  if (given !== type) throw wrongKey(name)
  const empty = emptyKind(value)
  if (empty) throw emptyKey(name, empty)
}

const notKey = (name: string, type: string): ServiceError =>
  new RequestError(`Key value must be of type S, N, or B. Key name: ${name}, Key type: ${type}`)

export const wrongKey = (name: string): ServiceError =>
  validation(`Key attribute's data type should match its data type in table's schema: Key ${name}`)

/** Refuses what is no key in any table; what is another table's is left to whoever looks the key up. */
export function checkIsKey(name: string, value: AttributeValue): void {
  const given = typeOf(value)
  if (given !== 'S' && given !== 'N' && given !== 'B') throw notKey(name, given)
}

/** What is said of a clause that does not name one key; where nothing is said of two the first counts. */
export interface KeyFaults {
  readonly missing: () => ServiceError
  readonly twofold: ((name: string) => ServiceError) | undefined
}

export const STATEMENT_FAULTS: KeyFaults = {
  missing: () => validation('Where clause does not contain a mandatory equality on all key attributes'),
  twofold: name =>
    validation(`Multiple conditions on same key ${name}. Only single item Update/Insert/Delete are supported`),
}

type IsEquality = (comparison: Comparison) => boolean

const isEqual: IsEquality = ({ operator }) => operator === '='
/** To a read one value alone in IN is an equality too. */
export const isEqualToOne: IsEquality = ({ operator, values }) =>
  operator === '=' || (operator === 'IN' && values.length === 1)

/** The one item that a statement is of: its WHERE clause must have an equality for each part of the key. */
export function writtenKey(
  keys: KeySchema,
  where: Where | undefined,
  { missing, twofold }: KeyFaults,
  isEquality = isEqual,
): Key {
  const equalities = where ? conjuncts(where.root).map(node => comparisonOf(node, where)) : []
  const key: Key = {}
  for (const { name } of [...keys.partition, ...keys.sort]) {
    const given = equalities.filter(one => one?.name === name && isEquality(one))
    const [value] = given.map(one => one!.values[0]!)
    if (value === undefined) throw missing()
    if (twofold && given.some(one => !equalValues(one!.values[0]!, value))) throw twofold(name)
    setMember(key, name, value)
  }
  return key
}

/** Whether a condition says anything beside which item it is of. */
export function asksMore(keys: KeySchema, where: Where, isEquality = isEqual): boolean {
  const names = [...keys.partition, ...keys.sort].map(({ name }) => name)
  return conjuncts(where.root).some(node => {
    const comparison = comparisonOf(node, where)
    return !comparison || !isEquality(comparison) || !names.includes(comparison.name)
  })
}

/** The conditions all of which must hold. */
function conjuncts(node: ConditionNode): ConditionNode[] {
  return node.type === 'AND' ? node.parts.flatMap(conjuncts) : [node]
}
