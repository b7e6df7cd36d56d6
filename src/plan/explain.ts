import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Draft, Drafted, Plan, Price, Step } from './plan.js'
import { totalPrice } from './price.js'

export interface ExplainedStep {
  readonly id: number
  readonly after: readonly number[]
  /** The operation by DynamoDB's own name. */
  readonly operation: string
  /** Undefined where it is the table itself. */
  readonly index: string | undefined
  /** What it asks for, in words. */
  readonly asks: string
  readonly price: Price
  readonly notes: readonly string[]
}

/** A plan for people: each step, and what they take together. */
export interface Explained {
  readonly steps: readonly ExplainedStep[]
  readonly total: Omit<Price, 'consistency'>
  toString(): string
}

export function explain(plan: Plan): Explained {
  const steps = plan.steps.map(explainStep)
  const total = totalPrice(plan.steps.map(({ price }) => price))
  return { steps, total, toString: () => [...steps.flatMap(stepLines), totalLine(steps, total)].join('\n') }
}

function explainStep({ id, after, request, each, price, notes = [] }: Step): ExplainedStep {
  const { operation, input } = request
  const chunk = each ? `, in chunks of ${each.chunk}` : ''
  return {
    id,
    after,
    operation: operation[0]!.toUpperCase() + operation.slice(1),
    index: input.IndexName as string | undefined,
    asks: each && operation !== 'getItem' ? `the keys that were found${chunk}` : asks(request),
    price,
    notes,
  }
}

function asks({ operation, input }: Draft): string {
  if (operation === 'query' || operation === 'scan') return queryWords(input)
  if (operation === 'getItem')
    return input.Key ? keyWords(input.Key as Record<string, AttributeValue>) : 'the key found'
  const asked = Object.values((input.RequestItems ?? {}) as Record<string, Drafted>)
  const count = asked.reduce((sum, { Keys }) => sum + (Array.isArray(Keys) ? Keys.length : 0), 0)
  return operation === 'batchGetItem' ? counted(count, 'key') : ''
}

/** The expressions with names and values in place of their placeholders. */
function queryWords(input: Drafted): string {
  const names = (input.ExpressionAttributeNames ?? {}) as Record<string, string>
  const values = (input.ExpressionAttributeValues ?? {}) as Record<string, AttributeValue>
  const plain = (expression: unknown) =>
    String(expression).replace(/[#:][\w]+/g, placeholder => {
      const value = values[placeholder]
      return names[placeholder] ?? (value ? valueWords(value) : placeholder)
    })
  return [
    ...(input.KeyConditionExpression === undefined ? ['everything'] : [plain(input.KeyConditionExpression)]),
    ...(input.FilterExpression === undefined ? [] : [`filter ${plain(input.FilterExpression)}`]),
    ...(input.ScanIndexForward === false ? ['backwards'] : []),
    ...(input.Limit === undefined ? [] : [`at most ${input.Limit}`]),
    ...(input.Select === 'COUNT' ? ['count only'] : []),
    ...(input.ExclusiveStartKey === undefined ? [] : ['from a cursor']),
  ].join(', ')
}

const keyWords = (key: Record<string, AttributeValue>) =>
  Object.entries(key)
    .map(([name, value]) => `${name} = ${valueWords(value)}`)
    .join(' AND ')

const valueWords = (value: AttributeValue) => (value.S === undefined ? String(value.N ?? '…') : JSON.stringify(value.S))

function stepLines({ id, after, operation, index, asks: asked, price, notes }: ExplainedStep): string[] {
  const when = after.length > 0 ? `, after ${after.map(step => step + 1).join(', ')}` : ''
  const where = index === undefined ? 'the table' : `the index ${index}`
  return [
    `${id + 1}. ${operation} on ${where}${when}: ${asked}`,
    `   ${priceWords(price)}${price.consistency === undefined ? '' : `, ${consistencyWords[price.consistency]}`}`,
    ...notes.map(note => `   ${note}`),
  ]
}

const consistencyWords = {
  eventual: 'eventually consistent',
  strong: 'strongly consistent',
  transactional: 'in a transaction',
}

function priceWords({ requests, read, write }: Omit<Price, 'consistency'>): string {
  const sum = (units: Readonly<Record<string, number>>) => Object.values(units).reduce((all, each) => all + each, 0)
  const amounts = [
    [sum(read), 'read unit'],
    [sum(write), 'write unit'],
  ] as const
  return [counted(requests, 'request'), ...amounts.flatMap(([n, name]) => (n > 0 ? [counted(n, name)] : []))].join(', ')
}

function totalLine(steps: readonly ExplainedStep[], total: Omit<Price, 'consistency'>): string {
  return steps.length === 0 ? 'Nothing is sent.' : `Together ${priceWords(total)}.`
}

const counted = (n: number, name: string) => `${n} ${name}${n === 1 ? '' : 's'}`
