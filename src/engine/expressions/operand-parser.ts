import { EXPRESSION_OPERATORS } from '../../dynamodb/limits.js'
import { RESERVED_WORDS } from '../../dynamodb/reserved-words.js'
import { tooManyOperators } from './faults.js'
import { type CallNode, Mentions, type OperandNode, PathNode, type ValueNode } from './syntax.js'
import type { Tokens } from './tokens.js'
import { isFunction, unknownFunction } from './words.js'

/** Every level of nesting but the outermost and the innermost holds an operator, so this depth is never needed. */
const DEPTH_MAX = EXPRESSION_OPERATORS + 2
const LIST_INDEX_MAX = 2 ** 31 - 1

/** Reads what all expressions share: document paths, values and calls of functions. */
export class OperandParser {
  readonly mentions = new Mentions()
  /** Set when a pair of parentheses holds nothing but another pair. Syntax errors further on are reported first. */
  redundantParentheses = false
  private depth = 0
  /** The first that is called and is none. It is told before what it is given is looked at, however much that is. */
  private unknown: string | undefined

  /** Conditions take `(a.b).c` for a path; updates do not. */
  constructor(
    readonly tokens: Tokens,
    private readonly stepsAfterParentheses: boolean,
  ) {}

  path(): PathNode {
    const node = this.mentions.path()
    this.pathName(node)
    this.pathSteps(node)
    return node
  }

  /** Takes further steps into a path that has been read. */
  pathSteps(node: PathNode): void {
    for (;;) {
      if (this.tokens.take('.')) this.pathName(node)
      else if (this.tokens.take('[')) this.pathIndex(node)
      else return
    }
  }

  private pathName(node: PathNode): void {
    const { kind } = this.tokens
    if (kind !== 'name' && kind !== 'alias') throw this.tokens.unexpected()
    const name = this.tokens.next()
    node.elements.push(name)
    if (kind === 'alias') {
      node.aliased = true
      this.mentions.alias(name)
    } else if (RESERVED_WORDS.has(name.toUpperCase())) {
      node.fault ??= `Attribute name is a reserved keyword; reserved keyword: ${name}`
    }
  }

  private pathIndex(node: PathNode): void {
    if (this.tokens.kind !== 'number') throw this.tokens.unexpected()
    const digits = this.tokens.next()
    this.tokens.expect(']')
    const index = Number(digits)
    if (index > LIST_INDEX_MAX) node.fault ??= `List index is not within the allowable range; index: [${digits}]`
    node.elements.push(index)
  }

  value(): ValueNode {
    if (this.tokens.kind !== 'value') throw this.tokens.unexpected()
    return this.mentions.value(this.tokens.next())
  }

  /** An operand in any number of parentheses. */
  operand(): OperandNode {
    let opened = this.openings()
    const operand = this.plainOperand()
    for (; opened > 0; opened--) this.close(opened, operand)
    return operand
  }

  openings(): number {
    let opened = 0
    while (this.tokens.take('(')) opened++
    return opened
  }

  /** Closes one of so many open parentheses that all began at the same place. */
  close(opened: number, content: { readonly type: string }): void {
    this.tokens.expect(')')
    if (opened > 1 && this.tokens.kind === ')') this.redundantParentheses = true
    if (this.stepsAfterParentheses && content instanceof PathNode) this.pathSteps(content)
  }

  plainOperand(): OperandNode {
    switch (this.tokens.kind) {
      case 'value':
        return this.value()
      case 'name':
        return this.tokens.following === '(' ? this.call() : this.path()
      default:
        return this.path()
    }
  }

  private call(): CallNode {
    const operator = this.tokens.next()
    this.tokens.expect('(')
    if (!isFunction(operator)) this.unknown ??= operator
    this.descend()
    const operands = [this.operand()]
    while (this.tokens.take(',')) operands.push(this.operand())
    this.ascend()
    this.tokens.expect(')')
    return { type: 'call', operator, operands }
  }

  /** Bounds the recursion, whatever the text. */
  descend(): void {
    if (++this.depth <= DEPTH_MAX) return
    const { expression } = this.tokens
    if (this.unknown !== undefined) throw unknownFunction(expression, { operator: this.unknown })
    throw tooManyOperators(expression, EXPRESSION_OPERATORS + 1)
  }

  ascend(): void {
    this.depth--
  }
}
