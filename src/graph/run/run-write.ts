import type { Item } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import { hexOf } from '../../layout/keys/hex.js'
import { ownKindByName, uniqueKeyTextOf } from '../../plan/identity.js'
import type { ConditionOutcome, Plan, PlanStep, WriteSubject } from '../../plan/plan.js'
import { itemsIn, type ReadResponse } from '../../plan/read/entries.js'
import type { ReadItems } from '../../plan/write/effects/item-write.js'
import { changedImmutableOf } from '../../plan/write/effects/own-item.js'
import { isRepeated, keysToRead } from '../../plan/write/plan-changes.js'
import { refusalError } from '../../plan/write/refusals.js'
import { completeWrite, conditionOutcomeOf, type WriteToSend } from '../../plan/write/request.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { chooseDelayMs } from '../../store/backoff.js'
import { failureKindOf } from '../../store/failure-kind.js'
import { readItemsByKey } from './read-items.js'
import { type RequestSender, resolveLostWrite } from './request-sender.js'

/** The number of lookups and retries of a write with unknown outcome, and of the rest of a batch. */
export const MAX_LOOKUPS = 5
const TOKEN_BYTES = 18

/** The row's own item before and after a write, where the plan or the store provides it. */
export interface WriteResult {
  readonly old?: Item | undefined
  readonly new?: Item | undefined
  /** The response with the old row was lost. */
  readonly isOldRowLost?: boolean
}

interface RunWriteOptions {
  /** The step of the plan, by default the last. */
  readonly step?: PlanStep
  /** Whether the plan is that of several calls, so that an error has the number of the failed call. */
  readonly several?: boolean
  /** Completes a write that depends on items. */
  readonly complete?: typeof completeWrite
}

/** Runs a write step of a plan. */
export async function runWrite(
  sender: RequestSender,
  plan: Plan,
  { step = plan.steps.at(-1)!, several = false, complete = completeWrite }: RunWriteOptions = {},
): Promise<WriteResult> {
  try {
    return await runWriteStep(sender, plan, step, complete)
  } catch (error) {
    if (!several && error instanceof GraphError) delete (error.details as { call?: number }).call
    throw error
  }
}

/** Reads the items that a write needs, sends the write, and repeats both after a concurrent change. */
async function runWriteStep(
  sender: RequestSender,
  plan: Plan,
  step: PlanStep,
  complete: typeof completeWrite,
): Promise<WriteResult> {
  const reads = step.after.map(id => plan.steps[id]!)
  const { layout, backoff } = sender.context
  const maxAttempts = step.retry ? Math.max(step.retry.times, backoff.attempts) : 1
  for (let attempt = 1; ; attempt++) {
    const prepared = step.writeRequest ?? complete(layout, step, await readPriorItems(sender, reads))
    if (!prepared) return {}
    const outcome = await sendWrite(sender, prepared)
    const { conditionOutcome, index = 0 } = outcome
    if (conditionOutcome === undefined) return outcome
    const itemWrite = prepared.itemWrites[index]!
    const { subject } = itemWrite
    if (conditionOutcome === 'nothing' || (conditionOutcome === 'done' && subject.call < 0)) return {}
    // The write was repeated after a lost response and found its own result.
    if (conditionOutcome === 'done') return { old: prepared.old, new: outcome.new, isOldRowLost: !prepared.old }
    if (conditionOutcome === 'write.exists')
      throw refusalError(conditionOutcome, existingSubject(sender, subject, outcome.new))
    if (conditionOutcome === 'write.immutable')
      throw refusalError(conditionOutcome, subject, changedImmutableOf(itemWrite, outcome.new))
    if (conditionOutcome !== 'retry') throw refusalError(conditionOutcome, subject)
    if (attempt >= maxAttempts)
      throw new GraphError(
        'write.contended',
        `${subject.type}: the item kept changing in all ${attempt} attempts; retry later.`,
      )
    // A delay prevents concurrent calls from colliding again.
    await waitBeforeRetry(sender, attempt)
  }
}

/** Waits before a retry, longer with each attempt. When the deadline comes first, the next request is rejected. */
export const waitBeforeRetry = ({ context: { backoff }, signal }: RequestSender, attempt: number): Promise<void> =>
  backoff.clock.sleep(chooseDelayMs(attempt, backoff), signal).catch(() => {})

/** The row that a create found. A node with at most one edge may have a different edge than the given one. */
function existingSubject(
  { context: { layout } }: RequestSender,
  subject: WriteSubject,
  item: Item | undefined,
): WriteSubject {
  const { type } = ownKindByName(layout, subject.type)
  const identity = mapValues(
    subject.identity,
    (requested, slot) => item?.[layout.names.attributeOf(type, slot)] ?? requested,
  )
  return { ...subject, identity }
}

