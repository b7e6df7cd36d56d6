import type { Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { type Answer, type Answered, answersOf, entriesOf, itemsIn, keyOfEntry, keyText } from './found.js'
import type { Draft, Drafted, Plan, Step } from './plan.js'
import { isLive } from './row.js'

/** A request to send, and which it is. */
export interface Sent {
  readonly step: number
  readonly part: number
  readonly request: Draft
}

/**
 * The requests of a read that can be sent now, all at once; none when it is done. The same plan and answers tell the
 * same requests: what was told is answered before more is asked for.
 */
export function next(layout: Layout, plan: Plan, answered: readonly Answered[], nowMs?: number): Sent[] {
  const finished = new Set<number>()
  return plan.steps.flatMap(step => {
    if (!step.after.every(id => finished.has(id))) return []
    const open = openRequests(layout, step, answered, nowMs)
    if (open.length === 0) finished.add(step.id)
    return open
  })
}

function openRequests(layout: Layout, step: Step, answered: readonly Answered[], nowMs: number | undefined): Sent[] {
  const answers = answersOf(answered, step.id)
  const requests = step.pages
    ? [...answers.map(() => step.request), ...nextPage(layout, step, answers, nowMs)]
    : [...firstRequests(layout, step, answered, nowMs), ...answers.flatMap(unprocessed)]
  return requests.slice(answers.length).map((request, i) => ({ step: step.id, part: answers.length + i, request }))
}

/** A page is followed by the next, until they end or enough is found. */
function nextPage(layout: Layout, step: Step, answers: readonly Answer[], nowMs: number | undefined): Draft[] {
  const last = answers.at(-1)
  if (!last) return [step.request]
  const { until } = step.pages!
  if (!last.LastEvaluatedKey) return []
  const { operation, input } = step.request
  const page = { ...input, ExclusiveStartKey: last.LastEvaluatedKey }
  if (until === 'end') return [{ operation, input: page }]
  const items = itemsIn(answers)
  const rows = items.filter(item => isLive(layout, item, nowMs)).length
  if (rows >= until) return []
  // Where rows have expired, as many more are likely to have: the pages grow.
  const expired = items.length - rows
  return [{ operation, input: input.Limit === undefined ? page : { ...page, Limit: until - rows + expired } }]
}

/** The request itself, or one for each chunk of what others found. */
function firstRequests(layout: Layout, step: Step, answered: readonly Answered[], nowMs: number | undefined): Draft[] {
  const { each, request } = step
  if (each?.of.late !== 'keys') return [request]
  const late = each.of
  const { entries } = entriesOf(layout, late.found, answered, nowMs)
  const keys = new Map<string, Key>()
  for (const entry of entries) {
    const key = keyOfEntry(layout, late, entry)
    keys.set(keyText(layout, key), key)
  }
  const all = [...keys.values()]
  return Array.from({ length: Math.ceil(all.length / each.chunk) }, (_, i) =>
    withKeys(request, all.slice(i * each.chunk, (i + 1) * each.chunk)),
  )
}

function withKeys({ operation, input }: Draft, keys: readonly Key[]): Draft {
  if (operation === 'getItem') return { operation, input: { ...input, Key: keys[0] } }
  const tables = Object.entries(input.RequestItems as Record<string, Drafted>)
  const RequestItems = Object.fromEntries(tables.map(([table, asked]) => [table, { ...asked, Keys: keys }]))
  return { operation, input: { RequestItems } }
}

/** What a batch did not get to is asked for again: it is not missing. */
function unprocessed({ UnprocessedKeys }: Answer): Draft[] {
  if (!UnprocessedKeys || Object.keys(UnprocessedKeys).length === 0) return []
  return [{ operation: 'batchGetItem', input: { RequestItems: UnprocessedKeys } }]
}
