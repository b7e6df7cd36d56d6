import { EXPRESSION_OPERATORS } from '../../dynamodb/limits.js'
import { tooManyOperators } from '../expressions/faults.js'
import type { Cursor } from './cursor.js'
import { malformed, type Position } from './faults.js'
import { FUNCTION_KEYWORDS } from './keywords.js'
import type { Expression, Member, PathExpression, Statement, Step } from './syntax.js'
import { readTypeName } from './type-names.js'

/** How tightly operators bind, from the loosest. */
const PRECEDENCE: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['UNION', 'INTERSECT', 'EXCEPT'],
    ['OR'],
    ['AND'],
    ['NOT'],
    ['=', '<>', 'IS', 'IN'],
    ['<', '<=', '>', '>=', 'BETWEEN', 'LIKE'],
    ['+', '-', '||'],
    ['*', '/', '%'],
  ].flatMap((group, level) => group.map(operator => [operator, level])),
)
const NEGATABLE: ReadonlySet<string> = new Set(['IN', 'BETWEEN', 'LIKE'])
/** Deeper than any statement that the service runs, and far from the end of the stack. */
const DEPTH_MAX = EXPRESSION_OPERATORS + 2

/** Begins with a keyword that no expression begins with, and is read by whoever knows statements. */
type ReadStatement = (keyword: string) => Statement | undefined

/** Reads expressions by the precedence of their operators, as the service's parser does, whose words its faults have. */
export class ExpressionParser {
  private parameters = 0
  private depth = 0

  constructor(
    private readonly cursor: Cursor,
    private readonly readStatement: ReadStatement,
  ) {}

  /** As much of an expression as binds tighter than what stands before it. */
  expression(precedence = -1): Expression {
    if (++this.depth > DEPTH_MAX) throw tooManyOperators('Statement', EXPRESSION_OPERATORS + 1)
    let left = this.prefixed()
    for (let joined = 0; ; joined++) {
      // A chain nests to the left, so that it is bounded as depth is.
      if (joined > EXPRESSION_OPERATORS) throw tooManyOperators('Statement', EXPRESSION_OPERATORS + 1)
      const negated = this.cursor.is('NOT') && NEGATABLE.has(this.cursor.following.text)
      const operator = negated ? this.cursor.following.text : this.cursor.token.text
      const binding = this.isInfix() || negated ? (PRECEDENCE[operator] ?? -1) : -1
      if (binding <= precedence) break
      const at = this.cursor.next()
      if (negated) this.cursor.next()
      const infix = this.infix(left, operator, binding, at)
      left = negated ? { kind: 'not', operand: infix, at } : infix
    }
    this.depth--
    return left
  }

  private isInfix(): boolean {
    const { kind, text } = this.cursor.token
    return (kind === 'operator' && text !== 'NOT' && text !== '@') || this.cursor.is('*')
  }

  private infix(left: Expression, operator: string, binding: number, at: Position): Expression {
    const operation = (...right: Expression[]): Expression => ({
      kind: 'operation',
      operator,
      operands: [left, ...right],
      at,
    })
    switch (operator) {
      case 'IS':
        return this.typeTest(left, at)
      case 'IN':
        return operation(this.choices(binding))
      case 'BETWEEN': {
        const lower = this.right(binding)
        this.cursor.expect('AND', 'AND keyword')
        if (this.cursor.atEnd) throw malformed('Expected expression after AND')
        return operation(lower, this.expression(binding))
      }
      default:
        return operation(this.right(binding))
    }
  }

  private right(binding: number): Expression {
    if (this.cursor.atEnd || this.cursor.is(';'))
      throw malformed('Missing right-hand side expression of infix operator')
    return this.expression(binding)
  }

  private typeTest(operand: Expression, at: Position): Expression {
    const negated = this.cursor.take('NOT')
    const type = readTypeName(this.cursor)
    if (type === undefined) throw malformed('Expected type name')
    const test: Expression = { kind: 'is', operand, type, at }
    return negated ? { kind: 'not', operand: test, at } : test
  }

  /** In parentheses a list, even of one. */
  private choices(binding: number): Expression {
    if (!this.cursor.is('(') || this.cursor.following.text === 'SELECT') return this.right(binding)
    const at = this.cursor.next()
    const elements = this.list()
    this.cursor.expect(')', 'RIGHT_PAREN')
    return { kind: 'list', elements, at }
  }

  private list(): Expression[] {
    const elements = [this.expression()]
    while (this.cursor.take(',')) elements.push(this.expression())
    return elements
  }

  private prefixed(): Expression {
    const at = this.cursor.token
    if (this.cursor.take('NOT')) return { kind: 'not', operand: this.expression(PRECEDENCE.NOT), at }
    if (!this.cursor.is('+') && !this.cursor.is('-')) return this.pathSteps(this.term())
    const operator = this.cursor.next().text as '+' | '-'
    const operand = this.prefixed()
    // A sign belongs to the number that it stands before.
    if (operand.kind !== 'number') return { kind: 'sign', operator, operand, at }
    if (operator === '+') return operand
    return { ...operand, text: operand.text.startsWith('-') ? operand.text.slice(1) : `-${operand.text}` }
  }

