import { FormatError } from './format-error.js'

/** A value of Ion text, of the types that an item can have. */
export type IonValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'number'; readonly value: string }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'blob'; readonly base64: string }
  | { readonly type: 'list'; readonly elements: readonly IonValue[]; readonly annotation?: string }
  | { readonly type: 'struct'; readonly fields: readonly (readonly [name: string, value: IonValue])[] }

/** Items nest 32 levels deep. */
const LEVELS_MAX = 64
const SPACE = /(?:[\s\v\f]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const NUMBER = /[+-]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*)(?:\.[\d_]*)?(?:[dDeE][+-]?\d+)?)(?![\w$.])/y
const SYMBOL = /[A-Za-z_$][\w$]*/y
const TYPED_NULL = /\.[a-z]+/y
const BLOB = /\{\{[\sA-Za-z0-9+/=]*\}\}/y
const ESCAPE = /\\(?:([abtnfrv0"'?/\\])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(\r\n|[\r\n]))/g
const ESCAPED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  v: '\v',
  0: '\0',
}

/** The one value of a text, before which version markers may stand. */
export function parseIon(text: string): IonValue {
  return new IonReader(text).document()
}

class IonReader {
  private at = 0

  constructor(private readonly text: string) {}

  document(): IonValue {
    this.space()
    while (this.text.startsWith('$ion_1_0', this.at)) {
      this.at += '$ion_1_0'.length
      this.space()
    }
    const value = this.value(1)
    this.space()
    if (this.at < this.text.length) throw this.fault('expected the end of the line')
    return value
  }

  private value(level: number): IonValue {
    if (level > LEVELS_MAX) throw this.fault('values nest too deep')
    const character = this.text[this.at]
    switch (character) {
      case '{':
        return this.text[this.at + 1] === '{' ? this.blob() : this.struct(level)
      case '[':
        return { type: 'list', elements: this.list(level) }
      case '"':
        return { type: 'string', value: this.quoted('"') }
      case "'":
        return this.text.startsWith("'''", this.at) ? this.longString() : this.annotated(this.quoted("'"), level)
      default:
        return this.match(NUMBER, number => ({ type: 'number', value: decimalOf(number) })) ?? this.word(level)
    }
  }

  /** A keyword, or a symbol that annotates a value. */
  private word(level: number): IonValue {
    const word = this.match(SYMBOL, symbol => symbol)
    if (word === undefined) throw this.fault('expected a value')
    if (word === 'true' || word === 'false') return { type: 'bool', value: word === 'true' }
    if (word === 'null') {
      this.match(TYPED_NULL, type => type)
      return { type: 'null' }
    }
    return this.annotated(word, level)
  }

  private annotated(annotation: string, level: number): IonValue {
    this.space()
    if (!this.take('::')) throw this.fault(`an attribute cannot be the symbol '${annotation}'`)
    this.space()
    const value = this.value(level + 1)
    return value.type === 'list' ? { ...value, annotation } : value
  }

  private list(level: number): IonValue[] {
    const elements: IonValue[] = []
    this.expect('[')
    for (this.space(); !this.take(']'); ) {
      elements.push(this.value(level + 1))
      this.separator(']')
    }
    return elements
  }

  private struct(level: number): IonValue {
    const fields: [string, IonValue][] = []
    this.expect('{')
    for (this.space(); !this.take('}'); ) {
      const name = this.fieldName()
      this.space()
      this.expect(':')
      this.space()
      fields.push([name, this.value(level + 1)])
      this.separator('}')
    }
    return { type: 'struct', fields }
  }

  private fieldName(): string {
    const character = this.text[this.at]
    if (this.text.startsWith("'''", this.at)) return this.longString().value
    if (character === '"' || character === "'") return this.quoted(character)
    const name = this.match(SYMBOL, symbol => symbol)
    if (name === undefined) throw this.fault('expected the name of a field')
    return name
  }

  /** The comma after an element, unless the end follows. */
  private separator(end: string): void {
    this.space()
    if (this.take(',')) this.space()
    else if (this.text[this.at] !== end) throw this.fault(`expected ',' or '${end}'`)
  }

  private blob(): IonValue {
    const blob = this.match(BLOB, text => text.slice(2, -2).replace(/\s/g, ''))
    if (blob === undefined) throw this.fault('expected a blob in base64')
    return { type: 'blob', base64: blob }
  }

  private quoted(quote: '"' | "'"): string {
    const start = this.at + 1
    for (let end = start; end < this.text.length; end++) {
      if (this.text[end] === '\\') end++
      else if (this.text[end] === quote) {
        this.at = end + 1
        return this.unescape(this.text.slice(start, end))
      }
    }
    throw this.fault('the text has no end')
  }

  /** Several long strings in a row are one. */
  private longString(): { readonly type: 'string'; readonly value: string } {
    let value = ''
    while (this.take("'''")) {
      const end = this.endOfLongString()
      value += this.unescape(this.text.slice(this.at, end))
      this.at = end + "'''".length
      this.space()
    }
    return { type: 'string', value }
  }

  private endOfLongString(): number {
    for (let end = this.at; end < this.text.length; end++) {
      if (this.text[end] === '\\') end++
      else if (this.text.startsWith("'''", end)) return end
    }
    throw this.fault('the text has no end')
  }

  private unescape(text: string): string {
    if (!text.includes('\\')) return text
    const unescaped = text.replace(ESCAPE, (_, character, x, u, U, newline) => {
      if (newline !== undefined) return ''
      if (character !== undefined) return ESCAPED[character] ?? character
      if (U !== undefined && Number.parseInt(U, 16) > 0x10ffff) throw this.fault(`the character \\U${U} does not exist`)
      return U === undefined
        ? String.fromCharCode(Number.parseInt(x ?? u, 16))
        : String.fromCodePoint(Number.parseInt(U, 16))
    })
    if (/\\/.test(text.replace(ESCAPE, ''))) throw this.fault('a text has an unknown escape')
    return unescaped
  }

  private space(): void {
    this.match(SPACE, space => space)
  }

  private match<T>(pattern: RegExp, take: (text: string) => T): T | undefined {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.text) ?? []
    if (found === undefined) return undefined
    this.at += found.length
    return take(found)
  }

  private take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private expect(text: string): void {
    if (!this.take(text)) throw this.fault(`expected '${text}'`)
  }

  private fault(message: string): FormatError {
    return new FormatError(`the line is not an item in Ion text: ${message} at character ${this.at + 1}`)
  }
}

/** A number of Ion as DynamoDB reads it: `6d2` as `6E2`, `103.` as `103`. */
function decimalOf(ion: string): string {
  const text = ion.replaceAll('_', '')
  if (/^[+-]?0[xXbB]/.test(text)) {
    const digits = BigInt(text.replace(/^[+-]/, ''))
    return text.startsWith('-') ? `-${digits}` : String(digits)
  }
  return text.replace(/[dD]/, 'E').replace(/\.(?=$|[eE])/, '')
}
