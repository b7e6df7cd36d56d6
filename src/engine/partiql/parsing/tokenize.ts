import { malformedStatementError, type TokenPosition } from '../statement-errors.js'
import { KEYWORDS, WORD_OPERATORS } from './keywords.js'

type TokenKind = 'name' | 'keyword' | 'operator' | 'string' | 'number' | 'ion' | 'sign' | 'end'

export interface StatementToken extends TokenPosition {
  readonly kind: TokenKind
  /** Keywords and operators in upper case; names and strings without quotes. */
  readonly text: string
}

/** In this order: blanks and comments, word, quoted name, string, number, Ion, operator, other sign. */
const TOKEN =
  /((?:[ \t\n\v\f\r]|--[^\n]*|\/\*[\s\S]*?\*\/)+)|([A-Za-z_$][\w$]*)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w$]|\.[A-Za-z_$])|`([^`]*)`|(<=|>=|<>|!=|\|\||<<|>>|\/(?!\*)|[=<>+\-*%@])|([()[\]{},:;.?])/y
const INT_MAX = 2 ** 31 - 1
/** The lexer reads these as operators, the grammar does not. */
const BRACKETS = new Set(['<<', '>>', '*'])

export function tokenize(statement: string): StatementToken[] {
  const tokens: StatementToken[] = []
  let line = 1
  let lineStart = 0
  for (let at = 0; at < statement.length; ) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(statement)
    if (!match) throw malformedStatementError()
    const [text, blank] = match
    if (blank === undefined) tokens.push({ ...toToken(match), line, column: at - lineStart + 1, length: text.length })
    for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) {
      line++
      lineStart = at + i + 1
    }
    at += text.length
  }
  tokens.push({ kind: 'end', text: '', line, column: statement.length - lineStart + 1, length: 0 })
  return tokens
}

function toToken([, , word, quoted, string, number, ion, operator, sign]: RegExpExecArray): Pick<
  StatementToken,
  'kind' | 'text'
> {
  if (word !== undefined) return toWordToken(word)
  if (quoted !== undefined) return { kind: 'name', text: quoted.replaceAll('""', '"') }
  if (string !== undefined) return { kind: 'string', text: string.replaceAll("''", "'") }
  if (number !== undefined) return { kind: 'number', text: checkNumber(number) }
  if (ion !== undefined) return { kind: 'ion', text: ion }
  if (operator === undefined) return { kind: 'sign', text: sign! }
  if (BRACKETS.has(operator)) return { kind: 'sign', text: operator }
  return { kind: 'operator', text: operator === '!=' ? '<>' : operator }
}

function toWordToken(word: string): Pick<StatementToken, 'kind' | 'text'> {
  const text = word.toUpperCase()
  if (!KEYWORDS.has(text)) return { kind: 'name', text: word }
  return { kind: WORD_OPERATORS.has(text) ? 'operator' : 'keyword', text }
}

/** The service reads numbers as Java's BigDecimal, whose exponent and scale have 32 bits. */
function checkNumber(text: string): string {
  const [, fraction = '', power = '0'] = /(?:\.(\d*))?(?:e(.*))?$/i.exec(text)!
  const exponent = Number(power)
  const scale = fraction.length - exponent
  if ([exponent, scale].some(value => value > INT_MAX || value < -INT_MAX - 1)) throw malformedStatementError()
  return text
}
