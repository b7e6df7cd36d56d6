import type { QueryInput } from '../../dynamodb/operations/reads.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import type { KeySchema } from '../keys/key-schema.js'
import type { BoundKeyCondition } from './key-range.js'

/** What a query of a known form may have: nothing to be read but a key condition. */
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

/** What is longer is left to the checks of requests. */
const TEXT_MAX = 1024

/** A part of a key condition, without its value. */
interface QueryFormPart {
  readonly name: string
  readonly operator: KeyConditionPart['operator']
  readonly placeholder: string
}

/** All of a query but its values. */
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
 * The forms of queries that were found to be right, by the text of their key condition. A program sends the same few
 * over and over with other values: where these are texts, as they were before, nothing else need be looked at.
 */
export class QueryForms {
  private readonly formsByText = new Map<string, QueryForm[]>()
  private count = 0

  constructor(private readonly formsMax: number) {}

  /** The form of a request, if one of the same form was right. */
  find(request: QueryInput): QueryForm | undefined {
    const forms = this.formsByText.get(request.KeyConditionExpression!)
    return forms && isCacheable(request) ? forms.find(form => isOfForm(form, request)) : undefined
  }

  /** Keeps the form of a request that was right. */
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

/** The key condition of a request of this form. */
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

/** Nothing where it cannot be told which value stands where: another request will show it. */
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
  // Names that are given, and none, are a fault.
  return unmatched === 0 && (aliases === undefined || names.size > 0)
}

function isPlainText(value: NonNullable<QueryInput['ExpressionAttributeValues']>[string] | null): boolean {
  if (value === null) return false
  for (const type in value) if (type !== 'S') return false
  const { S: text } = value
  return text !== undefined && text !== '' && text.length <= TEXT_MAX && text.isWellFormed()
}
