import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Names } from '../layout/names.js'
import { Expressions, type Input } from './expression.js'

/** Collects an update and its condition. */
export class WriteExpression extends Expressions {
  private readonly known = new Map<string, string>()
  private readonly clauses: Record<string, string> = {}
  /** Whether there is anything to change. */
  updates = false

  constructor(prefix = 'w') {
    super(prefix)
  }

  override name(attribute: string): string {
    const placeholder = this.known.get(attribute) ?? super.name(attribute)
    this.known.set(attribute, placeholder)
    return placeholder
  }

  /** Without a value it is taken away. `path` is made of placeholders, here and in the following, and so is a text. */
  set(path: string, value: AttributeValue | string | undefined): void {
    if (value) this.clause('SET', `${path} = ${typeof value === 'string' ? value : this.value(value)}`)
    else this.clause('REMOVE', path)
  }

  /** Adds to a number or to a set, or takes members out of one. */
  add(path: string, value: AttributeValue, verb: 'ADD' | 'DELETE' = 'ADD'): void {
    this.clause(verb, `${path} ${this.value(value)}`)
  }

  private clause(verb: string, text: string): void {
    this.clauses[verb] = `${this.clauses[verb]?.concat(',') ?? verb} ${text}`
    this.updates = true
  }

  /** That one of these holds, of those that are given. */
  where(...either: readonly (string | false | undefined)[]): this {
    const condition = either.filter(Boolean).join(' OR ')
    if (!this.conditions.includes(condition)) this.conditions.push(condition)
    return this
  }

  equals(attribute: string, value: AttributeValue): string {
    return `${this.name(attribute)} = ${this.value(value)}`
  }

  exists(attribute: string): string {
    return `attribute_exists(${this.name(attribute)})`
  }

  missing(attribute: string): string {
    return `attribute_not_exists(${this.name(attribute)})`
  }

  /** That it has this value, or none. */
  is(attribute: string, value: AttributeValue | undefined): string {
    return value ? this.equals(attribute, value) : this.missing(attribute)
  }

  past(attribute: string, seconds: number): string {
    return `${this.name(attribute)} <= ${this.value({ N: String(seconds) })}`
  }

  /** That nothing is there. What has expired is gone, though DynamoDB may not have deleted it yet. */
  free({ partition, expires }: Names, isTimed: unknown, seconds: number): string {
    return this.missing(partition) + (isTimed ? ` OR ${this.past(expires, seconds)}` : '')
  }

  /** Adds its members to a request, but for those that are empty. */
  into(request: Input): Input {
    if (this.updates) request.UpdateExpression = Object.values(this.clauses).join(' ')
    const condition = this.fill(request)
    if (condition) {
      request.ConditionExpression = condition
      request.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
    }
    return request
  }
}
