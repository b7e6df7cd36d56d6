import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { StoredNames } from '../../layout/stored-names.js'
import { ExpressionBuilder, type RequestInput } from '../expression.js'

/** Collects an update and its condition. */
export class WriteExpression extends ExpressionBuilder {
  private readonly placeholders = new Map<string, string>()
  private readonly clauses: Record<string, string> = {}
  /** Whether there is anything to change. */
  hasUpdates = false

  constructor(prefix = 'w') {
    super(prefix)
  }

  override name(attribute: string): string {
    const placeholder = this.placeholders.get(attribute) ?? super.name(attribute)
    this.placeholders.set(attribute, placeholder)
    return placeholder
  }

  /** Without a value it is taken away. `path` is made of placeholders, here and in the following, and so is a text. */
  set(path: string, value: AttributeValue | string | undefined): void {
    if (value) this.addClause('SET', `${path} = ${typeof value === 'string' ? value : this.value(value)}`)
    else this.addClause('REMOVE', path)
  }

  /** Adds to a number or to a set, or takes members out of one. */
  add(path: string, value: AttributeValue, verb: 'ADD' | 'DELETE' = 'ADD'): void {
    this.addClause(verb, `${path} ${this.value(value)}`)
  }

  private addClause(verb: string, text: string): void {
    this.clauses[verb] = `${this.clauses[verb]?.concat(',') ?? verb} ${text}`
    this.hasUpdates = true
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
  equalsOrMissing(attribute: string, value: AttributeValue | undefined): string {
    return value ? this.equals(attribute, value) : this.missing(attribute)
  }

  expired(attribute: string, seconds: number): string {
    return `${this.name(attribute)} <= ${this.value({ N: String(seconds) })}`
  }

  /** That nothing is there. What has expired is gone, though DynamoDB may not have deleted it yet. */
  absentOrExpired({ partition, expires }: StoredNames, isTimed: unknown, seconds: number): string {
    return this.missing(partition) + (isTimed ? ` OR ${this.expired(expires, seconds)}` : '')
  }

  /** Adds its members to a request, but for those that are empty. */
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
