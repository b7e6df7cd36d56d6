import type { QueryRequest } from '../../dynamodb/operations/reads.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import type { KeySchema } from '../keys/schema.js'
import type { BoundCondition } from './key-range.js'

/** What a query of a known form may have: nothing to be read but a key condition. */
const MEMBERS: ReadonlySet<string> = new Set<keyof QueryRequest>([
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
interface Part {
  readonly name: string
  readonly operator: KeyConditionPart['operator']
  readonly placeholder: string
}

/** All of a query but its values. */
export interface Form {
  readonly table: string
  readonly index: string | undefined
  readonly keys: KeySchema
  readonly names: ReadonlyMap<string, string>
  readonly placeholders: ReadonlySet<string>
  readonly partition: readonly Part[]
  readonly sort: readonly Part[]
}

/**
 * The forms of queries that were found to be right, by the text of their key condition. A program sends the same few
 * over and over with other values: where these are texts, as they were before, nothing else need be looked at.
 */
export class QueryForms {
  private readonly known = new Map<string, Form[]>()
  private count = 0

  constructor(private readonly formsMax: number) {}

  /** The form of a request, if one of the same form was right. */
  of(request: QueryRequest): Form | undefined {
    const forms = this.known.get(request.KeyConditionExpression!)
    return forms && isPlain(request) ? forms.find(form => fits(form, request)) : undefined
  }

  /** Keeps the form of a request that was right. */
  add(request: QueryRequest, keys: KeySchema, condition: BoundCondition): void {
    const { KeyConditionExpression: text, ExpressionAttributeNames: names = {} } = request
    if (this.formsMax === 0 || text === undefined || !isPlain(request)) return
    const partition = partsOf(condition.partition, request)
    const sort = partsOf(condition.sort, request)
    if (!partition || !sort) return
    if (this.count++ >= this.formsMax) {
      this.known.clear()
      this.count = 1
    }
    const { TableName: table, IndexName: index } = request
    const placeholders = new Set([...partition, ...sort].map(({ placeholder }) => placeholder))
    const form = { table, index, keys, names: new Map(Object.entries(names)), placeholders, partition, sort }
    const others = this.known.get(text)?.filter(known => known.table !== table || known.index !== index)
    this.known.set(text, [...(others ?? []), form])
  }
}

/** The key condition of a request of this form. */
export function conditionOf({ partition, sort }: Form, request: QueryRequest): BoundCondition {
  return { partition: filled(partition, request), sort: filled(sort, request) }
}

function filled(parts: readonly Part[], { ExpressionAttributeValues: given }: QueryRequest): KeyConditionPart[] {
  return parts.map(({ name, operator, placeholder }) => ({ name, operator, values: [given![placeholder]!] }))
}

function isPlain(request: QueryRequest): boolean {
  for (const member in request) if (!MEMBERS.has(member)) return false
  return true
}

/** Nothing where it cannot be told which value stands where: another request will show it. */
function partsOf(parts: readonly KeyConditionPart[], request: QueryRequest): Part[] | undefined {
  const given = Object.entries(request.ExpressionAttributeValues ?? {})
  const found: Part[] = []
  for (const { name, operator, values } of parts) {
    const [same, another] = given.filter(([, { S }]) => S !== undefined && S === values[0]!.S)
    if (!same || another || values.length > 1) return undefined
    found.push({ name, operator, placeholder: same[0] })
  }
  return found
}

function fits({ table, index, names, placeholders }: Form, request: QueryRequest): boolean {
  const { ExpressionAttributeNames: aliases, ExpressionAttributeValues: values } = request
  if (request.TableName !== table || request.IndexName !== index) return false
  let left = names.size + placeholders.size
  for (const alias in aliases) {
    if (names.get(alias) !== aliases[alias]) return false
    left--
  }
  for (const placeholder in values) {
    if (!placeholders.has(placeholder) || !isText(values[placeholder]!)) return false
    left--
  }
  // Names that are given, and none, are a fault.
  return left === 0 && (aliases === undefined || names.size > 0)
}

function isText(value: NonNullable<QueryRequest['ExpressionAttributeValues']>[string] | null): boolean {
  if (value === null) return false
  for (const type in value) if (type !== 'S') return false
  const { S: text } = value
  return text !== undefined && text !== '' && text.length <= TEXT_MAX && text.isWellFormed()
}
