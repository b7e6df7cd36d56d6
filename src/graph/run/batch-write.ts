import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import type { Plan, PlanStep } from '../../plan/plan.js'
import { failureKindOf } from '../../store/failure-kind.js'
import { forEachConcurrently } from './concurrency.js'
import { assertAllProcessed, readItemsByKey } from './read-items.js'
import { type RequestSender, resolveLostWrite, toStoreError } from './request-sender.js'
import { MAX_LOOKUPS, runWrite } from './run-write.js'

const CONCURRENCY = 8

/** A call of a batch that failed. */
export interface BatchFailure {
  readonly call: number
  readonly error: unknown
}

type BatchItem = { readonly PutRequest?: { readonly Item: Item }; readonly DeleteRequest?: { readonly Key: Key } }

/** Runs independent writes and returns the calls that failed. */
export async function runEachWrite(
  sender: RequestSender,
  plan: Plan,
  progress?: (done: number) => unknown,
): Promise<readonly BatchFailure[]> {
  const writes = plan.steps.filter(({ changes, batched }) => changes ?? batched)
  const failures: BatchFailure[] = []
  let done = 0
  await forEachConcurrently(writes, CONCURRENCY, async step => {
    const pending = { calls: step.calls! }
    try {
      await (step.changes ? runWrite(sender, plan, { step }) : runBatchWrite(sender, step, pending))
    } catch (error) {
      failures.push(...pending.calls.map(call => ({ call, error: toStoreError(error) })))
    }
    done += step.calls!.length
    await progress?.(done)
  })
  return failures.sort((a, b) => a.call - b.call)
}

/**
 * Runs a batch request. Items that the store leaves unprocessed fail, and the outcome of a lost response is looked
 * up. `pending.calls` always holds the calls that are not written yet.
 */
export async function runBatchWrite(
  sender: RequestSender,
  { request }: Pick<PlanStep, 'request'>,
  pending: { calls: readonly number[] },
): Promise<void> {
  const { layout } = sender.context
  const table = layout.design.name
  let items = (request.input.RequestItems as Record<string, BatchItem[]>)[table]!
  const callByKey = new Map(items.map((item, i) => [batchItemKey(layout, item), pending.calls[i]!]))
  const continueWith = (remaining: BatchItem[]) => {
    items = remaining
    pending.calls = items.map(item => callByKey.get(batchItemKey(layout, item))!)
  }
  for (let times = MAX_LOOKUPS; items[0]; times--) {
    try {
      const input = { RequestItems: { [table]: items } }
      const { UnprocessedItems = {} } = (await sender.send({ operation: 'batchWriteItem', input })) as {
        UnprocessedItems?: Record<string, BatchItem[]>
      }
      continueWith(UnprocessedItems[table] ?? [])
      assertAllProcessed(items)
    } catch (error) {
      if (failureKindOf(error) !== 'unknown' || times === 0) throw error
      continueWith(await resolveLostWrite(error, findUnwritten(sender, items)))
    }
  }
}

async function findUnwritten(sender: RequestSender, items: readonly BatchItem[]): Promise<BatchItem[]> {
  const { layout } = sender.context
  const { names } = layout
  const keys = items.map(item => keyOfItem(names, itemOrKeyOf(item)))
  const stored = await readItemsByKey(sender, layout, keys)
  return items.filter(item => {
    const found = stored.get(batchItemKey(layout, item))
    return item.PutRequest ? found?.[names.etag]?.S !== item.PutRequest.Item[names.etag]?.S : found
  })
}

const itemOrKeyOf = ({ PutRequest, DeleteRequest }: BatchItem): Item => PutRequest?.Item ?? DeleteRequest!.Key

const batchItemKey = (layout: Layout, item: BatchItem) => uniqueKeyTextOf(layout, itemOrKeyOf(item))
