import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { byKey, keyOf, keyText } from '../plan/identity.js'
import type { Plan, Step } from '../plan/plan.js'
import { failureOf } from '../store/failures.js'
import { inTurn } from './in-turn.js'
import { refuseLeft } from './reading.js'
import { lookedUp, type Sending, storeError } from './sending.js'
import { readBatch, SETTLINGS, write } from './writing.js'

const CONCURRENCY = 8

/** A call of a batch that was not done. */
export interface Failure {
  readonly call: number
  readonly error: unknown
}

type Part = { readonly PutRequest?: { readonly Item: Item }; readonly DeleteRequest?: { readonly Key: Key } }

/** Runs writes that are done each for itself, and tells which were not. */
export async function writeEach(
  sending: Sending,
  plan: Plan,
  progress?: (done: number) => unknown,
): Promise<readonly Failure[]> {
  // Only what reads has a consistency.
  const writes = plan.steps.filter(({ price }) => !price.consistency)
  const failures: Failure[] = []
  let done = 0
  await inTurn(writes, CONCURRENCY, async step => {
    const left = { calls: step.calls! }
    try {
      await (step.changes ? write(sending, plan, { step }) : writeBatch(sending, step, left))
    } catch (error) {
      failures.push(...left.calls.map(call => ({ call, error: storeError(error) })))
    }
    done += step.calls!.length
    await progress?.(done)
  })
  return failures.sort((a, b) => a.call - b.call)
}

/** What the store left undone is not done, and what became of a lost answer is looked up. `left`: the calls that are to be done. */
export async function writeBatch(
  sending: Sending,
  { request }: Pick<Step, 'request'>,
  left: { calls: readonly number[] },
): Promise<void> {
  const { layout } = sending.context
  const table = layout.design.name
  let parts = (request.input.RequestItems as Record<string, Part[]>)[table]!
  const callOf = new Map(parts.map((part, i) => [textOf(layout, part), left.calls[i]!]))
  const goOnWith = (rest: Part[]) => {
    parts = rest
    left.calls = parts.map(part => callOf.get(textOf(layout, part))!)
  }
  for (let times = SETTLINGS; parts[0]; times--) {
    try {
      const input = { RequestItems: { [table]: parts } }
      const { UnprocessedItems = {} } = (await sending.send({ operation: 'batchWriteItem', input })) as {
        UnprocessedItems?: Record<string, Part[]>
      }
      goOnWith(UnprocessedItems[table] ?? [])
      refuseLeft(parts)
    } catch (error) {
      if (failureOf(error) !== 'unknown' || times === 0) throw error
      goOnWith(await lookedUp(error, undone(sending, parts)))
    }
  }
}

async function undone(sending: Sending, parts: readonly Part[]): Promise<Part[]> {
  const { layout } = sending.context
  const { names } = layout
  const keys = parts.map(part => keyOf(names, itemOf(part)))
  const there = byKey(layout, await readBatch(sending, keys))
  return parts.filter(part => {
    const found = there.get(textOf(layout, part))
    return part.PutRequest ? found?.[names.etag]?.S !== part.PutRequest.Item[names.etag]?.S : found
  })
}

const itemOf = ({ PutRequest, DeleteRequest }: Part): Item => PutRequest?.Item ?? DeleteRequest!.Key

const textOf = (layout: Layout, part: Part) => keyText(layout, itemOf(part))
