import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { KeyCondition } from '../layout/template-condition.js'
import type { Drafted } from './plan.js'

/** A filter as it is sent; its placeholders may not begin with `#k` and `:k`, which are those of keys. */
export interface Filter {
  readonly expression: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, AttributeValue>>
}

/** What is asked of one attribute of a key. */
export type KeyTest =
  | { readonly equal: AttributeValue }
  | { readonly beginning: AttributeValue }
  | { readonly from?: AttributeValue | undefined; readonly to?: AttributeValue | undefined }

/** The test of a composed key, which is a text. */
export function textTest(key: KeyCondition): KeyTest {
  if ('equal' in key) return { equal: { S: key.equal } }
  if ('beginning' in key) return { beginning: { S: key.beginning } }
  return { from: text(key.from), to: text(key.to) }
}

const text = (S: string | undefined): AttributeValue | undefined => (S === undefined ? undefined : { S })

/** Collects the names and values of one request's expressions. */
export class Expressions {
  private readonly names: Record<string, string> = {}
  private readonly values: Record<string, AttributeValue> = {}
  private readonly filters: string[] = []

  /** The condition on a key, attribute by attribute. */
  key(tests: readonly (readonly [attribute: string, test: KeyTest])[]): string {
    return tests
      .map(([attribute, test]) => this.test(attribute, test))
      .filter(Boolean)
      .join(' AND ')
  }

  filter({ expression, names, values }: Filter): void {
    this.filters.push(expression)
    Object.assign(this.names, names)
    Object.assign(this.values, values)
  }

  /** Only items whose attribute has one of these texts. */
  oneOf(attribute: string, texts: readonly string[]): void {
    const values = texts.map(S => this.value({ S }))
    this.filters.push(`${this.name(attribute)} IN (${values.join(', ')})`)
  }

  /** Only items whose attribute begins so. */
  beginning(attribute: string, S: string): void {
    this.filters.push(this.test(attribute, { beginning: { S } }))
  }

  /** Only items whose time, if they have one, is later. */
  notPast(attribute: string, seconds: number): void {
    const name = this.name(attribute)
    this.filters.push(`attribute_not_exists(${name}) OR ${name} > ${this.value({ N: String(seconds) })}`)
  }

  get filtered(): boolean {
    return this.filters.length > 0
  }

  members(): Drafted {
    const [first, ...more] = this.filters
    return {
      ...(first !== undefined && {
        FilterExpression: more.length === 0 ? first : this.filters.map(filter => `(${filter})`).join(' AND '),
      }),
      ExpressionAttributeNames: this.names,
      ExpressionAttributeValues: this.values,
    }
  }

  private test(attribute: string, test: KeyTest): string {
    if ('equal' in test) return `${this.name(attribute)} = ${this.value(test.equal)}`
    if ('beginning' in test) return `begins_with(${this.name(attribute)}, ${this.value(test.beginning)})`
    const { from, to } = test
    if (from && to) return `${this.name(attribute)} BETWEEN ${this.value(from)} AND ${this.value(to)}`
    if (from) return `${this.name(attribute)} >= ${this.value(from)}`
    return to ? `${this.name(attribute)} <= ${this.value(to)}` : ''
  }

  private name(attribute: string): string {
    return put(this.names, '#k', attribute)
  }

  private value(value: AttributeValue): string {
    return put(this.values, ':k', value)
  }
}

function put<T>(into: Record<string, T>, prefix: string, value: T): string {
  const placeholder = `${prefix}${Object.keys(into).length}`
  into[placeholder] = value
  return placeholder
}
