import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { StoredNames } from '../../layout/stored-names.js'
import { ExpressionBuilder, type RequestInput } from '../expression.js'

/** Collects an update expression and its condition. */
export class WriteExpression extends ExpressionBuilder {
  private readonly placeholders = new Map<string, string>()
  private readonly clauses: Record<string, string> = {}
  /** Whether the update has any changes. */
  hasUpdates = false

  constructor(prefix = 'w') {
    super(prefix)
  }

  override name(attribute: string): string {
    const placeholder = this.placeholders.get(attribute) ?? super.name(attribute)
    this.placeholders.set(attribute, placeholder)
    return placeholder
  }

  /**
   * Sets a value, or removes the attribute when the value is undefined. `path`, here and below, and a string value
   * consist of placeholders.
   */
  set(path: string, value: AttributeValue | string | undefined): void {
    if (value) this.addClause('SET', `${path} = ${typeof value === 'string' ? value : this.value(value)}`)
    else this.addClause('REMOVE', path)
  }

  /** Adds to a number or a set, or deletes set members. */
  add(path: string, value: AttributeValue, verb: 'ADD' | 'DELETE' = 'ADD'): void {
    this.addClause(verb, `${path} ${this.value(value)}`)
  }

  private addClause(verb: string, text: string): void {
    this.clauses[verb] = `${this.clauses[verb]?.concat(',') ?? verb} ${text}`
    this.hasUpdates = true
  }

  /** Adds a condition that one of the given alternatives holds. */
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

  /** The condition that an attribute has this value, or is missing when the value is undefined. */
  equalsOrMissing(attribute: string, value: AttributeValue | undefined): string {
    return value ? this.equals(attribute, value) : this.missing(attribute)
  }

  expired(attribute: string, seconds: number): string {
    return `${this.name(attribute)} <= ${this.value({ N: String(seconds) })}`
  }

  /** The condition that the item is missing or expired. DynamoDB may remove expired items days later. */
  absentOrExpired({ partition, expires }: StoredNames, isTimed: unknown, seconds: number): string {
    return this.missing(partition) + (isTimed ? ` OR ${this.expired(expires, seconds)}` : '')
  }

  /** Adds the non-empty expressions to a request. */
  addWriteTo(request: RequestInput): RequestInput {
    if (this.hasUpdates) request.UpdateExpression = Object.values(this.clauses).join(' ')
    const condition = this.addTo(request)
    if (condition) {
      request.ConditionExpression = condition
      request.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
    }
    return request
  }
}
