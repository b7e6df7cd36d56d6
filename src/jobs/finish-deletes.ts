import { toIdentityItem } from '../derive/settle/side-items.js'
import type { Key } from '../dynamodb/attribute-value.js'
import { parseWorkOptions } from '../graph/arguments.js'
import type { Context } from '../graph/context.js'
import { contextOf } from '../graph/open.js'
import { deleteNode } from '../graph/run/delete-node.js'
import { RequestSender } from '../graph/run/request-sender.js'
import { runWrite } from '../graph/run/run-write.js'
import { keyOfItem, tenantOf } from '../plan/identity.js'
import { planDelete, planMarkChange } from '../plan/write/operations.js'
import type { OnDelete } from '../schema/declarations.js'
import { GraphError } from '../schema/error.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import { nodeIdOf, parseOwnItem } from './backfill/item.js'
import { rethrowJobError, runCallback } from './callbacks.js'
import { yieldToEventLoop } from './yield-to-event-loop.js'

/** How deletions that a crash left are finished. */
export interface FinishOptions {
  readonly signal?: AbortSignalLike | undefined
  /** told how many deletions were finished */
  readonly progress?: ((finished: number) => void) | undefined
}

/**
 * Finishes deletions that a crash left half done: of every node that is marked as being deleted, with its edges as the
 * call had said; one that an edge keeps is there again. It reads the whole table. Beside a deletion that is still under way it does no harm.
 */
export async function finishDeletes(graph: object, options: FinishOptions = {}): Promise<number> {
  parseWorkOptions('finishDeletes', options, 'signal, progress', 'progress')
  return rethrowJobError(finishMarkedDeletions(contextOf(graph), options), options.signal)
}

async function finishMarkedDeletions(context: Context, options: FinishOptions): Promise<number> {
  const { layout, store, environment } = context
  const { deletionMark } = layout.names
  let finished = 0
  let firstError: GraphError | undefined
  let startKey: Record<string, never> | undefined
  do {
    await yieldToEventLoop(options.signal)
    const page = await store.scan({
      TableName: layout.design.name,
      ConsistentRead: true,
      FilterExpression: 'attribute_exists(#g)',
      ExpressionAttributeNames: { '#g': deletionMark },
      ...(startKey && { ExclusiveStartKey: startKey }),
    })
    for (const item of page.Items ?? []) {
      const parsed = parseOwnItem(layout, item)
      if (parsed?.type.kind !== 'node') continue
      const tenant = tenantOf(layout, parsed.values)
      const declaredRule = item[deletionMark]?.S?.split(' ')[0]
      const edges = declaredRule === 'declared' ? undefined : (declaredRule as OnDelete)
      const sender = new RequestSender({ ...context, tenant }, options.signal ? { signal: options.signal } : {}, false)
      const id = nodeIdOf(layout, parsed.type, toIdentityItem(layout, parsed.type, item))
      const deletion = { type: parsed.type, id, edges }
      const planOptions = { environment: environment, ...(tenant !== undefined && { tenant }) }
      // Whoever is at it may have finished it since, and the node may be there anew.
      const condition = { expression: '#g = :g', names: { '#g': deletionMark }, values: { ':g': item[deletionMark]! } }
      try {
        const isDeleted = await deleteNode(sender, deletion, { ...planOptions, condition }, {})
        // As edges are declared now, none goes with it.
        if (!isDeleted)
          await runWrite(sender, planDelete(layout, parsed.type.name, id, { ...planOptions, edges, condition }))
        finished++
        await runCallback(() => options.progress?.(finished))
      } catch (error) {
        const { code = '' } = error as { code?: string }
        // An edge keeps it, which the call would have been told: it stays, and the others are finished.
        if (/^node\.(edges|owns|uncounted)$/.test(code))
          await runWrite(
            sender,
            planMarkChange(layout, 'unmarkDeleting', parsed.type.name, deletion.id, planOptions, item[deletionMark]?.S),
          )
        else if (/^(stored|key|value)\.|strict/.test(code))
          firstError ??= toUnfinishedError(keyOfItem(layout.names, item), error as GraphError)
        else if (!/^(write.condition|node.going|node.stays)$/.test(code)) throw error
      }
    }
    startKey = page.LastEvaluatedKey as typeof startKey
  } while (startKey)
  if (firstError) throw firstError
  return finished
}

/** Told when the others are finished: an edge that cannot be read, or an id that is refused, would keep them all. */
const toUnfinishedError = (key: Key, { code, message, details }: GraphError): GraphError =>
  new GraphError(
    code,
    `the deletion of ${Object.values(key)
      .map(({ S }) => S)
      .join(' ')} cannot be finished, for its id or an edge of it: ${message}`,
    details,
  )
