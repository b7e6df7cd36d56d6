import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Plan, PlanStep, Price } from './plan.js'
import { ASSUMED_SIZES, type Sizes, totalPrice } from './price/read-price.js'

export interface ExplainedStep extends Pick<PlanStep, 'id' | 'after' | 'price'> {
  /** The operation by DynamoDB's own name. */
  readonly operation: string
  /** Undefined where it is the table itself. */
  readonly index: string | undefined
  /** What it asks for, in words. */
  readonly asks: string
  readonly notes: readonly string[]
}

type Total = Omit<Price, 'consistency'>

/** A plan for people: each step, and what they take together. */
export interface PlanExplanation {
  readonly steps: readonly ExplainedStep[]
  readonly total: Total
  toString(): string
}

/** `sizes`: what the caller said that prices rest on; the rest is assumed. */
export function explain({ steps }: Plan, sizes: Sizes = {}): PlanExplanation {
  const explained = steps.map(explainStep)
  const total = totalPrice(steps.map(({ price }) => price))
  const summary = steps[0] ? `Total: ${priceWords(total)}${assumptionsOf(steps, sizes)}.` : 'Total: no requests.'
  return { steps: explained, total, toString: () => [...explained.map(stepText), summary].join('\n') }
}

/** The members of a request that are of interest, whether it reads one item, several or a stretch. */
interface ExpressionMembers {
  readonly [expression: `${string}Expression`]: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>
  readonly Key?: Readonly<Record<string, AttributeValue>>
  readonly Keys?: readonly unknown[]
}

function explainStep({
  id,
  after,
  price,
  deferredKeys,
  request: { operation, input },
  notes = [],
}: PlanStep): ExplainedStep {
  const members = (input.RequestItems ? Object.values(input.RequestItems)[0] : input) as ExpressionMembers
  const { Key, KeyConditionExpression: key, FilterExpression: filter, ProjectionExpression: only } = members
  const keys = operation === 'transactGetItems' ? input.TransactItems : members.Keys
  const words = [
    operation === 'scan' && 'everything',
    deferredKeys &&
      (operation === 'batchGetItem' ? `the keys found, in batches of ${BATCH_GET_KEYS}` : 'the key found'),
    Array.isArray(keys) && pluralize(keys.length, 'key'),
    Key &&
      Object.entries(Key)
        .map(([name, value]) => `${name} = ${valueWords(value)}`)
        .join(' AND '),
    key && fillPlaceholders(members, key),
    filter && `filter ${fillPlaceholders(members, filter)}`,
    only && `only ${fillPlaceholders(members, only)}`,
    input.ScanIndexForward === false && 'backwards',
    input.Limit && `at most ${input.Limit}`,
    input.Select && 'count only',
    input.ExclusiveStartKey && 'from a cursor',
  ]
  const costs = [
    operation === 'scan' && 'the whole table is read and billed',
    key && filter && 'items that the filter removes are read and billed too',
    only && 'whole items are read and billed',
  ]
  return {
    id,
    after,
    price,
    operation: operation[0]!.toUpperCase() + operation.slice(1),
    index: input.IndexName as string | undefined,
    asks: words.filter(Boolean).join(', '),
    notes: [...notes, ...(costs.filter(Boolean) as string[])],
  }
}

/** An expression with names and values in place of their placeholders. */
const fillPlaceholders = (
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: ExpressionMembers,
  expression: string,
) => expression.replace(/[#:]\w+/g, each => names?.[each] ?? (values?.[each] ? valueWords(values[each]) : each))

const valueWords = ({ S, N = '…' }: AttributeValue) => (S === undefined ? N : JSON.stringify(S))

function stepText({ id, after, operation, index, asks, price, notes }: ExplainedStep): string {
  const where = index ? `the index ${index}` : 'the table'
  const others = after.map(step => step + 1).join(', ')
  const { consistency } = price
  const how =
    consistency === 'transactional' ? ', in a transaction' : consistency ? `, ${consistency}ly consistent` : ''
  const lines = [priceWords(price) + how, ...notes]
  return [`${id + 1}. ${operation} on ${where}${others && `, after ${others}`}${asks && `: ${asks}`}`, ...lines].join(
    '\n   ',
  )
}

function priceWords({ requests, read, write }: Total): string {
  const units = (of: Readonly<Record<string, number>>, name: string) => {
    const places = Object.entries(of)
    const sum = places.reduce((all, [, each]) => all + each, 0)
    const where = places[1] ? ` (${places.map(each => each.join(' ')).join(', ')})` : ''
    return sum ? `, ${pluralize(sum, name)}${where}` : ''
  }
  return pluralize(requests, 'request') + units(read, 'read unit') + units(write, 'write unit')
}

/** What the price rests on, where the caller did not say it. */
function assumptionsOf(steps: readonly PlanStep[], { items, itemBytes, existing }: Sizes): string {
  const reads = steps.filter(({ price }) => price.consistency)
  const some = items === undefined && reads.some(({ pages }) => pages) ? `${ASSUMED_SIZES.items} ` : ''
  const large =
    reads[0] && !itemBytes && !(existing && steps.at(-1)!.changes) ? ` of ${ASSUMED_SIZES.itemBytes} bytes` : ''
  return some + large && ` (assuming ${some}items${large})`
}

const pluralize = (n: number, name: string) => `${n} ${name}${n === 1 ? '' : 's'}`
