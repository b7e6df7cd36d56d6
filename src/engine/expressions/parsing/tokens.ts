import { type ExpressionKind, expressionError } from '../expression-errors.js'

type Keyword = 'AND' | 'OR' | 'NOT' | 'BETWEEN' | 'IN' | 'SET' | 'REMOVE' | 'ADD' | 'DELETE'
type Sign = '=' | '<>' | '<' | '<=' | '>' | '>=' | '+' | '-' | '(' | ')' | '[' | ']' | '.' | ','
type TokenKind = Keyword | Sign | 'name' | 'alias' | 'value' | 'number' | 'unknown' | 'end'

const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE'])
const BLANK = /[ \t\r\n]*/y
/**
 * In this order: name, alias, value, number, sign, and any other character, which becomes a token that no rule accepts.
 */
const TOKEN =
  /([A-Za-z][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(0|[1-9][0-9]*)|(<>|<=|>=|[=<>+\-().,[\]])|[\s\S]/uy

/** The tokens of an expression and the position of the parser. */
export class ExpressionTokens {
  private readonly kinds: TokenKind[] = []
  private readonly starts: number[] = []
  private readonly ends: number[] = []
  private position = 0

  constructor(
    readonly expression: ExpressionKind,
    private readonly source: string,
  ) {
    if (source === '') throw this.error('The expression can not be empty;')
    for (let at = skipBlanks(source, 0); at < source.length; at = skipBlanks(source, this.ends.at(-1)!)) {
      TOKEN.lastIndex = at
      this.add(tokenKindOf(TOKEN.exec(source)!), at, TOKEN.lastIndex)
    }
    this.add('end', source.length, source.length)
  }

  private add(kind: TokenKind, start: number, end: number): void {
    this.kinds.push(kind)
    this.starts.push(start)
    this.ends.push(end)
  }

  get kind(): TokenKind {
    return this.kinds[this.position]!
  }

  get nextKind(): TokenKind | undefined {
    return this.kinds[this.position + 1]
  }

  /** Returns the text of the current token and advances. */
  next(): string {
    const text = this.source.slice(this.starts[this.position], this.ends[this.position])
    this.position++
    return text
  }

  take(kind: TokenKind): boolean {
    if (this.kind !== kind) return false
    this.position++
    return true
  }

  expect(kind: TokenKind): void {
    if (!this.take(kind)) throw this.unexpectedTokenError()
  }

  /** Creates the syntax error for the current token, which also shows the previous and the next token. */
  unexpectedTokenError() {
    const { position, starts, ends, source } = this
    const atEnd = this.kind === 'end'
    const token = atEnd ? '<EOF>' : source.slice(starts[position], ends[position])
    const near = source.slice(position === 0 ? 0 : starts[position - 1], ends[atEnd ? position : position + 1])
    return this.error(`Syntax error; token: "${token}", near: "${near}"`)
  }

  error(detail: string) {
    return expressionError(this.expression, detail)
  }
}

function skipBlanks(source: string, at: number): number {
  BLANK.lastIndex = at
  BLANK.exec(source)
  return BLANK.lastIndex
}

function tokenKindOf([, name, alias, value, number, sign]: RegExpExecArray): TokenKind {
  if (name !== undefined) {
    const word = name.toUpperCase()
    return KEYWORDS.has(word) ? (word as Keyword) : 'name'
  }
  if (alias !== undefined) return 'alias'
  if (value !== undefined) return 'value'
  if (number !== undefined) return 'number'
  return sign === undefined ? 'unknown' : (sign as Sign)
}
