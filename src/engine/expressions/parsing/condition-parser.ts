import type { ExpressionKind } from '../expression-errors.js'
import { checkConditionNames } from './check-names.js'
import { OperandParser } from './operand-parser.js'
import type { ConditionNode, Mentions, OperandNode, Operator } from './syntax.js'
import { ExpressionTokens } from './tokens.js'

export interface ConditionSyntax {
  readonly root: ConditionNode
  readonly mentions: Mentions
}

/** Parses a condition, a filter or a key condition, and checks everything that depends only on its text. */
export function parseCondition(kind: ExpressionKind, text: string): ConditionSyntax {
  const tokens = new ExpressionTokens(kind, text)
  const operands = new OperandParser(tokens, true)
  const root = new ConditionParser(tokens, operands).parse()
  if (operands.redundantParentheses) throw tokens.error('The expression has redundant parentheses;')
  checkConditionNames(kind, root)
  return { root, mentions: operands.mentions }
}

/**
 * A condition or an operand. The parser knows which of the two a parenthesis holds only when it closes: `(a) = :v`, `(a
 * = :v)`. The same methods therefore parse both. `bare` means that a parenthesis has just opened, so a lone operand may
 * follow.
 */
type ConditionPart = ConditionNode | OperandNode

class ConditionParser {
  constructor(
    private readonly tokens: ExpressionTokens,
    private readonly operands: OperandParser,
  ) {}

  parse(): ConditionNode {
    const root = this.parseOr(false)
    this.tokens.expect('end')
    return root as ConditionNode
  }

  private parseOr(bare: boolean, first?: ConditionPart): ConditionPart {
    const parts = [this.parseAnd(bare, first)]
    while (this.tokens.take('OR')) parts.push(this.parseAnd(false))
    return parts.length === 1 ? parts[0]! : { type: 'OR', parts: parts as ConditionNode[] }
  }

  private parseAnd(bare: boolean, first?: ConditionPart): ConditionPart {
    const parts = [this.parseNot(bare, first)]
    while (this.tokens.take('AND')) parts.push(this.parseNot(false))
    return parts.length === 1 ? parts[0]! : { type: 'AND', parts: parts as ConditionNode[] }
  }

  private parseNot(bare: boolean, first?: ConditionPart): ConditionPart {
    if (first !== undefined) return this.parseComparison(bare, first)
    let count = 0
    while (this.tokens.take('NOT')) count++
    if (count === 0) return this.parseComparison(bare, this.parseGroup())
    return { type: 'NOT', count, part: this.parseComparison(false, this.parseGroup()) as ConditionNode }
  }

  private parseGroup(): ConditionPart {
    let opened = this.operands.takeOpenParentheses()
    if (opened === 0) return this.operands.parsePlainOperand()
    this.operands.enterNesting()
    let part = this.parseOr(true)
    for (; opened > 0; opened--) {
      this.operands.takeCloseParenthesis(opened, part)
      // The closed group is the beginning of the content of the next outer parenthesis.
      if (opened > 1 && this.tokens.kind !== ')') part = this.parseOr(true, part)
    }
    this.operands.leaveNesting()
    return part
  }

  private parseComparison(bare: boolean, left: ConditionPart): ConditionPart {
    if (!isOperand(left)) return left
    const operator = this.tokens.kind
    switch (operator) {
      case '=':
      case '<>':
      case '<':
      case '<=':
      case '>':
      case '>=':
        this.tokens.next()
        return newOperation(operator, [left, this.operands.parseOperand()])
      case 'BETWEEN':
        return this.parseBetween(left)
      case 'IN':
        return this.parseIn(left)
      default:
        if (left.type !== 'call' && !(bare && operator === ')')) throw this.tokens.unexpectedTokenError()
        return left
    }
  }

  private parseBetween(left: OperandNode): ConditionNode {
    this.tokens.next()
    const lower = this.operands.parseOperand()
    this.tokens.expect('AND')
    return newOperation('BETWEEN', [left, lower, this.operands.parseOperand()])
  }

  private parseIn(left: OperandNode): ConditionNode {
    this.tokens.next()
    this.tokens.expect('(')
    const operands = [left, this.operands.parseOperand()]
    while (this.tokens.take(',')) operands.push(this.operands.parseOperand())
    this.tokens.expect(')')
    return newOperation('IN', operands)
  }
}

function isOperand(part: ConditionPart): part is OperandNode {
  return part.type === 'path' || part.type === 'value' || part.type === 'call'
}

function newOperation(operator: Operator, operands: readonly OperandNode[]): ConditionNode {
  return { type: 'operation', operator, operands }
}