/** Reads the items that steps need, including the information which of them do not exist. */
async function readPriorItems(sender: RequestSender, steps: readonly PlanStep[]): Promise<ReadItems> {
  const { layout } = sender.context
  const priorItems = new Map<string, Item | null>()
  for (const { request } of steps)
    for (let keys = keysToRead(layout, request, priorItems); keys.length > 0; ) {
      for (const key of keys) priorItems.set(uniqueKeyTextOf(layout, key), null)
      const found =
        request.operation === 'getItem'
          ? itemsIn([(await sender.send(request)) as ReadResponse])
          : (await readItemsByKey(sender, layout, keys)).values()
      for (const item of found) priorItems.set(uniqueKeyTextOf(layout, item), item)
      keys = isRepeated(request) ? keysToRead(layout, request, priorItems) : []
    }
  return priorItems
}

interface WriteOutcome extends WriteResult {
  readonly conditionOutcome?: ConditionOutcome
  /** The index of the refused item write; 0 by default. */
  readonly index?: number
}

/** Sends one write until its outcome is known. */
async function sendWrite(sender: RequestSender, prepared: WriteToSend): Promise<WriteOutcome> {
  const { operation, input } = prepared.request
  const { ReturnValues } = input
  const isTransaction = operation === 'transactWriteItems'
  // A ClientRequestToken allows only identical bytes to be repeated, so each write gets a new one.
  const request = isTransaction
    ? { operation, input: { ...input, ClientRequestToken: hexOf(sender.context.environment.random(TOKEN_BYTES)) } }
    : prepared.request
  const [{ onConditionFailed: ownOutcome, newEtag, expectedEtag }] = prepared.itemWrites as [
    WriteToSend['itemWrites'][number],
  ]
  let lost: unknown
  for (let lookupsLeft = MAX_LOOKUPS; ; lookupsLeft--) {
    try {
      const { Attributes } = (await sender.send(request)) as { Attributes?: Item }
      return {
        old: ReturnValues === 'ALL_OLD' ? Attributes : prepared.old,
        new: ReturnValues === 'ALL_NEW' ? Attributes : prepared.new,
      }
    } catch (error) {
      const refused = conditionFailureOf(sender, prepared, error as FailedRequest)
      // After the lost request, concurrent writes may have changed the item, so an additive write is not
      // repeated.
      if (lost && prepared.isAdditive && refused?.conditionOutcome === 'retry') throw lost
      if (refused) return refused
      if (failureKindOf(error) !== 'unknown' || (isTransaction && prepared.proof)) throw error
      // A transaction without an etag to check is read again, and written if it still has an effect.
      if (isTransaction) return { conditionOutcome: 'retry' }
      const lookedUpResult = await resolveLostWrite(error, lookUpWrite(sender, prepared))
      // The first request may have been refused, and another call may have deleted the item since.
      if (lookedUpResult && ownOutcome === 'write.condition' && !newEtag) throw error
      if (lookedUpResult) return { ...lookedUpResult, isOldRowLost: ReturnValues === 'ALL_OLD' }
      // A write conditioned on the etag that was read can be repeated, because it fails after any change. An
      // additive write without this condition cannot.
      if ((prepared.isAdditive && expectedEtag === undefined) || lookupsLeft === 0) throw error
      lost = error
    }
  }
}

/** Looks up whether a write with a lost response was applied: its etag is stored, or the deleted item is missing. */
async function lookUpWrite(
  sender: RequestSender,
  { proof: evidence, old, new: newItem }: WriteToSend,
): Promise<WriteResult | undefined> {
  if (!evidence) return undefined
  const { layout } = sender.context
  const [item] = (await readItemsByKey(sender, layout, [evidence.key])).values()
  const isDone = evidence.newEtag ? item?.[layout.names.etag]?.S === evidence.newEtag : !item
  return isDone ? { old, new: newItem ?? item } : undefined
}

interface FailedRequest extends Partial<ServiceException> {
  readonly Item?: Item
}

/** Interprets a failed condition. An item that differs from the version that was read means a concurrent change. */
function conditionFailureOf(
  sender: RequestSender,
  prepared: WriteToSend,
  error: FailedRequest,
): WriteOutcome | undefined {
  const { name, Item, CancellationReasons: reasons = [{ Code: name, Item }] } = error
  // For a single write, the condition failure is an exception of that name.
  const index = reasons.findIndex(({ Code }) => /^ConditionalCheckFailed/.test(`${Code}`))
  if (index < 0) return undefined
  const currentItem = reasons[index]!.Item
  const { layout, environment } = sender.context
  return {
    conditionOutcome: conditionOutcomeOf(layout, prepared, index, currentItem, environment.now()),
    index,
    new: currentItem,
  }
}
