import type { QueryInput } from '../../dynamodb/operation-types.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import type { KeySchema } from '../keys/key-schema.js'
import type { BoundKeyCondition } from './key-range.js'

/** The members that a cached query may have. None except the key condition needs parsing. */
const MEMBERS: ReadonlySet<string> = new Set<keyof QueryInput>([
  'TableName',
  'IndexName',
  'KeyConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ConsistentRead',
  'ScanIndexForward',
  'Limit',
  'ReturnConsumedCapacity',
])

/** Longer texts are left to the regular checks. */
const TEXT_MAX = 1024

/** A part of a key condition without its value. */
interface QueryFormPart {
  readonly name: string
  readonly operator: KeyConditionPart['operator']
  readonly placeholder: string
}

/** A query without its values. */
export interface QueryForm {
  readonly table: string
  readonly index: string | undefined
  readonly keys: KeySchema
  readonly names: ReadonlyMap<string, string>
  readonly placeholders: ReadonlySet<string>
  readonly partition: readonly QueryFormPart[]
  readonly sort: readonly QueryFormPart[]
}

/**
 * Caches the forms of valid queries by the text of their key condition. A program repeats a few queries with different
 * values. If the values are strings, as before, no other check is needed.
 */
export class QueryForms {
  private readonly formsByText = new Map<string, QueryForm[]>()
  private count = 0

  constructor(private readonly formsMax: number) {}

  /** Returns the form of a request, if a valid request with the same form was added. */
  find(request: QueryInput): QueryForm | undefined {
    const forms = this.formsByText.get(request.KeyConditionExpression!)
    return forms && isCacheable(request) ? forms.find(form => isOfForm(form, request)) : undefined
  }

  /** Adds the form of a valid request. */
  add(request: QueryInput, keys: KeySchema, condition: BoundKeyCondition): void {
    const { KeyConditionExpression: text, ExpressionAttributeNames: names = {} } = request
    if (this.formsMax === 0 || text === undefined || !isCacheable(request)) return
    const partition = toFormParts(condition.partition, request)
    const sort = toFormParts(condition.sort, request)
    if (!partition || !sort) return
    if (this.count++ >= this.formsMax) {
      this.formsByText.clear()
      this.count = 1
    }
    const { TableName: table, IndexName: index } = request
    const placeholders = new Set([...partition, ...sort].map(({ placeholder }) => placeholder))
    const form = { table, index, keys, names: new Map(Object.entries(names)), placeholders, partition, sort }
    const others = this.formsByText.get(text)?.filter(known => known.table !== table || known.index !== index)
    this.formsByText.set(text, [...(others ?? []), form])
  }
}

/** Returns the key condition of a request with this form. */
export function bindQueryForm({ partition, sort }: QueryForm, request: QueryInput): BoundKeyCondition {
  return { partition: fillParts(partition, request), sort: fillParts(sort, request) }
}

function fillParts(
  parts: readonly QueryFormPart[],
  { ExpressionAttributeValues: values }: QueryInput,
): KeyConditionPart[] {
  return parts.map(({ name, operator, placeholder }) => ({ name, operator, values: [values![placeholder]!] }))
}

function isCacheable(request: QueryInput): boolean {
  for (const member in request) if (!MEMBERS.has(member)) return false
  return true
}

/**
 * Returns the placeholders of a condition, or undefined if equal values make them ambiguous. A later request will have
 * different values.
 */
function toFormParts(parts: readonly KeyConditionPart[], request: QueryInput): QueryFormPart[] | undefined {
  const valueEntries = Object.entries(request.ExpressionAttributeValues ?? {})
  const found: QueryFormPart[] = []
  for (const { name, operator, values } of parts) {
    const [same, another] = valueEntries.filter(([, { S }]) => S !== undefined && S === values[0]!.S)
    if (!same || another || values.length > 1) return undefined
    found.push({ name, operator, placeholder: same[0] })
  }
  return found
}

function isOfForm({ table, index, names, placeholders }: QueryForm, request: QueryInput): boolean {
  const { ExpressionAttributeNames: aliases, ExpressionAttributeValues: values } = request
  if (request.TableName !== table || request.IndexName !== index) return false
  let unmatched = names.size + placeholders.size
  for (const alias in aliases) {
    if (names.get(alias) !== aliases[alias]) return false
    unmatched--
  }
  for (const placeholder in values) {
    if (!placeholders.has(placeholder) || !isPlainText(values[placeholder]!)) return false
    unmatched--
  }
  // An empty map of names is an error, unlike a missing one.
  return unmatched === 0 && (aliases === undefined || names.size > 0)
}

function isPlainText(value: NonNullable<QueryInput['ExpressionAttributeValues']>[string] | null): boolean {
  if (value === null) return false
  for (const type in value) if (type !== 'S') return false
  const { S: text } = value
  return text !== undefined && text !== '' && text.length <= TEXT_MAX && text.isWellFormed()
}
