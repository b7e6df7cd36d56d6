import type { ExpressionKind } from './faults.js'
import { OperandParser } from './operand-parser.js'
import type { ConditionNode, Mentions, OperandNode, Operator } from './syntax.js'
import { Tokens } from './tokens.js'
import { checkConditionWords } from './words.js'

export interface ConditionSyntax {
  readonly root: ConditionNode
  readonly mentions: Mentions
}

/** Reads a condition, a filter or a key condition, and checks what depends on its text alone. */
export function parseCondition(kind: ExpressionKind, text: string): ConditionSyntax {
  const tokens = new Tokens(kind, text)
  const operands = new OperandParser(tokens, true)
  const root = new ConditionParser(tokens, operands).whole()
  if (operands.redundantParentheses) throw tokens.fault('The expression has redundant parentheses;')
  checkConditionWords(kind, root)
  return { root, mentions: operands.mentions }
}

/**
 * Until a parenthesis closes it is open whether it holds a condition or an operand: `(a) = :v`, `(a = :v)`. So the
 * same methods read both. `bare` says that a lone operand may stand here, because a parenthesis has just opened.
 */
type Part = ConditionNode | OperandNode

class ConditionParser {
  constructor(
    private readonly tokens: Tokens,
    private readonly operands: OperandParser,
  ) {}

  whole(): ConditionNode {
    const root = this.alternatives(false)
    this.tokens.expect('end')
    return root as ConditionNode
  }

  private alternatives(bare: boolean, first?: Part): Part {
    const parts = [this.conjunction(bare, first)]
    while (this.tokens.take('OR')) parts.push(this.conjunction(false))
    return parts.length === 1 ? parts[0]! : { type: 'OR', parts: parts as ConditionNode[] }
  }

  private conjunction(bare: boolean, first?: Part): Part {
    const parts = [this.negation(bare, first)]
    while (this.tokens.take('AND')) parts.push(this.negation(false))
    return parts.length === 1 ? parts[0]! : { type: 'AND', parts: parts as ConditionNode[] }
  }

  private negation(bare: boolean, first?: Part): Part {
    if (first !== undefined) return this.comparison(bare, first)
    let times = 0
    while (this.tokens.take('NOT')) times++
    if (times === 0) return this.comparison(bare, this.group())
    return { type: 'NOT', times, part: this.comparison(false, this.group()) as ConditionNode }
  }

  private group(): Part {
    let opened = this.operands.openings()
    if (opened === 0) return this.operands.plainOperand()
    this.operands.descend()
    let part = this.alternatives(true)
    for (; opened > 0; opened--) {
      this.operands.close(opened, part)
      // What has closed is the beginning of what the next parenthesis holds.
      if (opened > 1 && this.tokens.kind !== ')') part = this.alternatives(true, part)
    }
    this.operands.ascend()
    return part
  }

  private comparison(bare: boolean, left: Part): Part {
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
        return operation(operator, [left, this.operands.operand()])
      case 'BETWEEN':
        return this.between(left)
      case 'IN':
        return this.membership(left)
      default:
        if (left.type !== 'call' && !(bare && operator === ')')) throw this.tokens.unexpected()
        return left
    }
  }

  private between(left: OperandNode): ConditionNode {
    this.tokens.next()
    const lower = this.operands.operand()
    this.tokens.expect('AND')
    return operation('BETWEEN', [left, lower, this.operands.operand()])
  }

  private membership(left: OperandNode): ConditionNode {
    this.tokens.next()
    this.tokens.expect('(')
    const operands = [left, this.operands.operand()]
    while (this.tokens.take(',')) operands.push(this.operands.operand())
    this.tokens.expect(')')
    return operation('IN', operands)
  }
}

function isOperand(part: Part): part is OperandNode {
  return part.type === 'path' || part.type === 'value' || part.type === 'call'
}

function operation(operator: Operator, operands: readonly OperandNode[]): ConditionNode {
  return { type: 'operation', operator, operands }
}
