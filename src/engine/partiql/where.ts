import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validation } from '../errors.js'
import { bindCondition, type Condition } from '../expressions/condition.js'
import { Form } from '../expressions/form.js'
import type { CallNode, ConditionNode, OperandNode, Operator } from '../expressions/syntax.js'
import { refused } from './faults.js'
import { type Parameters, statedValue } from './literals.js'
import { documentPath } from './paths.js'
import type { CallExpression, Expression, OperationExpression } from './syntax.js'

/** A WHERE clause as a condition, and as the tree of it, from which keys are read. */
export interface Where {
  readonly condition: Condition
  readonly root: ConditionNode
  readonly form: Form
}

/** Turns a WHERE clause into the form of a condition expression, and checks it as such. */
export function readWhere(where: Expression, parameters: Parameters): Where {
  const form = new Form()
  const root = new WhereReader(form, parameters).whole(where)
  const condition = bindCondition('Statement', { root, mentions: form.mentions }, form.placeholders)
  return { condition, root, form }
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])
const FUNCTIONS: ReadonlySet<string> = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
])
/** The types of attributes that the types of PartiQL are. */
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

class WhereReader {
  constructor(
    private readonly form: Form,
    private readonly parameters: Parameters,
  ) {}

  whole(where: Expression): ConditionNode {
    return this.condition(where, NOT_BOOLEAN)
  }

  /** A part that must be a condition; `otherwise` is what the service says where it is none. */
  private condition(expression: Expression, otherwise: string): ConditionNode {
    switch (expression.kind) {
      case 'not':
        return negated(this.part('NOT', expression.operand, 'The argument to NOT must be a Type or Expression'))
      case 'is':
        return this.typeTest(expression)
      case 'operation':
        return this.operation(expression)
      case 'call':
        if (expression.name === 'size') throw validation(otherwise)
        return this.call(expression)
      case 'statement':
        throw refused('Unsupported token in expression: SELECT', expression.at)
      case 'sign':
        throw unsupportedOperator(expression.operator)
      default:
        throw validation(otherwise)
    }
  }

  /** A part of a condition made of others, in which a size is taken for an operand of the wrong type. */
  private part(operator: string, expression: Expression, otherwise: string): ConditionNode {
    const isSize = expression.kind === 'call' && expression.name === 'size'
    return this.condition(expression, isSize ? wrongOperandType(operator, 'N') : otherwise)
  }

  private operation(expression: OperationExpression): ConditionNode {
    const { operator, operands } = expression
    if (operator === 'AND' || operator === 'OR') return this.joined(operator, operands)
    if (operator === 'IN') return this.membership(operands[0]!, operands[1]!)
    if (operator !== 'BETWEEN' && !COMPARISONS.has(operator)) throw unsupportedOperator(operator)
    const truth = this.truthTest(expression)
    if (truth) return truth
    return { type: 'operation', operator: operator as Operator, operands: operands.map(part => this.compared(part)) }
  }

  private joined(type: 'AND' | 'OR', operands: readonly Expression[]): ConditionNode {
    const parts = operands.map(part => this.part(type, part, 'The arguments to AND/OR must be Expressions'))
    return { type, parts }
  }

  /** A condition other than a call can be compared with a boolean; with anything else it is not equal. */
  private truthTest({ operator, operands }: OperationExpression): ConditionNode | undefined {
    const place = operands.findIndex(isCondition)
    if (place === -1 || (operator !== '=' && operator !== '<>')) return undefined
    const tested = this.condition(operands[place]!, NOT_BOOLEAN)
    const value = statedValue(operands[1 - place]!, this.parameters)
    const differs = operator === '<>'
    if (value?.BOOL !== undefined) return value.BOOL === differs ? negated(tested) : tested
    const never: ConditionNode = { type: 'AND', parts: [tested, negated(tested)] }
    return differs ? negated(never) : never
  }

  private membership(left: Expression, right: Expression): ConditionNode {
    const choices = right.kind === 'list' || right.kind === 'bag' ? right.elements : []
    if (choices.length === 0)
      throw validation(
        'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq ' +
          'with at least one member',
      )
    return { type: 'operation', operator: 'IN', operands: [left, ...choices].map(part => this.compared(part)) }
  }

  private typeTest({ operand, type }: Extract<Expression, { kind: 'is' }>): ConditionNode {
    if (operand.kind === 'call' || operand.kind === 'operation')
      throw validation('The left hand side argument to IS must be a Variable Reference, Literal, or Path')
    if (type === 'MISSING') return call('attribute_not_exists', [this.operand(operand)])
    const name = TYPES[type]
    if (!name)
      throw refused(
        `Unsupported data type for IS operator: ${type}. Supported data types are ` +
          '[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]',
        operand.at,
      )
    return call('attribute_type', [this.operand(operand), this.value({ S: name })])
  }

  private call(expression: CallExpression): CallNode {
    const { name, operands } = expression
    if (!FUNCTIONS.has(name)) throw refused(`Unrecognized function: ${name}`, expression.at)
    return call(
      name,
      operands.map(part => this.operand(part)),
    )
  }

  /** What is compared may also be a function that asks, whose answer is a boolean. */
  private compared(expression: Expression): OperandNode {
    const asks = expression.kind === 'call' && FUNCTIONS.has(expression.name)
    return asks ? this.call(expression) : this.operand(expression)
  }

  private operand(expression: Expression): OperandNode {
    switch (expression.kind) {
      case 'path':
        return this.form.path(documentPath(expression))
      case 'missing':
        throw validation('MISSING must be compared using IS operator')
      case 'call':
        if (expression.name !== 'size') throw refused(`Unrecognized function: ${expression.name}`, expression.at)
        return call(
          'size',
          expression.operands.map(part => this.operand(part)),
        )
      case 'operation':
      case 'sign':
        throw unsupportedOperator(expression.operator)
      case 'statement':
        throw refused('Unsupported token in expression: SELECT', expression.at)
    }
    const value = statedValue(expression, this.parameters)
    if (value === undefined) throw validation(NOT_BOOLEAN)
    return this.value(value)
  }

  private value(value: AttributeValue): OperandNode {
    return this.form.value(value)
  }
}

/** Whether an operand of a comparison is a condition itself, and no call. */
function isCondition(expression: Expression): boolean {
  if (expression.kind === 'is' || expression.kind === 'not') return true
  return expression.kind === 'operation' && (COMPARISONS.has(expression.operator) || isLogical(expression.operator))
}

const isLogical = (operator: string) => ['AND', 'OR', 'IN', 'BETWEEN'].includes(operator)

function negated(part: ConditionNode): ConditionNode {
  return { type: 'NOT', times: 1, part }
}

function call(operator: string, operands: readonly OperandNode[]): CallNode {
  return { type: 'call', operator, operands }
}

const wrongOperandType = (operator: string, type: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`

const unsupportedOperator = (operator: string) =>
  validation(`Unsupported operator in Condition Expression. Operator: ${operator.toLowerCase()}`)
