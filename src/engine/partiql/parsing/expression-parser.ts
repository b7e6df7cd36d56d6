import { EXPRESSION_OPERATORS } from '../../../dynamodb/limits.js'
import { tooManyOperatorsError } from '../../expressions/expression-errors.js'
import { malformedStatementError, type TokenPosition } from '../statement-errors.js'
import { FUNCTION_KEYWORDS } from './keywords.js'
import type { PartiqlExpression, PartiqlMember, PartiqlPath, PartiqlPathStep, PartiqlStatement } from './syntax.js'
import type { TokenCursor } from './token-cursor.js'
import { parseTypeName } from './type-names.js'

/** Operator precedence, from the loosest to the tightest. */
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
/** No statement that the service runs is deeper, and the stack is far from exhausted at this depth. */
const DEPTH_MAX = EXPRESSION_OPERATORS + 2

/** Parses a statement if the keyword begins one. No expression begins with these keywords. */
type ParseStatement = (keyword: string) => PartiqlStatement | undefined

/** Parses expressions by operator precedence. The errors have the words of the service's parser. */
export class ExpressionParser {
  private parametersSeen = 0
  private depth = 0

  constructor(
    private readonly cursor: TokenCursor,
    private readonly parseStatement: ParseStatement,
  ) {}

  /** Parses an expression whose operators bind tighter than the given precedence. */
  parseExpression(precedence = -1): PartiqlExpression {
    if (++this.depth > DEPTH_MAX) throw tooManyOperatorsError('Statement', EXPRESSION_OPERATORS + 1)
    let left = this.parsePrefixed()
    for (let joined = 0; ; joined++) {
      // A chain of operators nests to the left, so its length needs the same limit as the depth.
      if (joined > EXPRESSION_OPERATORS) throw tooManyOperatorsError('Statement', EXPRESSION_OPERATORS + 1)
      const negated = this.cursor.is('NOT') && NEGATABLE.has(this.cursor.followingToken.text)
      const operator = negated ? this.cursor.followingToken.text : this.cursor.token.text
      const binding = this.isInfix() || negated ? (PRECEDENCE[operator] ?? -1) : -1
      if (binding <= precedence) break
      const at = this.cursor.next()
      if (negated) this.cursor.next()
      const infix = this.parseInfix(left, operator, binding, at)
      left = negated ? { kind: 'not', operand: infix, at } : infix
    }
    this.depth--
    return left
  }

  private isInfix(): boolean {
    const { kind, text } = this.cursor.token
    return (kind === 'operator' && text !== 'NOT' && text !== '@') || this.cursor.is('*')
  }

  private parseInfix(left: PartiqlExpression, operator: string, binding: number, at: TokenPosition): PartiqlExpression {
    const operation = (...right: PartiqlExpression[]): PartiqlExpression => ({
      kind: 'operation',
      operator,
      operands: [left, ...right],
      at,
    })
    switch (operator) {
      case 'IS':
        return this.parseTypeTest(left, at)
      case 'IN':
        return operation(this.parseChoices(binding))
      case 'BETWEEN': {
        const lower = this.parseRightOperand(binding)
        this.cursor.expect('AND', 'AND keyword')
        if (this.cursor.atEnd) throw malformedStatementError('Expected expression after AND')
        return operation(lower, this.parseExpression(binding))
      }
      default:
        return operation(this.parseRightOperand(binding))
    }
  }

  private parseRightOperand(binding: number): PartiqlExpression {
    if (this.cursor.atEnd || this.cursor.is(';'))
      throw malformedStatementError('Missing right-hand side expression of infix operator')
    return this.parseExpression(binding)
  }

  private parseTypeTest(operand: PartiqlExpression, at: TokenPosition): PartiqlExpression {
    const negated = this.cursor.take('NOT')
    const type = parseTypeName(this.cursor)
    if (type === undefined) throw malformedStatementError('Expected type name')
    const test: PartiqlExpression = { kind: 'is', operand, type, at }
    return negated ? { kind: 'not', operand: test, at } : test
  }

  /** Parses the right side of IN. Parentheses hold a list, even with one element. */
  private parseChoices(binding: number): PartiqlExpression {
    if (!this.cursor.is('(') || this.cursor.followingToken.text === 'SELECT') return this.parseRightOperand(binding)
    const at = this.cursor.next()
    const elements = this.parseList()
    this.cursor.expect(')', 'RIGHT_PAREN')
    return { kind: 'list', elements, at }
  }

  private parseList(): PartiqlExpression[] {
    const elements = [this.parseExpression()]
    while (this.cursor.take(',')) elements.push(this.parseExpression())
    return elements
  }

  private parsePrefixed(): PartiqlExpression {
    const at = this.cursor.token
    if (this.cursor.take('NOT')) return { kind: 'not', operand: this.parseExpression(PRECEDENCE.NOT), at }
    if (!this.cursor.is('+') && !this.cursor.is('-')) return this.parsePathSteps(this.parseTerm())
    const operator = this.cursor.next().text as '+' | '-'
    const operand = this.parsePrefixed()
    // A sign before a number is part of the number.
    if (operand.kind !== 'number') return { kind: 'sign', operator, operand, at }
    if (operator === '+') return operand
    return { ...operand, text: operand.text.startsWith('-') ? operand.text.slice(1) : `-${operand.text}` }
  }

