import type { AttributeValue } from '../dynamodb/attribute-value.js'

/** A filter expression. Its placeholders must not begin with `#k` or `:k`, which key conditions use. */
export interface Filter {
  readonly expression: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, AttributeValue>>
}

/** A value in an expression; a string is shorthand for `{ S: string }`. */
type ExpressionValue = string | AttributeValue

/** A condition on one key attribute. */
export type KeyTest =
  | { readonly equal: ExpressionValue }
  | { readonly beginning: ExpressionValue }
  | { readonly from?: ExpressionValue | undefined; readonly to?: ExpressionValue | undefined }

export type KeyTests = readonly (readonly [attribute: string, test: KeyTest])[]

/** The members of a request under construction. */
export type RequestInput = Record<string, unknown>

/** Joins conditions with AND; returns undefined when the list is empty. */
export const joinConditions = (conditions: readonly string[]): string | undefined =>
  conditions[1] ? `(${conditions.join(') AND (')})` : conditions[0]

/** Collects the expressions of one request. Each name and value gets a placeholder that begins with the prefix. */
export class ExpressionBuilder {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, AttributeValue> = {}
  protected readonly conditions: string[] = []
  private nameCount = 0
  private valueCount = 0

  constructor(private readonly prefix = 'k') {}

  /** Returns the key condition for several key attributes. */
  keyCondition(tests: KeyTests): string {
    const texts = tests.map(([attribute, test]) => this.keyTestCondition(attribute, test))
    return texts.filter(Boolean).join(' AND ')
  }

  keyTestCondition(attribute: string, test: KeyTest): string {
    const { equal, beginning, from, to } = test as {
      readonly [K in 'equal' | 'beginning' | 'from' | 'to']?: ExpressionValue
    }
    const value = equal ?? beginning ?? from ?? to
    if (!value) return ''
    const [name, text] = [this.name(attribute), this.value(value)]
    if (beginning) return `begins_with(${name}, ${text})`
    if (from && to) return `${name} BETWEEN ${text} AND ${this.value(to)}`
    return `${name} ${equal ? '=' : from ? '>=' : '<='} ${text}`
  }

  /** Adds a condition that already has placeholders, for example the filter of the caller. */
  addCondition({ expression, names, values }: Filter): void {
    this.conditions.push(expression)
    Object.assign(this.names, names)
    Object.assign(this.values, values)
  }

  /** Adds a condition that an attribute has one of these texts. */
  addOneOf(attribute: string, texts: readonly string[]): void {
    this.conditions.push(`${this.name(attribute)} IN (${texts.map(text => this.value(text)).join(', ')})`)
  }

  name(attribute: string): string {
    const placeholder = `#${this.prefix}${this.nameCount++}`
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: ExpressionValue): string {
    const placeholder = `:${this.prefix}${this.valueCount++}`
    this.values[placeholder] = typeof value === 'string' ? { S: value } : value
    return placeholder
  }

  /**
   * Adds names, values and an optional projection to a request. Returns the joined conditions, which the caller
   * assigns.
   */
  addTo(input: RequestInput, only?: readonly string[] | false): string | undefined {
    const { names, values, conditions } = this
    if (only) input.ProjectionExpression = only.map(attribute => this.name(attribute)).join(', ')
    if (Object.keys(names).length > 0) input.ExpressionAttributeNames = names
    if (Object.keys(values).length > 0) input.ExpressionAttributeValues = values
    return joinConditions(conditions)
  }
}
