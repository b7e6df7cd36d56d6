import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { WriteCondition } from './plan.js'

/** What stands for placeholders; undefined where there are none. */
function placed<T>(prefix: string, values: readonly T[], given?: Readonly<Record<string, T>>) {
  const made: Record<string, T> = { ...given }
  for (const [at, value] of values.entries()) made[prefix + at] = value
  return Object.keys(made).length > 0 ? made : undefined
}

/** Collects an update and its condition, with a placeholder for every name and every value. */
export class WriteExpression {
  private readonly names: string[] = []
  private readonly values: AttributeValue[] = []
  private readonly clauses: { SET?: string; REMOVE?: string; ADD?: string; DELETE?: string } = {}
  private readonly conditions: string[] = []
  private condition: WriteCondition | undefined
  /** Whether there is anything to change. */
  updates = false

  name(attribute: string): string {
    const known = this.names.indexOf(attribute)
    return `#w${known < 0 ? this.names.push(attribute) - 1 : known}`
  }

  value(value: AttributeValue): string {
    return `:w${this.values.push(value) - 1}`
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

  private clause(verb: 'SET' | 'REMOVE' | 'ADD' | 'DELETE', text: string): void {
    const before = this.clauses[verb]
    this.clauses[verb] = before === undefined ? `${verb} ${text}` : `${before}, ${text}`
    this.updates = true
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
  given(condition: WriteCondition): void {
    this.condition = condition
    this.where(condition.expression)
  }

  /** Adds its members to a request, but for those that are empty. */
  into(request: Record<string, unknown>): Record<string, unknown> {
    const { SET, REMOVE, ADD, DELETE } = this.clauses
    const { conditions, condition } = this
    if (this.updates) request.UpdateExpression = [SET, REMOVE, ADD, DELETE].filter(Boolean).join(' ')
    if (conditions.length > 0) {
      request.ConditionExpression = conditions.length > 1 ? `(${conditions.join(') AND (')})` : conditions[0]
      request.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
    }
    const names = placed('#w', this.names, condition?.names)
    if (names) request.ExpressionAttributeNames = names
    const values = placed(':w', this.values, condition?.values)
    if (values) request.ExpressionAttributeValues = values
    return request
  }
}