  private term(): Expression {
    const at = this.cursor.token
    switch (at.kind) {
      case 'name':
        this.cursor.next()
        return this.cursor.is('(') ? this.call(at.text, at) : { kind: 'path', root: at.text, steps: [], at }
      case 'string':
      case 'number':
      case 'ion':
        this.cursor.next()
        return { kind: at.kind, text: at.text, at }
      case 'operator':
        return this.scoped()
      case 'keyword':
        return this.keyword(at)
      case 'sign':
        return this.bracketed(at)
      default:
        throw malformed('Unexpected term')
    }
  }

  private scoped(): Expression {
    if (!this.cursor.take('@')) throw malformed('Unexpected operator')
    const at = this.cursor.token
    if (at.kind !== 'name') throw malformed('Identifier must follow @-operator')
    this.cursor.next()
    return { kind: 'path', root: at.text, steps: [], at }
  }

  private keyword(at: Position & { text: string }): Expression {
    switch (at.text) {
      case 'TRUE':
      case 'FALSE':
        this.cursor.next()
        return { kind: 'boolean', value: at.text === 'TRUE', at }
      case 'NULL':
      case 'MISSING':
        this.cursor.next()
        return { kind: at.text === 'NULL' ? 'null' : 'missing', at }
    }
    if (FUNCTION_KEYWORDS.has(at.text) && this.cursor.following.text === '(') {
      this.cursor.next()
      return this.call(at.text, at)
    }
    const statement = this.readStatement(at.text)
    if (statement) return { kind: 'statement', statement, at }
    throw malformed('Unexpected keyword')
  }

  private call(name: string, at: Position): Expression {
    this.cursor.next()
    const operands: Expression[] = []
    if (this.cursor.is('*')) operands.push({ kind: 'other', name: '*', at: this.cursor.next() })
    else if (!this.cursor.is(')')) operands.push(...this.list())
    this.cursor.expect(')', 'RIGHT_PAREN')
    return { kind: 'call', name: name.toLowerCase(), operands, at }
  }

  private bracketed(at: Position & { text: string }): Expression {
    switch (at.text) {
      case '?':
        this.cursor.next()
        return { kind: 'parameter', index: this.parameters++, at }
      case '(':
        return this.group(at)
      case '[':
        return { kind: 'list', elements: this.elements(']', 'RIGHT_BRACKET'), at }
      case '<<':
        return { kind: 'bag', elements: this.elements('>>', 'RIGHT_DOUBLE_ANGLE_BRACKET'), at }
      case '{':
        return { kind: 'struct', members: this.members(), at }
      default:
        throw malformed('Unexpected term')
    }
  }

  /** Parentheses around one expression are no more than that; around several they are a list. */
  private group(at: Position): Expression {
    this.cursor.next()
    if (this.cursor.is(')')) throw malformed('Expression group cannot be empty')
    const elements = this.list()
    this.cursor.expect(')', 'RIGHT_PAREN')
    return elements.length === 1 ? elements[0]! : { kind: 'list', elements, at }
  }

  private elements(close: string, called: string): Expression[] {
    this.cursor.next()
    if (this.cursor.take(close)) return []
    const elements = this.list()
    this.cursor.expect(close, called)
    return elements
  }

  private members(): Member[] {
    this.cursor.next()
    const members: Member[] = []
    if (this.cursor.take('}')) return members
    do {
      const key = this.expression()
      this.cursor.expect(':', 'COLON')
      members.push({ key, value: this.expression() })
    } while (this.cursor.take(','))
    this.cursor.expect('}', 'RIGHT_CURLY')
    return members
  }

  /** A path that is written to, which begins with a name. */
  simplePath(): PathExpression {
    const at = this.cursor.token
    if (at.kind !== 'name') throw malformed('Expected identifier for simple path')
    this.cursor.next()
    return this.pathSteps({ kind: 'path', root: at.text, steps: [], at }) as PathExpression
  }

  private pathSteps(start: Expression): Expression {
    if (start.kind !== 'path') return start
    const steps: Step[] = []
    for (;;) {
      if (this.cursor.take('.')) steps.push(this.memberStep())
      else if (this.cursor.is('[')) steps.push(this.elementStep())
      else return steps.length === 0 ? start : { ...start, steps }
    }
  }

  private memberStep(): Step {
    const at = this.cursor.token
    if (this.cursor.take('*')) return { every: 'member', at }
    if (at.kind !== 'name') throw malformed('Invalid path dot component')
    this.cursor.next()
    return { name: at.text, at }
  }

  private elementStep(): Step {
    this.cursor.next()
    const at = this.cursor.token
    const step: Step = this.cursor.take('*') ? { every: 'element', at } : { index: this.expression(), at }
    this.cursor.expect(']', 'RIGHT_BRACKET')
    return step
  }

  /** How many parameters the statement has places for. */
  get parameterCount(): number {
    return this.parameters
  }
}
