import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { WriteCondition } from './plan.js'

type Clause = 'SET' | 'REMOVE' | 'ADD' | 'DELETE'

/** Collects an update and its condition, with a placeholder for every name and every value. */
export class WriteExpression {
  private names: Record<string, string> | undefined
  private values: Record<string, AttributeValue> | undefined
  private readonly clauses: { [C in Clause]?: string } = {}
  private readonly conditions: string[] = []

  name(attribute: string): string {
    this.names ??= {}
    for (const known in this.names) if (this.names[known] === attribute) return known
    const placeholder = `#w${Object.keys(this.names).length}`
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: AttributeValue): string {
    this.values ??= {}
    const placeholder = `:w${Object.keys(this.values).length}`
    this.values[placeholder] = value
    return placeholder
  }

  /** `path` is made of placeholders, here and in the following. */
  set(path: string, value: AttributeValue | string): void {
    this.clause('SET', `${path} = ${typeof value === 'string' ? value : this.value(value)}`)
  }

  remove(path: string): void {
    this.clause('REMOVE', path)
  }

  add(path: string, value: AttributeValue): void {
    this.clause('ADD', `${path} ${this.value(value)}`)
  }

  take(path: string, members: AttributeValue): void {
    this.clause('DELETE', `${path} ${this.value(members)}`)
  }

  private clause(verb: Clause, text: string): void {
    const before = this.clauses[verb]
    this.clauses[verb] = before === undefined ? `${verb} ${text}` : `${before}, ${text}`
  }

  where(condition: string): this {
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

  /** What has expired is gone, though DynamoDB may not have deleted it yet. */
  past(attribute: string, seconds: number): string {
    return `${this.name(attribute)} <= ${this.value({ N: String(seconds) })}`
  }

  /** The caller's condition, beside ours. */
  given({ expression, names, values }: WriteCondition): void {
    this.names = { ...this.names, ...names }
    this.values = { ...this.values, ...values }
    this.where(expression)
  }

  get updates(): boolean {
    return Object.keys(this.clauses).length > 0
  }

  /** Adds its members to a request, but for those that are empty. */
  into(request: Record<string, unknown>): Record<string, unknown> {
    const { SET, REMOVE, ADD, DELETE } = this.clauses
    const { conditions } = this
    if (this.updates) request.UpdateExpression = [SET, REMOVE, ADD, DELETE].filter(Boolean).join(' ')
    if (conditions.length > 0) {
      request.ConditionExpression = conditions.length > 1 ? `(${conditions.join(') AND (')})` : conditions[0]
      request.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
    }
    if (this.names) request.ExpressionAttributeNames = this.names
    if (this.values) request.ExpressionAttributeValues = this.values
    return request
  }
}
