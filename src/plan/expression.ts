import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { hasEntries } from '../schema/map-values.js'

/** A filter as it is sent; its placeholders may not begin with `#k` and `:k`, which are those of keys. */
export interface Filter {
  readonly expression: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, AttributeValue>>
}

/** A text stands for itself as a value. */
type ExpressionValue = string | AttributeValue

/** What is asked of one attribute of a key. */
export type KeyTest =
  | { readonly equal: ExpressionValue }
  | { readonly beginning: ExpressionValue }
  | { readonly from?: ExpressionValue | undefined; readonly to?: ExpressionValue | undefined }

export type KeyTests = readonly (readonly [attribute: string, test: KeyTest])[]

/** A request's members, while it is made. */
export type RequestInput = Record<string, unknown>

/** That all of them hold; undefined where there is none. */
export const joinConditions = (conditions: readonly string[]): string | undefined =>
  conditions[1] ? `(${conditions.join(') AND (')})` : conditions[0]

/** Collects the expressions of one request, with a placeholder for every name and every value, which begins with the prefix. */
export class ExpressionBuilder {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, AttributeValue> = {}
  protected readonly conditions: string[] = []
  private nameCount = 0
  private valueCount = 0

  constructor(private readonly prefix = 'k') {}

  /** The condition on a key, attribute by attribute. */
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

  /** A condition with its placeholders, as the caller's, beside ours. */
  addCondition({ expression, names, values }: Filter): void {
    this.conditions.push(expression)
    Object.assign(this.names, names)
    Object.assign(this.values, values)
  }

  /** Only items whose attribute has one of these texts. */
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

  /** Puts them into a request, and which attributes it asks for, if not all; gives the condition that is left to put. */
  addTo(input: RequestInput, only?: readonly string[] | false): string | undefined {
    const { names, values, conditions } = this
    if (only) input.ProjectionExpression = only.map(attribute => this.name(attribute)).join(', ')
    if (hasEntries(names)) input.ExpressionAttributeNames = names
    if (hasEntries(values)) input.ExpressionAttributeValues = values
    return joinConditions(conditions)
  }
}
