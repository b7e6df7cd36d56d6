import { malformedStatementError } from '../statement-errors.js'
import { type StatementToken, tokenize } from './tokenize.js'

/** The tokens of a statement and the position of the parser. */
export class TokenCursor {
  private readonly tokens: readonly StatementToken[]
  private position = 0

  constructor(statement: string) {
    this.tokens = tokenize(statement)
  }

  get token(): StatementToken {
    return this.tokens[this.position]!
  }

  get followingToken(): StatementToken {
    return this.tokens[this.position + 1] ?? this.token
  }

  get atEnd(): boolean {
    return this.token.kind === 'end'
  }

  next(): StatementToken {
    const token = this.token
    if (!this.atEnd) this.position++
    return token
  }

  /**
   * Returns whether the current token is this keyword, operator or sign. Names and literals with the same text do not
   * match.
   */
  is(text: string): boolean {
    const { kind } = this.token
    return this.token.text === text && (kind === 'keyword' || kind === 'operator' || kind === 'sign')
  }

  take(text: string): boolean {
    if (!this.is(text)) return false
    this.next()
    return true
  }

  expect(text: string, description: string): void {
    if (!this.take(text)) throw malformedStatementError(`Expected ${description}`)
  }

  /** Checks that only one optional semicolon follows the statement. */
  expectEnd(): void {
    if (this.take(';') && !this.atEnd)
      throw malformedStatementError('Unexpected token after semicolon. (Only one query is allowed.)')
    if (!this.atEnd) throw malformedStatementError('Unexpected token after expression')
  }
}
