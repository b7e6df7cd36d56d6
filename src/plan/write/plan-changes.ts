import type { Key } from '../../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { assertTransactionSize, chunksOf } from '../chunks.js'
import { indexByKey, keyOfItem } from '../identity.js'
import type { Deferred, Plan, PlannedChange, PlanStep, Receipt, RequestTemplate } from '../plan.js'
import { getItemStep } from '../read/item.js'
import { readStep } from '../step.js'
import { traitsOf } from '../type-traits.js'
import { ascend, isTreePut } from './ancestors.js'
import { dependentKeysOf } from './effects/apply-changes.js'
import type { ReadItems } from './effects/item-write.js'
import { priorReadsOf } from './prior-reads.js'
import { completeWrite } from './request.js'

/** The number of attempts before a write gives up because of concurrent changes. */
const MAX_ATTEMPTS = 10

const NO_ANSWER = { shape: 'nothing' } as const

/** Plans changes in one request. When the request depends on stored items, a read precedes it. */
export function planChanges(layout: Layout, changes: readonly PlannedChange[], receipt?: Receipt): Plan {
  const isTransaction = changes.length > 1 || receipt !== undefined
  const keys: Key[] = []
  const withDependentKeys: PlannedChange[] = []
  for (const change of changes) {
    const reads = priorReadsOf(traitsOf(layout, change.type), change, isTransaction)
    keys.push(...reads.keys)
    if (reads.hasDependentKeys) withDependentKeys.push(change)
  }
  if (keys.length === 0) return planBlindWrite(layout, changes, receipt)
  assertTransactionSize('write.transaction', changes.length + (receipt ? 1 : 0))
  // A repeated call may find that the rows of the completed transaction no longer exist, so the receipt is read
  // too.
  if (receipt) keys.push(keyOfItem(layout.names, receipt.item))
  const reads = priorReadSteps(layout, [...indexByKey(layout, keys).values()], withDependentKeys, changes)
  const write: PlanStep = {
    id: reads.length,
    after: reads.map(({ id }) => id),
    request: {
      operation: 'transactWriteItems',
      input: { TransactItems: changes.map((change): Deferred => ({ deferred: 'change', change })) },
    },
    changes,
    receipt,
    retry: { on: 'condition', from: 0, times: MAX_ATTEMPTS },
    notes: notesOf(layout, changes),
  }
  return { steps: [...reads, write], answer: NO_ANSWER }
}

/** Remarks on costs that the price of the requests does not show. */
function notesOf(layout: Layout, changes: readonly PlannedChange[]): string[] {
  const edges = changes.map(({ type, verb }) => ({ type: traitsOf(layout, type).type as DeclaredEdge, verb }))
  const changesClosure = edges.some(
    ({ type, verb }) => type.closure !== undefined && /^(put|create|delete)$/.test(verb),
  )
  return [
    ...(edges.some(({ type }) => type.embed?.[0]) ? ['whole items are read and written'] : []),
    ...(changesClosure ? ['the consumer then updates the closure of the child and of every node below it'] : []),
  ]
}

/** A write that depends on no stored item is complete when it is planned. */
function planBlindWrite(layout: Layout, changes: readonly PlannedChange[], receipt: Receipt | undefined): Plan {
  const writeRequest = completeWrite(layout, { changes, receipt })
  if (!writeRequest) return { steps: [], answer: NO_ANSWER }
  const { request } = writeRequest
  return { steps: [{ id: 0, after: [], request, changes, receipt, writeRequest }], answer: NO_ANSWER }
}

function priorReadSteps(
  layout: Layout,
  keys: readonly Key[],
  withDependentKeys: readonly PlannedChange[],
  all: readonly PlannedChange[],
): PlanStep[] {
  const climbing = all.filter(change => isTreePut(traitsOf(layout, change.type), change))
  const options = { consistent: true }
  const steps =
    keys.length === 1
      ? [getItemStep(layout, 0, options, keys[0]!)]
      : chunksOf(keys, BATCH_GET_KEYS).map((Keys, id) =>
          readStep(layout, id, 'batchGetItem', { Keys }, options, Keys.length),
        )
  const after = steps.map(({ id }) => id)
  if (climbing.length > 0) {
    const Keys: Deferred = { deferred: 'ancestors', changes: climbing, all }
    const more = { after, notes: ['one request for each further level up to the root of the tree'] }
    steps.push(readStep(layout, steps.length, 'batchGetItem', { Keys }, options, 0, more))
  }
  if (withDependentKeys.length === 0) return steps
  // A put is assumed to write a new row.
  const expected = withDependentKeys.filter(({ verb }) => verb !== 'put' && verb !== 'create')
  const more = { after, notes: ['items that the previous items refer to'] }
  const Keys: Deferred = { deferred: 'dependentKeys', changes: withDependentKeys }
  return [...steps, readStep(layout, steps.length, 'batchGetItem', { Keys }, options, expected.length, more)]
}

type DependentKeys = Extract<Deferred, { readonly deferred: 'dependentKeys' | 'ancestors' }>

/** Whether a read before a write is repeated with further keys until none are left. */
export const isRepeated = ({ input }: RequestTemplate): boolean => {
  const { Keys } =
    Object.values((input.RequestItems ?? {}) as Record<string, { Keys: readonly Key[] | DependentKeys }>)[0] ?? {}
  return Keys !== undefined && 'deferred' in Keys && Keys.deferred === 'ancestors'
}

/** The keys that a read before a write requests, given the items read so far. Without keys the read is not sent. */
export function keysToRead(layout: Layout, { input }: RequestTemplate, readItems: ReadItems): readonly Key[] {
  if (input.Key) return [input.Key as Key]
  const { Keys } = (input.RequestItems as Record<string, { Keys: readonly Key[] | DependentKeys }>)[layout.design.name]!
  if (!('deferred' in Keys)) return Keys
  const keys = Keys.changes.flatMap(change =>
    Keys.deferred === 'ancestors'
      ? (ascend(layout, change, Keys.all, readItems).unread ?? [])
      : dependentKeysOf(layout, change, readItems),
  )
  return [...indexByKey(layout, keys).values()]
}
