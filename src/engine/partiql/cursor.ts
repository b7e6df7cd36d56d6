import { malformed } from './faults.js'
import { type Token, tokenize } from './tokens.js'

/** The tokens of a statement, and the place that the parser has reached in them. */
export class Cursor {
  private readonly tokens: readonly Token[]
  private position = 0

  constructor(statement: string) {
    this.tokens = tokenize(statement)
  }

  get token(): Token {
    return this.tokens[this.position]!
  }

  get following(): Token {
    return this.tokens[this.position + 1] ?? this.token
  }

  get atEnd(): boolean {
    return this.token.kind === 'end'
  }

  next(): Token {
    const token = this.token
    if (!this.atEnd) this.position++
    return token
  }

  /** Whether the current token is this word or sign, and no name or literal that looks like it. */
  is(text: string): boolean {
    const { kind } = this.token
    return this.token.text === text && (kind === 'keyword' || kind === 'operator' || kind === 'sign')
  }

  take(text: string): boolean {
    if (!this.is(text)) return false
    this.next()
    return true
  }

  expect(text: string, called: string): void {
    if (!this.take(text)) throw malformed(`Expected ${called}`)
  }

  /** Nothing may follow a statement but one semicolon. */
  expectEnd(): void {
    if (this.take(';') && !this.atEnd) throw malformed('Unexpected token after semicolon. (Only one query is allowed.)')
    if (!this.atEnd) throw malformed('Unexpected token after expression')
  }
}
