import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { hasAny } from '../schema/map-values.js'
import { chunksOf } from './chunks.js'
import { type Answer, type Answered, entriesOf, itemsIn, keyOfEntry } from './found.js'
import { byKey } from './identity.js'
import type { Draft, Drafted, Plan, Step } from './plan.js'
import { isLive } from './row.js'

/** A request to send, and of which step. */
export interface Sent {
  readonly step: number
  readonly request: Draft
}

/**
 * The requests of a read that can be sent now, all at once; none when it is done. The same plan and answers tell the
 * same requests: what was told is answered before more is asked for.
 */
export function next(layout: Layout, plan: Plan, answered: Answered, nowMs?: number): Sent[] {
  const open: Sent[] = []
  const finished: number[] = []
  for (const step of plan.steps) {
    if (!step.after.every(id => finished.includes(id))) continue
    const answers = answered[step.id]!
    const requests = step.pages
      ? nextPage(layout, step, answers, nowMs)
      : firstRequests(layout, step, answered, nowMs).slice(answers.length)
    if (!requests[0]) finished.push(step.id)
    for (const request of requests) open.push({ step: step.id, request })
  }
  return open
}

/** A page is followed by the next, until they end or enough is found. */
function nextPage(layout: Layout, step: Step, answers: readonly Answer[], nowMs: number | undefined): Draft[] {
  const last = answers.at(-1)
  if (!last) return [step.request]
  const { until } = step.pages!
  if (!last.LastEvaluatedKey) return []
  const { operation, input } = step.request
  const page: Record<string, unknown> = { ...input, ExclusiveStartKey: last.LastEvaluatedKey }
  if (until !== 'end') {
    const items = itemsIn(answers)
    const rows = items.filter(item => isLive(layout, item, nowMs)).length
    if (rows >= until) return []
    // Where rows are gone, as many more are likely to be: the pages grow.
    if (input.Limit) page.Limit = until + items.length - 2 * rows
  }
  return [{ operation, input: page }]
}

/** The request itself, or one for each chunk of what others found. */
function firstRequests(layout: Layout, step: Step, answered: Answered, nowMs: number | undefined): Draft[] {
  const { each, request } = step
  if (!each) return [request]
  const { name } = layout.design
  const { operation, input } = request
  const { entries } = entriesOf(layout, each.found, answered, nowMs)
  const keys = entries.map(entry => keyOfEntry(layout, each, entry))
  const once = [...byKey(layout, keys).values()].filter(hasAny)
  if (operation === 'getItem') return once.map(Key => ({ operation, input: { ...input, Key } }))
  const asked = (input.RequestItems as Record<string, Drafted>)[name]
  return chunksOf(once, BATCH_GET_KEYS).map(Keys => ({
    operation,
    input: { RequestItems: { [name]: { ...asked, Keys } } },
  }))
}
