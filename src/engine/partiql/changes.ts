import { validation } from '../errors.js'
import { Form } from '../expressions/form.js'
import { samePath } from '../expressions/paths.js'
import type { OperandNode, PathNode } from '../expressions/syntax.js'
import { bindUpdate, type Update } from '../expressions/update.js'
import type { SetValueNode, UpdateAction } from '../expressions/update-parser.js'
import { refused } from './faults.js'
import { type Parameters, statedValue } from './literals.js'
import { documentPath } from './paths.js'
import type { CallExpression, Change, Expression, OperationExpression } from './syntax.js'

/** What an UPDATE sets and removes, in the form of an update expression, and checked as such. */
export function readChanges(changes: readonly Change[], parameters: Parameters): Update {
  const form = new Form()
  const reader = new ChangeReader(form, parameters)
  const actions = changes.map(change => reader.action(change))
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

class ChangeReader {
  constructor(
    private readonly form: Form,
    private readonly parameters: Parameters,
  ) {}

  action(change: Change): UpdateAction {
    const path = this.form.path(documentPath(change.path))
    if (change.type === 'remove') return { type: 'REMOVE', path }
    const { value } = change
    if (value.kind === 'call' && (value.name === 'set_add' || value.name === 'set_delete'))
      return this.setChange(path, value)
    return { type: 'SET', path, value: this.value(value) }
  }

  /** Adds to the set that the path names, or takes from it, and nothing else. */
  private setChange(path: PathNode, { name, operands, at }: CallExpression): UpdateAction {
    const called = name.toUpperCase()
    const [target, members] = operands
    if (operands.length !== 2) throw refused(`${called} must have exactly two arguments`, at)
    if (target!.kind !== 'path' || !samePath(documentPath(target!), path.elements))
      throw refused(`The first argument to ${called} must equal the assignment value`, at)
    const value = statedValue(members!, this.parameters)
    if (value?.SS === undefined && value?.NS === undefined && value?.BS === undefined)
      throw refused(`The second argument to ${called} must be a value with type SET`, target!.at)
    return { type: name === 'set_add' ? 'ADD' : 'DELETE', path, value: this.form.value(value) }
  }

  private value(expression: Expression): SetValueNode {
    if (expression.kind !== 'operation') return this.operand(expression)
    const operator = signOf(expression)
    return { type: 'operation', operator, operands: expression.operands.map(part => this.operand(part)) }
  }

  private operand(expression: Expression): OperandNode {
    switch (expression.kind) {
      case 'path':
        return this.form.path(documentPath(expression))
      case 'call':
        return this.call(expression)
      case 'missing':
        throw validation('MISSING must be compared using IS operator')
      case 'operation':
        // Unlike an update expression, a statement can have sums of sums.
        return {
          type: 'call',
          operator: signOf(expression),
          operands: expression.operands.map(part => this.operand(part)),
        }
      case 'sign':
        throw validation(
          'Incorrect number of operands for operator or function; ' +
            `operator or function: ${expression.operator}, number of operands: 1`,
        )
      case 'statement':
        throw refused('Unsupported token in expression: SELECT', expression.at)
    }
    const value = statedValue(expression, this.parameters)
    if (value === undefined) throw unsupportedOperator(expression.kind)
    return this.form.value(value)
  }

  private call({ name, operands, at }: CallExpression): OperandNode {
    if (CONDITION_FUNCTIONS.has(name))
      throw validation(`The function is not allowed in an update expression; function: ${name}`)
    if (name !== 'list_append' && name !== 'if_not_exists') throw refused(`Unrecognized function: ${name}`, at)
    return { type: 'call', operator: name, operands: operands.map(part => this.operand(part)) }
  }
}

function signOf({ operator }: OperationExpression): '+' | '-' {
  if (operator !== '+' && operator !== '-') throw unsupportedOperator(operator)
  return operator
}

const unsupportedOperator = (operator: string) =>
  validation(`Unsupported operator in Update Expression. Operator: ${operator.toLowerCase()}`)
