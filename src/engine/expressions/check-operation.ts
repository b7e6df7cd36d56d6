import {
  ATTRIBUTE_TYPES,
  type AttributeType,
  type AttributeValue,
  attributeTypeOf,
} from '../../dynamodb/attribute-value.js'
import { EXPRESSION_IN_VALUES } from '../../dynamodb/limits.js'
import { compareValues } from '../values/compare-values.js'
import type { ExpressionBinding } from './binding.js'
import type { CallNode, OperandNode, OperationNode } from './parsing/syntax.js'
import { formatPath, isSamePath } from './paths.js'

/** The type of an operand before an item is read. It is known for values and sizes, and unknown for paths. */
type KnownType = AttributeType | undefined

interface OperandRule {
  /** The required number of operands, where the grammar allows any number. */
  readonly operands?: number
  readonly types?: ReadonlySet<KnownType>
  readonly startsWithPath?: boolean
  readonly isDistinct?: boolean
}

const ORDERED: ReadonlySet<KnownType> = new Set<KnownType>(['S', 'N', 'B', undefined])
const TEXTUAL: ReadonlySet<KnownType> = new Set<KnownType>(['S', 'B', undefined])
const NUMERIC: ReadonlySet<KnownType> = new Set<KnownType>(['N', undefined])
const LISTS: ReadonlySet<KnownType> = new Set<KnownType>(['L', undefined])
const SIZED: ReadonlySet<KnownType> = new Set<KnownType>(['S', 'B', 'SS', 'NS', 'BS', 'L', 'M', undefined])

const RULES: ReadonlyMap<string, OperandRule> = new Map<string, OperandRule>([
  ['=', { isDistinct: true }],
  ['<>', { isDistinct: true }],
  ['<', { types: ORDERED, isDistinct: true }],
  ['<=', { types: ORDERED, isDistinct: true }],
  ['>', { types: ORDERED, isDistinct: true }],
  ['>=', { types: ORDERED, isDistinct: true }],
  ['BETWEEN', { types: ORDERED, isDistinct: true }],
  ['IN', { isDistinct: true }],
  ['attribute_exists', { operands: 1, startsWithPath: true }],
  ['attribute_not_exists', { operands: 1, startsWithPath: true }],
  ['attribute_type', { operands: 2, isDistinct: true }],
  ['begins_with', { operands: 2, types: TEXTUAL, isDistinct: true }],
  ['contains', { operands: 2, isDistinct: true }],
  ['size', { operands: 1, types: SIZED }],
  ['+', { types: NUMERIC }],
  ['-', { types: NUMERIC }],
  ['if_not_exists', { operands: 2, startsWithPath: true, isDistinct: true }],
  ['list_append', { operands: 2, types: LISTS }],
])

/** Checks an operator or function as far as possible without an item. Its operands are checked first. */
export function checkOperation(binding: ExpressionBinding, node: OperationNode | CallNode): void {
  const types = node.operands.map(operand => checkOperand(binding, operand))
  binding.countOperator()
  const rule = RULES.get(node.operator)!
  if (rule.operands !== undefined && rule.operands !== types.length)
    throw binding.error(
      'Incorrect number of operands for operator or function; ' +
        `operator or function: ${node.operator}, number of operands: ${types.length}`,
    )
  if (rule.types !== undefined)
    for (const type of types) if (!rule.types.has(type)) throw wrongOperandTypeError(binding, node, type!)
  if (rule.startsWithPath && node.operands[0]!.type !== 'path')
    throw binding.error(`Operator or function requires a document path; operator or function: ${node.operator}`)
  if (rule.isDistinct) checkDistinct(binding, node)
  if (node.operator === 'attribute_type') checkTypeName(binding, node, types[1])
  else if (node.operator === 'BETWEEN') checkBounds(binding, node)
  else if (node.operator === 'IN') checkChoices(binding, node)
}

/** The result types of functions whose type does not depend on their operands. */
const RESULTS: ReadonlyMap<string, AttributeType> = new Map<string, AttributeType>([
  ['size', 'N'],
  ['attribute_exists', 'BOOL'],
  ['attribute_not_exists', 'BOOL'],
  ['attribute_type', 'BOOL'],
  ['begins_with', 'BOOL'],
  ['contains', 'BOOL'],
])

export function checkOperand(binding: ExpressionBinding, operand: OperandNode): KnownType {
  if (operand.type === 'path') {
    binding.path(operand)
    return undefined
  }
  if (operand.type === 'value') return attributeTypeOf(binding.value(operand))
  checkOperation(binding, operand)
  return RESULTS.get(operand.operator)
}

function wrongOperandTypeError(binding: ExpressionBinding, { operator }: OperationNode | CallNode, type: string) {
  return binding.error(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  )
}

function checkDistinct(binding: ExpressionBinding, { operator, operands }: OperationNode | CallNode): void {
  const [first, ...rest] = operands
  if (first!.type !== 'path') return
  const path = binding.path(first!)
  for (const other of rest)
    if (other.type === 'path' && isSamePath(path, binding.path(other)))
      throw binding.error(
        'The first operand must be distinct from the remaining operands for this operator or function; ' +
          `operator: ${operator}, first operand: ${formatPath(path)}`,
      )
}

/** The service lists these types in a fixed arbitrary order. */
const ANY_TYPE = '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}'
const TYPE_NAMES = '{B,NULL,SS,BOOL,L,BS,N,NS,S,M}'
const STATEMENT_TYPE_NAMES = '{N,BS,L,B,NULL,M,S,SS,NS,BOOL}'

function checkTypeName(binding: ExpressionBinding, node: OperationNode | CallNode, type: KnownType): void {
  const operand = node.operands[1]!
  if (type !== 'S' || operand.type !== 'value') throw wrongOperandTypeError(binding, node, type ?? ANY_TYPE)
  const name = binding.value(operand).S!
  if ((ATTRIBUTE_TYPES as readonly string[]).includes(name)) return
  const names = binding.kind === 'Statement' ? STATEMENT_TYPE_NAMES : TYPE_NAMES
  throw binding.error(`Invalid attribute type name found; type: ${name}, valid types: ${names}`)
}

function checkBounds(binding: ExpressionBinding, { operands }: OperationNode | CallNode): void {
  const [, lower, upper] = operands
  if (lower?.type !== 'value' || upper?.type !== 'value') return
  const low = binding.value(lower)
  const high = binding.value(upper)
  const order = compareValues(low, high)
  const problem =
    order === undefined
      ? 'The BETWEEN operator requires same data type for lower and upper bounds'
      : 'The BETWEEN operator requires upper bound to be greater than or equal to lower bound'
  if (order === undefined || order > 0)
    throw binding.error(
      `${problem}; lower bound operand: AttributeValue: ${formatScalar(low, binding)}, ` +
        `upper bound operand: AttributeValue: ${formatScalar(high, binding)}`,
    )
}

function formatScalar(value: AttributeValue, { kind }: ExpressionBinding): string {
  const base64 = value.B && Buffer.from(value.B).toString('base64')
  if (base64 !== undefined) return kind === 'Statement' ? `{B:[${base64}]}` : `{B:${base64}}`
  return value.S === undefined ? `{N:${value.N}}` : `{S:${value.S}}`
}

function checkChoices(binding: ExpressionBinding, { operands }: OperationNode | CallNode): void {
  const choices = operands.length - 1
  if (choices > EXPRESSION_IN_VALUES)
    throw binding.error(`The IN operator is provided with too many operands; number of operands: ${choices}`)
}