  private parseTerm(): PartiqlExpression {
    const at = this.cursor.token
    switch (at.kind) {
      case 'name':
        this.cursor.next()
        return this.cursor.is('(') ? this.parseCall(at.text, at) : { kind: 'path', root: at.text, steps: [], at }
      case 'string':
      case 'number':
      case 'ion':
        this.cursor.next()
        return { kind: at.kind, text: at.text, at }
      case 'operator':
        return this.parseScopedName()
      case 'keyword':
        return this.parseKeyword(at)
      case 'sign':
        return this.parseBracketed(at)
      default:
        throw malformedStatementError('Unexpected term')
    }
  }

  private parseScopedName(): PartiqlExpression {
    if (!this.cursor.take('@')) throw malformedStatementError('Unexpected operator')
    const at = this.cursor.token
    if (at.kind !== 'name') throw malformedStatementError('Identifier must follow @-operator')
    this.cursor.next()
    return { kind: 'path', root: at.text, steps: [], at }
  }

  private parseKeyword(at: TokenPosition & { text: string }): PartiqlExpression {
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
    if (FUNCTION_KEYWORDS.has(at.text) && this.cursor.followingToken.text === '(') {
      this.cursor.next()
      return this.parseCall(at.text, at)
    }
    const statement = this.parseStatement(at.text)
    if (statement) return { kind: 'statement', statement, at }
    throw malformedStatementError('Unexpected keyword')
  }

  private parseCall(name: string, at: TokenPosition): PartiqlExpression {
    this.cursor.next()
    const operands: PartiqlExpression[] = []
    if (this.cursor.is('*')) operands.push({ kind: 'other', name: '*', at: this.cursor.next() })
    else if (!this.cursor.is(')')) operands.push(...this.parseList())
    this.cursor.expect(')', 'RIGHT_PAREN')
    return { kind: 'call', name: name.toLowerCase(), operands, at }
  }

  private parseBracketed(at: TokenPosition & { text: string }): PartiqlExpression {
    switch (at.text) {
      case '?':
        this.cursor.next()
        return { kind: 'parameter', index: this.parametersSeen++, at }
      case '(':
        return this.parseGroup(at)
      case '[':
        return { kind: 'list', elements: this.parseElements(']', 'RIGHT_BRACKET'), at }
      case '<<':
        return { kind: 'bag', elements: this.parseElements('>>', 'RIGHT_DOUBLE_ANGLE_BRACKET'), at }
      case '{':
        return { kind: 'struct', members: this.parseMembers(), at }
      default:
        throw malformedStatementError('Unexpected term')
    }
  }

  /** Parses parentheses. Around one expression they only group; around several they form a list. */
  private parseGroup(at: TokenPosition): PartiqlExpression {
    this.cursor.next()
    if (this.cursor.is(')')) throw malformedStatementError('Expression group cannot be empty')
    const elements = this.parseList()
    this.cursor.expect(')', 'RIGHT_PAREN')
    return elements.length === 1 ? elements[0]! : { kind: 'list', elements, at }
  }

  private parseElements(close: string, called: string): PartiqlExpression[] {
    this.cursor.next()
    if (this.cursor.take(close)) return []
    const elements = this.parseList()
    this.cursor.expect(close, called)
    return elements
  }

  private parseMembers(): PartiqlMember[] {
    this.cursor.next()
    const members: PartiqlMember[] = []
    if (this.cursor.take('}')) return members
    do {
      const key = this.parseExpression()
      this.cursor.expect(':', 'COLON')
      members.push({ key, value: this.parseExpression() })
    } while (this.cursor.take(','))
    this.cursor.expect('}', 'RIGHT_CURLY')
    return members
  }

  /** Parses the path of a write, which begins with a name. */
  parseSimplePath(): PartiqlPath {
    const at = this.cursor.token
    if (at.kind !== 'name') throw malformedStatementError('Expected identifier for simple path')
    this.cursor.next()
    return this.parsePathSteps({ kind: 'path', root: at.text, steps: [], at }) as PartiqlPath
  }

  private parsePathSteps(start: PartiqlExpression): PartiqlExpression {
    if (start.kind !== 'path') return start
    const steps: PartiqlPathStep[] = []
    for (;;) {
      if (this.cursor.take('.')) steps.push(this.parseMemberStep())
      else if (this.cursor.is('[')) steps.push(this.parseElementStep())
      else return steps.length === 0 ? start : { ...start, steps }
    }
  }

  private parseMemberStep(): PartiqlPathStep {
    const at = this.cursor.token
    if (this.cursor.take('*')) return { every: 'member', at }
    if (at.kind !== 'name') throw malformedStatementError('Invalid path dot component')
    this.cursor.next()
    return { name: at.text, at }
  }

  private parseElementStep(): PartiqlPathStep {
    this.cursor.next()
    const at = this.cursor.token
    const step: PartiqlPathStep = this.cursor.take('*')
      ? { every: 'element', at }
      : { index: this.parseExpression(), at }
    this.cursor.expect(']', 'RIGHT_BRACKET')
    return step
  }

  /** The number of parameter placeholders in the statement. */
  get parameterCount(): number {
    return this.parametersSeen
  }
}
