import { validationError } from '../errors.js'
import type { OperandNode, PathNode } from '../expressions/parsing/syntax.js'
import type { SetValueNode, UpdateAction } from '../expressions/parsing/update-parser.js'
import { isSamePath } from '../expressions/paths.js'
import { SyntaxBuilder } from '../expressions/syntax-builder.js'
import { bindUpdate, type UpdateExpression } from '../expressions/updates/update.js'
import { toDocumentPath } from './document-path.js'
import { resolveValue, type StatementParameters } from './literal-values.js'
import type { PartiqlCall, PartiqlChange, PartiqlExpression, PartiqlOperation } from './parsing/syntax.js'
import { unsupportedStatementError } from './statement-errors.js'

/** Converts the changes of an UPDATE into an update expression and checks it. */
export function toUpdateExpression(
  changes: readonly PartiqlChange[],
  parameters: StatementParameters,
): UpdateExpression {
  const form = new SyntaxBuilder()
  const reader = new ChangeConverter(form, parameters)
  const actions = changes.map(change => reader.toAction(change))
  return bindUpdate({ actions, mentions: form.mentions, targets: undefined }, form.placeholders, 'current', 'Statement')
}

const CONDITION_FUNCTIONS: ReadonlySet<string> = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'size',
])

class ChangeConverter {
  constructor(
    private readonly builder: SyntaxBuilder,
    private readonly parameters: StatementParameters,
  ) {}

  toAction(change: PartiqlChange): UpdateAction {
    const path = this.builder.addPath(toDocumentPath(change.path))
    if (change.type === 'remove') return { type: 'REMOVE', path }
    const { value } = change
    if (value.kind === 'call' && (value.name === 'set_add' || value.name === 'set_delete'))
      return this.toSetChange(path, value)
    return { type: 'SET', path, value: this.toSetValue(value) }
  }

  /** Converts SET_ADD or SET_DELETE, whose first argument must be the assigned path. */
  private toSetChange(path: PathNode, { name, operands, at }: PartiqlCall): UpdateAction {
    const functionName = name.toUpperCase()
    const [target, members] = operands
    if (operands.length !== 2) throw unsupportedStatementError(`${functionName} must have exactly two arguments`, at)
    if (target!.kind !== 'path' || !isSamePath(toDocumentPath(target!), path.elements))
      throw unsupportedStatementError(`The first argument to ${functionName} must equal the assignment value`, at)
    const value = resolveValue(members!, this.parameters)
    if (value?.SS === undefined && value?.NS === undefined && value?.BS === undefined)
      throw unsupportedStatementError(
        `The second argument to ${functionName} must be a value with type SET`,
        target!.at,
      )
    return { type: name === 'set_add' ? 'ADD' : 'DELETE', path, value: this.builder.addValue(value) }
  }

  private toSetValue(expression: PartiqlExpression): SetValueNode {
    if (expression.kind !== 'operation') return this.toOperand(expression)
    const operator = arithmeticOperatorOf(expression)
    return { type: 'operation', operator, operands: expression.operands.map(part => this.toOperand(part)) }
  }

  private toOperand(expression: PartiqlExpression): OperandNode {
    switch (expression.kind) {
      case 'path':
        return this.builder.addPath(toDocumentPath(expression))
      case 'call':
        return this.toCall(expression)
      case 'missing':
        throw validationError('MISSING must be compared using IS operator')
      case 'operation':
        // Unlike an update expression, a statement can nest sums.
        return {
          type: 'call',
          operator: arithmeticOperatorOf(expression),
          operands: expression.operands.map(part => this.toOperand(part)),
        }
      case 'sign':
        throw validationError(
          'Incorrect number of operands for operator or function; ' +
            `operator or function: ${expression.operator}, number of operands: 1`,
        )
      case 'statement':
        throw unsupportedStatementError('Unsupported token in expression: SELECT', expression.at)
    }
    const value = resolveValue(expression, this.parameters)
    if (value === undefined) throw unsupportedUpdateOperatorError(expression.kind)
    return this.builder.addValue(value)
  }

  private toCall({ name, operands, at }: PartiqlCall): OperandNode {
    if (CONDITION_FUNCTIONS.has(name))
      throw validationError(`The function is not allowed in an update expression; function: ${name}`)
    if (name !== 'list_append' && name !== 'if_not_exists')
      throw unsupportedStatementError(`Unrecognized function: ${name}`, at)
    return { type: 'call', operator: name, operands: operands.map(part => this.toOperand(part)) }
  }
}

function arithmeticOperatorOf({ operator }: PartiqlOperation): '+' | '-' {
  if (operator !== '+' && operator !== '-') throw unsupportedUpdateOperatorError(operator)
  return operator
}

const unsupportedUpdateOperatorError = (operator: string) =>
  validationError(`Unsupported operator in Update Expression. Operator: ${operator.toLowerCase()}`)
