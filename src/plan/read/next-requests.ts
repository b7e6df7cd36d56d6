import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import { hasEntries } from '../../schema/map-values.js'
import { chunksOf } from '../chunks.js'
import { indexByKey } from '../identity.js'
import type { Plan, PlanStep, RequestTemplate, TemplateInput } from '../plan.js'
import { isLive } from '../row.js'
import { entriesOf, itemsIn, keyOfEntry, type ReadResponse, type StepResponses } from './entries.js'

/** A request to send, and its step. */
export interface StepRequest {
  readonly step: number
  readonly request: RequestTemplate
}

/**
 * Returns the requests of a read that can be sent now, concurrently; an empty list means that the read is complete.
 * The result is deterministic for the same plan and responses. All returned requests need responses before the next
 * call.
 */
export function nextRequests(layout: Layout, plan: Plan, responses: StepResponses, nowMs?: number): StepRequest[] {
  const sendable: StepRequest[] = []
  const finished: number[] = []
  for (const step of plan.steps) {
    if (!step.after.every(id => finished.includes(id))) continue
    const received = responses[step.id]!
    const requests = step.pages
      ? nextPageRequests(layout, step, received, nowMs)
      : firstRequests(layout, step, responses, nowMs).slice(received.length)
    if (requests.length === 0) finished.push(step.id)
    for (const request of requests) sendable.push({ step: step.id, request })
  }
  return sendable
}

/** Returns the next page of a step until the last page, or until enough rows are found. */
function nextPageRequests(
  layout: Layout,
  step: PlanStep,
  responses: readonly ReadResponse[],
  nowMs: number | undefined,
): RequestTemplate[] {
  const last = responses.at(-1)
  if (!last) return [step.request]
  const { until } = step.pages!
  if (!last.LastEvaluatedKey) return []
  const { operation, input } = step.request
  const page: Record<string, unknown> = { ...input, ExclusiveStartKey: last.LastEvaluatedKey }
  if (until !== 'end') {
    const items = itemsIn(responses)
    const rows = items.filter(item => isLive(layout, item, nowMs)).length
    if (rows >= until) return []
    // Pages grow when rows are expired or deleted, because more of them are likely to follow.
    if (input.Limit) page.Limit = until + items.length - 2 * rows
  }
  return [{ operation, input: page }]
}

/** The request itself, or one request for each chunk of keys from earlier steps. */
function firstRequests(
  layout: Layout,
  step: PlanStep,
  responses: StepResponses,
  nowMs: number | undefined,
): RequestTemplate[] {
  const { deferredKeys, request } = step
  if (!deferredKeys) return [request]
  const { name } = layout.design
  const { operation, input } = request
  const { entries } = entriesOf(layout, deferredKeys.selection, responses, nowMs)
  const keys = entries.map(entry => keyOfEntry(layout, deferredKeys, entry))
  const uniqueKeys = [...indexByKey(layout, keys).values()].filter(hasEntries)
  if (operation === 'getItem') return uniqueKeys.map(Key => ({ operation, input: { ...input, Key } }))
  const members = (input.RequestItems as Record<string, TemplateInput>)[name]
  return chunksOf(uniqueKeys, BATCH_GET_KEYS).map(Keys => ({
    operation,
    input: { RequestItems: { [name]: { ...members, Keys } } },
  }))
}
