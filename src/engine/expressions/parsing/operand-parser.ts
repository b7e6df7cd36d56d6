import { EXPRESSION_OPERATORS } from '../../../dynamodb/limits.js'
import { RESERVED_WORDS } from '../../../dynamodb/reserved-words.js'
import { tooManyOperatorsError } from '../expression-errors.js'
import { isFunctionName, unknownFunctionError } from './check-names.js'
import { type CallNode, Mentions, type OperandNode, PathNode, type ValueNode } from './syntax.js'
import type { ExpressionTokens } from './tokens.js'

/**
 * Each nesting level except the outermost and the innermost contains an operator, so a valid expression never exceeds
 * this depth.
 */
const DEPTH_MAX = EXPRESSION_OPERATORS + 2
const LIST_INDEX_MAX = 2 ** 31 - 1

/** Parses the parts that all expressions share: document paths, values and function calls. */
export class OperandParser {
  readonly mentions = new Mentions()
  /** Set when a pair of parentheses only contains another pair. Later syntax errors are reported first. */
  redundantParentheses = false
  private depth = 0
  /**
   * The first called name that is not a function. The service reports it before it looks at the arguments, even when
   * these nest too deeply.
   */
  private unknownFunction: string | undefined

  /** `stepsAfterParentheses`: conditions accept `(a.b).c` as a path, updates do not. */
  constructor(
    readonly tokens: ExpressionTokens,
    private readonly stepsAfterParentheses: boolean,
  ) {}

  parsePath(): PathNode {
    const node = this.mentions.addPath()
    this.parsePathName(node)
    this.parsePathSteps(node)
    return node
  }

  /** Parses further steps of a path. */
  parsePathSteps(node: PathNode): void {
    for (;;) {
      if (this.tokens.take('.')) this.parsePathName(node)
      else if (this.tokens.take('[')) this.parsePathIndex(node)
      else return
    }
  }

  private parsePathName(node: PathNode): void {
    const { kind } = this.tokens
    if (kind !== 'name' && kind !== 'alias') throw this.tokens.unexpectedTokenError()
    const name = this.tokens.next()
    node.elements.push(name)
    if (kind === 'alias') {
      node.hasAliases = true
      this.mentions.addAlias(name)
    } else if (RESERVED_WORDS.has(name.toUpperCase())) {
      node.problem ??= `Attribute name is a reserved keyword; reserved keyword: ${name}`
    }
  }

  private parsePathIndex(node: PathNode): void {
    if (this.tokens.kind !== 'number') throw this.tokens.unexpectedTokenError()
    const digits = this.tokens.next()
    this.tokens.expect(']')
    const index = Number(digits)
    if (index > LIST_INDEX_MAX) node.problem ??= `List index is not within the allowable range; index: [${digits}]`
    node.elements.push(index)
  }

  parseValue(): ValueNode {
    if (this.tokens.kind !== 'value') throw this.tokens.unexpectedTokenError()
    return this.mentions.addValue(this.tokens.next())
  }

  /** Parses an operand in any number of parentheses. */
  parseOperand(): OperandNode {
    let opened = this.takeOpenParentheses()
    const operand = this.parsePlainOperand()
    for (; opened > 0; opened--) this.takeCloseParenthesis(opened, operand)
    return operand
  }

  takeOpenParentheses(): number {
    let opened = 0
    while (this.tokens.take('(')) opened++
    return opened
  }

  /** Closes one of several parentheses that opened at the same position. */
  takeCloseParenthesis(opened: number, content: { readonly type: string }): void {
    this.tokens.expect(')')
    if (opened > 1 && this.tokens.kind === ')') this.redundantParentheses = true
    if (this.stepsAfterParentheses && content instanceof PathNode) this.parsePathSteps(content)
  }

  parsePlainOperand(): OperandNode {
    switch (this.tokens.kind) {
      case 'value':
        return this.parseValue()
      case 'name':
        return this.tokens.nextKind === '(' ? this.parseCall() : this.parsePath()
      default:
        return this.parsePath()
    }
  }

  private parseCall(): CallNode {
    const operator = this.tokens.next()
    this.tokens.expect('(')
    if (!isFunctionName(operator)) this.unknownFunction ??= operator
    this.enterNesting()
    const operands = [this.parseOperand()]
    while (this.tokens.take(',')) operands.push(this.parseOperand())
    this.leaveNesting()
    this.tokens.expect(')')
    return { type: 'call', operator, operands }
  }

  /** Limits the recursion depth for any input. */
  enterNesting(): void {
    if (++this.depth <= DEPTH_MAX) return
    const { expression } = this.tokens
    if (this.unknownFunction !== undefined) throw unknownFunctionError(expression, { operator: this.unknownFunction })
    throw tooManyOperatorsError(expression, EXPRESSION_OPERATORS + 1)
  }

  leaveNesting(): void {
    this.depth--
  }
}
