import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validationError } from '../errors.js'
import { bindCondition, type ConditionExpression } from '../expressions/condition.js'
import type { CallNode, ConditionNode, OperandNode, Operator } from '../expressions/parsing/syntax.js'
import { SyntaxBuilder } from '../expressions/syntax-builder.js'
import { toDocumentPath } from './document-path.js'
import { resolveValue, type StatementParameters } from './literal-values.js'
import type { PartiqlCall, PartiqlExpression, PartiqlOperation } from './parsing/syntax.js'
import { unsupportedStatementError } from './statement-errors.js'

/** A WHERE clause as a condition, with its syntax, from which key conditions are derived. */
export interface WhereClause {
  readonly condition: ConditionExpression
  readonly root: ConditionNode
  readonly builder: SyntaxBuilder
}

/** Converts a WHERE clause into a condition expression and checks it. */
export function toWhereClause(where: PartiqlExpression, parameters: StatementParameters): WhereClause {
  const builder = new SyntaxBuilder()
  const root = new WhereConverter(builder, parameters).convert(where)
  const condition = bindCondition('Statement', { root, mentions: builder.mentions }, builder.placeholders)
  return { condition, root, builder }
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])
const FUNCTIONS: ReadonlySet<string> = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
])
/** The attribute types for the type names of PartiQL. */
const TYPES: Readonly<Record<string, string>> = {
  NULL: 'NULL',
  BOOLEAN: 'BOOL',
  BLOB: 'B',
  STRING: 'S',
  NUMERIC: 'N',
  STRUCT: 'M',
  TUPLE: 'M',
  LIST: 'L',
}
const NOT_BOOLEAN = 'WHERE clause must contain an expression that resolves to a boolean'

class WhereConverter {
  constructor(
    private readonly builder: SyntaxBuilder,
    private readonly parameters: StatementParameters,
  ) {}

  convert(where: PartiqlExpression): ConditionNode {
    return this.toCondition(where, NOT_BOOLEAN)
  }

  /** Converts an expression that must be a condition. `otherwise` is the error message if it is not. */
  private toCondition(expression: PartiqlExpression, otherwise: string): ConditionNode {
    switch (expression.kind) {
      case 'not':
        return negate(this.toPart('NOT', expression.operand, 'The argument to NOT must be a Type or Expression'))
      case 'is':
        return this.toTypeTest(expression)
      case 'operation':
        return this.toOperation(expression)
      case 'call':
        if (expression.name === 'size') throw validationError(otherwise)
        return this.toCall(expression)
      case 'statement':
        throw unsupportedStatementError('Unsupported token in expression: SELECT', expression.at)
      case 'sign':
        throw unsupportedConditionOperatorError(expression.operator)
      default:
        throw validationError(otherwise)
    }
  }

  /** Converts an operand of AND, OR or NOT. The service reports `size` there as an operand of the wrong type. */
  private toPart(operator: string, expression: PartiqlExpression, otherwise: string): ConditionNode {
    const isSize = expression.kind === 'call' && expression.name === 'size'
    return this.toCondition(expression, isSize ? wrongOperandTypeMessage(operator, 'N') : otherwise)
  }

  private toOperation(expression: PartiqlOperation): ConditionNode {
    const { operator, operands } = expression
    if (operator === 'AND' || operator === 'OR') return this.toConjunction(operator, operands)
    if (operator === 'IN') return this.toMembership(operands[0]!, operands[1]!)
    if (operator !== 'BETWEEN' && !COMPARISONS.has(operator)) throw unsupportedConditionOperatorError(operator)
    const truth = this.toTruthTest(expression)
    if (truth) return truth
    return {
      type: 'operation',
      operator: operator as Operator,
      operands: operands.map(part => this.toComparedOperand(part)),
    }
  }

  private toConjunction(type: 'AND' | 'OR', operands: readonly PartiqlExpression[]): ConditionNode {
    const parts = operands.map(part => this.toPart(type, part, 'The arguments to AND/OR must be Expressions'))
    return { type, parts }
  }

