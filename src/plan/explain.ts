import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Price } from './plan.js'
import type { PricedPlan, PricedStep } from './price/plan-price.js'
import { ASSUMED_SIZES, type Sizes, totalPrice } from './price/read-price.js'

/** A step of an explained call: its request, and what it costs. */
export interface ExplainedStep extends Pick<PricedStep, 'id' | 'after' | 'price'> {
  /** The name of the operation in the DynamoDB API. */
  readonly operation: string
  /** The index that the step reads; undefined for the table. */
  readonly index: string | undefined
  /** A description of the request in words. */
  readonly asks: string
  readonly notes: readonly string[]
}

type Total = Omit<Price, 'consistency'>

/** A plan in readable form: each step, and the total price. */
export interface PlanExplanation {
  readonly steps: readonly ExplainedStep[]
  readonly total: Total
  toString(): string
}

/** Explains a plan that was priced with the same `sizes`. */
export function explain({ steps }: PricedPlan, sizes: Sizes = {}): PlanExplanation {
  const explained = steps.map(explainStep)
  const total = totalPrice(steps.map(({ price }) => price))
  const summary =
    steps.length > 0 ? `Total: ${priceWords(total)}${assumptionsOf(steps, sizes)}.` : 'Total: no requests.'
  return { steps: explained, total, toString: () => [...explained.map(stepText), summary].join('\n') }
}

/** The members of a request that the explanation shows, for reads of single items, batches and ranges alike. */
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
}: PricedStep): ExplainedStep {
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

/** Replaces the placeholders of an expression by their names and values. */
const fillPlaceholders = (
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: ExpressionMembers,
  expression: string,
) => expression.replace(/[#:]\w+/g, each => names?.[each] ?? (values?.[each] ? valueWords(values[each]) : each))

const valueWords = ({ S, N = '…' }: AttributeValue) => (S === undefined ? N : JSON.stringify(S))

function stepText({ id, after, operation, index, asks, price, notes }: ExplainedStep): string {
  const where = index ? `the index ${index}` : 'the table'
  const precedingSteps = after.map(step => step + 1).join(', ')
  const { consistency } = price
  const how =
    consistency === 'transactional' ? ', in a transaction' : consistency ? `, ${consistency}ly consistent` : ''
  const lines = [priceWords(price) + how, ...notes]
  return [
    `${id + 1}. ${operation} on ${where}${precedingSteps && `, after ${precedingSteps}`}${asks && `: ${asks}`}`,
    ...lines,
  ].join('\n   ')
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

/** The assumptions behind the price, for the sizes that the caller did not give. */
function assumptionsOf(steps: readonly PricedStep[], { items, itemBytes, existing }: Sizes): string {
  const reads = steps.filter(({ price }) => price.consistency)
  const some = items === undefined && reads.some(({ pages }) => pages) ? `${ASSUMED_SIZES.items} ` : ''
  const large =
    reads.length > 0 && !itemBytes && !(existing && steps.at(-1)!.changes) ? ` of ${ASSUMED_SIZES.itemBytes} bytes` : ''
  return some + large && ` (assuming ${some}items${large})`
}

const pluralize = (n: number, name: string) => `${n} ${name}${n === 1 ? '' : 's'}`
