import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import { hexOf } from '../../layout/keys/hex.js'
import { chunksOf } from '../../plan/chunks.js'
import { ownKindByName, uniqueKeyTextOf } from '../../plan/identity.js'
import type { ConditionOutcome, Plan, PlanStep, WriteSubject } from '../../plan/plan.js'
import { itemsIn, type ReadResponse } from '../../plan/read/entries.js'
import type { ReadItems } from '../../plan/write/effects/item-write.js'
import { resolveWrite } from '../../plan/write/operations.js'
import { keysToRead } from '../../plan/write/plan-changes.js'
import { refusalError } from '../../plan/write/refusals.js'
import { conditionOutcomeOf, type WriteToSend } from '../../plan/write/request.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { chooseDelayMs } from '../../store/backoff.js'
import { failureKindOf } from '../../store/failure-kind.js'
import { type RequestSender, resolveLostWrite } from './request-sender.js'
import { assertAllProcessed } from './run-read.js'

/** How often an outcome that nobody knows is looked up and the write, or the rest of a batch, sent again. */
export const MAX_LOOKUPS = 5
const TOKEN_BYTES = 18

/** The own item of what was written, before and after, where the plan or the store tells. */
export interface WriteResult {
  readonly old?: Item | undefined
  readonly new?: Item | undefined
  /** The answer that told the one before was lost. */
  readonly isOldRowLost?: boolean
}

/** Runs a writing step of a plan, the last unless said. Of several calls, an error says which it was. */
export async function runWrite(
  sender: RequestSender,
  plan: Plan,
  { step = plan.steps.at(-1)!, several = false }: { readonly step?: PlanStep; readonly several?: boolean } = {},
): Promise<WriteResult> {
  try {
    return await runWriteStep(sender, plan, step)
  } catch (error) {
    if (!several && error instanceof GraphError) delete (error.details as { call?: number }).call
    throw error
  }
}

/** Reads what it needs, fills it in, sends it, and again where the ground has moved. */
async function runWriteStep(sender: RequestSender, plan: Plan, step: PlanStep): Promise<WriteResult> {
  const reads = step.after.map(id => plan.steps[id]!)
  const { layout, backoff } = sender.context
  const maxAttempts = step.retry ? Math.max(step.retry.times, backoff.attempts) : 1
  for (let attempt = 1; ; attempt++) {
    const prepared = resolveWrite(layout, step, reads[0] && (await readPriorItems(sender, reads)))
    if (!prepared) return {}
    const outcome = await sendWrite(sender, prepared)
    const { conditionOutcome, index = 0 } = outcome
    if (conditionOutcome === undefined) return outcome
    const subject = prepared.itemWrites[index]!.subject
    if (conditionOutcome === 'nothing' || (conditionOutcome === 'done' && subject.call < 0)) return {}
    // It was sent again after a lost answer, and found what it had written.
    if (conditionOutcome === 'done') return { old: prepared.old, new: outcome.new, isOldRowLost: !prepared.old }
    if (conditionOutcome === 'write.exists')
      throw refusalError(conditionOutcome, existingSubject(sender, subject, outcome.new))
    if (conditionOutcome !== 'retry') throw refusalError(conditionOutcome, subject)
    if (attempt >= maxAttempts) throw new GraphError('write.contended', 'others changed it each time: try later')
    // Those that met would meet again.
    await waitBeforeRetry(sender, attempt)
  }
}

/** Waits the longer, the more often it was tried. Where the call may not wait so long, its next request is refused. */
export const waitBeforeRetry = ({ context: { backoff }, signal }: RequestSender, attempt: number): Promise<void> =>
  backoff.clock.sleep(chooseDelayMs(attempt, backoff), signal).catch(() => {})

/** What a create has found: the one edge that a node may have can be another than the one that was asked for. */
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

/** What is there of all that steps ask for, and what is not. */
async function readPriorItems(sender: RequestSender, steps: readonly PlanStep[]): Promise<ReadItems> {
  const { layout } = sender.context
  const priorItems = new Map<string, Item | null>()
  for (const { request } of steps)
    for (const keys of chunksOf(keysToRead(layout, request, priorItems), BATCH_GET_KEYS)) {
      for (const key of keys) priorItems.set(uniqueKeyTextOf(layout, key), null)
      const isOne = request.operation === 'getItem'
      const items = isOne
        ? itemsIn([(await sender.send(request)) as ReadResponse])
        : await readConsistently(sender, keys)
      for (const item of items) priorItems.set(uniqueKeyTextOf(layout, item), item)
    }
  return priorItems
}

export async function readConsistently(sender: RequestSender, Keys: readonly Key[]): Promise<readonly Item[]> {
  const table = sender.context.layout.design.name
  const input = { RequestItems: { [table]: { Keys, ConsistentRead: true } } }
  const answer = (await sender.send({ operation: 'batchGetItem', input })) as ReadResponse
  assertAllProcessed(answer.UnprocessedKeys)
  return itemsIn([answer])
}

interface WriteOutcome extends WriteResult {
  readonly conditionOutcome?: ConditionOutcome
  /** Which part of the request was refused; the first unless said. */
  readonly index?: number
}

/** One write, sent until it is known what became of it. */
async function sendWrite(sender: RequestSender, prepared: WriteToSend): Promise<WriteOutcome> {
  const { operation, input } = prepared.request
  const { ReturnValues } = input
  const isTransaction = operation === 'transactWriteItems'
  // The service's own token only lets the same bytes be sent again: it is new for each write.
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
      // Others may have moved on what was lost.
      if (lost && prepared.isAdditive && refused?.conditionOutcome === 'retry') throw lost
      if (refused) return refused
      if (failureKindOf(error) !== 'unknown' || (isTransaction && prepared.proof)) throw error
      // What no etag tells is read again, and written where there is still something to write.
      if (isTransaction) return { conditionOutcome: 'retry' }
      const lookedUpResult = await resolveLostWrite(error, lookUpWrite(sender, prepared))
      // It may have been refused, and what is gone be deleted by another.
      if (lookedUpResult && ownOutcome === 'write.condition' && !newEtag) throw error
      if (lookedUpResult) return { ...lookedUpResult, isOldRowLost: ReturnValues === 'ALL_OLD' }
      // An item that is not as it was read any more refuses it.
      if ((prepared.isAdditive && expectedEtag === undefined) || lookupsLeft === 0) throw error
      lost = error
    }
  }
}

/** Whether a write whose answer was lost has happened: our etag is there, or what was to go is gone. */
async function lookUpWrite(
  sender: RequestSender,
  { proof: evidence, old, new: newItem }: WriteToSend,
): Promise<WriteResult | undefined> {
  if (!evidence) return undefined
  const [item] = await readConsistently(sender, [evidence.key])
  const isDone = evidence.newEtag ? item?.[sender.context.layout.names.etag]?.S === evidence.newEtag : !item
  return isDone ? { old, new: newItem ?? item } : undefined
}

interface FailedRequest extends Partial<ServiceException> {
  readonly Item?: Item
}

/** What a failed condition means: a part whose item is not as it was read has only moved on. */
function conditionFailureOf(
  sender: RequestSender,
  prepared: WriteToSend,
  error: FailedRequest,
): WriteOutcome | undefined {
  const { name, Item, CancellationReasons: reasons = [{ Code: name, Item }] } = error
  // Of a single write it is an exception of that name.
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