  /** Converts a comparison of a condition with a boolean. The comparison with any other value is never equal. */
  private toTruthTest({ operator, operands }: PartiqlOperation): ConditionNode | undefined {
    const place = operands.findIndex(isCondition)
    if (place === -1 || (operator !== '=' && operator !== '<>')) return undefined
    const tested = this.toCondition(operands[place]!, NOT_BOOLEAN)
    const value = resolveValue(operands[1 - place]!, this.parameters)
    const differs = operator === '<>'
    if (value?.BOOL !== undefined) return value.BOOL === differs ? negate(tested) : tested
    const never: ConditionNode = { type: 'AND', parts: [tested, negate(tested)] }
    return differs ? negate(never) : never
  }

  private toMembership(left: PartiqlExpression, right: PartiqlExpression): ConditionNode {
    const choices = right.kind === 'list' || right.kind === 'bag' ? right.elements : []
    if (choices.length === 0)
      throw validationError(
        'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq ' +
          'with at least one member',
      )
    return { type: 'operation', operator: 'IN', operands: [left, ...choices].map(part => this.toComparedOperand(part)) }
  }

  private toTypeTest({ operand, type }: Extract<PartiqlExpression, { kind: 'is' }>): ConditionNode {
    if (operand.kind === 'call' || operand.kind === 'operation')
      throw validationError('The left hand side argument to IS must be a Variable Reference, Literal, or Path')
    if (type === 'MISSING') return newCall('attribute_not_exists', [this.toOperand(operand)])
    const name = TYPES[type]
    if (!name)
      throw unsupportedStatementError(
        `Unsupported data type for IS operator: ${type}. Supported data types are ` +
          '[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]',
        operand.at,
      )
    return newCall('attribute_type', [this.toOperand(operand), this.toValue({ S: name })])
  }

  private toCall(expression: PartiqlCall): CallNode {
    const { name, operands } = expression
    if (!FUNCTIONS.has(name)) throw unsupportedStatementError(`Unrecognized function: ${name}`, expression.at)
    return newCall(
      name,
      operands.map(part => this.toOperand(part)),
    )
  }

  /** Converts an operand of a comparison, which may also be a function with a boolean result. */
  private toComparedOperand(expression: PartiqlExpression): OperandNode {
    const asks = expression.kind === 'call' && FUNCTIONS.has(expression.name)
    return asks ? this.toCall(expression) : this.toOperand(expression)
  }

  private toOperand(expression: PartiqlExpression): OperandNode {
    switch (expression.kind) {
      case 'path':
        return this.builder.addPath(toDocumentPath(expression))
      case 'missing':
        throw validationError('MISSING must be compared using IS operator')
      case 'call':
        if (expression.name !== 'size')
          throw unsupportedStatementError(`Unrecognized function: ${expression.name}`, expression.at)
        return newCall(
          'size',
          expression.operands.map(part => this.toOperand(part)),
        )
      case 'operation':
      case 'sign':
        throw unsupportedConditionOperatorError(expression.operator)
      case 'statement':
        throw unsupportedStatementError('Unsupported token in expression: SELECT', expression.at)
    }
    const value = resolveValue(expression, this.parameters)
    if (value === undefined) throw validationError(NOT_BOOLEAN)
    return this.toValue(value)
  }

  private toValue(value: AttributeValue): OperandNode {
    return this.builder.addValue(value)
  }
}

/** Returns whether an operand of a comparison is itself a condition other than a function call. */
function isCondition(expression: PartiqlExpression): boolean {
  if (expression.kind === 'is' || expression.kind === 'not') return true
  return expression.kind === 'operation' && (COMPARISONS.has(expression.operator) || isLogical(expression.operator))
}

const isLogical = (operator: string) => ['AND', 'OR', 'IN', 'BETWEEN'].includes(operator)

function negate(part: ConditionNode): ConditionNode {
  return { type: 'NOT', count: 1, part }
}

function newCall(operator: string, operands: readonly OperandNode[]): CallNode {
  return { type: 'call', operator, operands }
}

const wrongOperandTypeMessage = (operator: string, type: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`

const unsupportedConditionOperatorError = (operator: string) =>
  validationError(`Unsupported operator in Condition Expression. Operator: ${operator.toLowerCase()}`)
