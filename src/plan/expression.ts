import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { hasAny } from '../schema/map-values.js'

/** A filter as it is sent; its placeholders may not begin with `#k` and `:k`, which are those of keys. */
export interface Filter {
  readonly expression: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, AttributeValue>>
}

/** A text stands for itself as a value. */
type Value = string | AttributeValue

/** What is asked of one attribute of a key. */
export type KeyTest =
  | { readonly equal: Value }
  | { readonly beginning: Value }
  | { readonly from?: Value | undefined; readonly to?: Value | undefined }

export type KeyTests = readonly (readonly [attribute: string, test: KeyTest])[]

/** A request's members, while it is made. */
export type Input = Record<string, unknown>

/** That all of them hold; undefined where there is none. */
export const allOf = (conditions: readonly string[]): string | undefined =>
  conditions[1] ? `(${conditions.join(') AND (')})` : conditions[0]

/** Collects the expressions of one request, with a placeholder for every name and every value, which begins with the prefix. */
export class Expressions {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, AttributeValue> = {}
  protected readonly conditions: string[] = []
  private named = 0
  private valued = 0

  constructor(private readonly prefix = 'k') {}

  /** The condition on a key, attribute by attribute. */
  key(tests: KeyTests): string {
    const texts = tests.map(([attribute, test]) => this.test(attribute, test))
    return texts.filter(Boolean).join(' AND ')
  }

  test(attribute: string, test: KeyTest): string {
    const { equal, beginning, from, to } = test as { readonly [K in 'equal' | 'beginning' | 'from' | 'to']?: Value }
    const value = equal ?? beginning ?? from ?? to
    if (!value) return ''
    const [name, text] = [this.name(attribute), this.value(value)]
    if (beginning) return `begins_with(${name}, ${text})`
    if (from && to) return `${name} BETWEEN ${text} AND ${this.value(to)}`
    return `${name} ${equal ? '=' : from ? '>=' : '<='} ${text}`
  }

  /** A condition with its placeholders, as the caller's, beside ours. */
  given({ expression, names, values }: Filter): void {
    this.conditions.push(expression)
    Object.assign(this.names, names)
    Object.assign(this.values, values)
  }

  /** Only items whose attribute has one of these texts. */
  oneOf(attribute: string, texts: readonly string[]): void {
    this.conditions.push(`${this.name(attribute)} IN (${texts.map(text => this.value(text)).join(', ')})`)
  }

  name(attribute: string): string {
    const placeholder = `#${this.prefix}${this.named++}`
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: Value): string {
    const placeholder = `:${this.prefix}${this.valued++}`
    this.values[placeholder] = typeof value === 'string' ? { S: value } : value
    return placeholder
  }

  /** Puts them into a request, and which attributes it asks for, if not all; gives the condition that is left to put. */
  fill(input: Input, only?: readonly string[] | false): string | undefined {
    const { names, values, conditions } = this
    if (only) input.ProjectionExpression = only.map(attribute => this.name(attribute)).join(', ')
    if (hasAny(names)) input.ExpressionAttributeNames = names
    if (hasAny(values)) input.ExpressionAttributeValues = values
    return allOf(conditions)
  }
}
