import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { allOf } from './expression.js'
import type { WriteCondition } from './plan.js'

/** What stands for placeholders. */
function placed<T>(prefix: string, values: readonly T[], given?: Readonly<Record<string, T>>) {
  const made: Record<string, T> = { ...given }
  for (let at = 0; at < values.length; at++) made[prefix + at] = values[at]!
  return made
}

/** Collects an update and its condition, with a placeholder for every name and every value, which begins with the prefix. */
export class WriteExpression {
  private readonly names: string[] = []
  private readonly values: AttributeValue[] = []
  private readonly clauses: { SET?: string; REMOVE?: string; ADD?: string; DELETE?: string } = {}
  private readonly conditions: string[] = []
  private condition: WriteCondition | undefined
  /** Whether there is anything to change. */
  updates = false

  constructor(private readonly prefix = 'w') {}

  name(attribute: string): string {
    const known = this.names.indexOf(attribute)
    return `#${this.prefix}${known < 0 ? this.names.push(attribute) - 1 : known}`
  }

  value(value: AttributeValue): string {
    return `:${this.prefix}${this.values.push(value) - 1}`
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

  /** What they stand for, with those of the caller's condition. */
  placeholders(): Omit<WriteCondition, 'expression'> {
    const { prefix, condition } = this
    return {
      names: placed(`#${prefix}`, this.names, condition?.names),
      values: placed(`:${prefix}`, this.values, condition?.values),
    }
  }

  /** Adds its members to a request, but for those that are empty. */
  into(request: Record<string, unknown>): Record<string, unknown> {
    const { SET, REMOVE, ADD, DELETE } = this.clauses
    const { conditions } = this
    if (this.updates) request.UpdateExpression = [SET, REMOVE, ADD, DELETE].filter(Boolean).join(' ')
    if (conditions.length > 0) {
      request.ConditionExpression = allOf(conditions)
      request.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
    }
    const { names, values } = this.placeholders()
    if (Object.keys(names).length > 0) request.ExpressionAttributeNames = names
    if (Object.keys(values).length > 0) request.ExpressionAttributeValues = values
    return request
  }
}
