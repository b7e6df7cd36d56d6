import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { WriteCondition } from './plan.js'

/** Collects an update and its condition, with a placeholder for every name and every value. */
export class WriteExpression {
  private readonly names: Record<string, string> = {}
  private readonly values: Record<string, AttributeValue> = {}
  private readonly placeholders = new Map<string, string>()
  private readonly clauses: Record<'SET' | 'REMOVE' | 'ADD' | 'DELETE', string[]> = {
    SET: [],
    REMOVE: [],
    ADD: [],
    DELETE: [],
  }
  private readonly conditions: string[] = []

  name(attribute: string): string {
    const known = this.placeholders.get(attribute)
    if (known !== undefined) return known
    const placeholder = `#w${this.placeholders.size}`
    this.placeholders.set(attribute, placeholder)
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: AttributeValue): string {
    const placeholder = `:w${Object.keys(this.values).length}`
    this.values[placeholder] = value
    return placeholder
  }

  /** `path` is made of placeholders. */
  set(path: string, value: AttributeValue | string): this {
    this.clauses.SET.push(`${path} = ${typeof value === 'string' ? value : this.value(value)}`)
    return this
  }

  remove(path: string): this {
    this.clauses.REMOVE.push(path)
    return this
  }

  add(attribute: string, value: AttributeValue): this {
    this.clauses.ADD.push(`${this.name(attribute)} ${this.value(value)}`)
    return this
  }

  take(attribute: string, members: AttributeValue): this {
    this.clauses.DELETE.push(`${this.name(attribute)} ${this.value(members)}`)
    return this
  }

  where(condition: string): this {
    this.conditions.push(condition)
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

  /** The caller's condition, beside ours. */
  given(condition: WriteCondition | undefined): this {
    if (!condition) return this
    Object.assign(this.names, condition.names)
    Object.assign(this.values, condition.values)
    return this.where(condition.expression)
  }

  /** The members of a request, without those that are empty. */
  request() {
    const update = Object.entries(this.clauses).flatMap(([verb, parts]) =>
      parts.length > 0 ? [`${verb} ${parts.join(', ')}`] : [],
    )
    const conditions = this.conditions.length > 1 ? this.conditions.map(each => `(${each})`) : this.conditions
    return {
      ...(update.length > 0 && { UpdateExpression: update.join(' ') }),
      ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    }
  }
}
