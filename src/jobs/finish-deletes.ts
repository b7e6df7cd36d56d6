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
import { nodeIdOf, parseOwnItem } from './backfill/own-items.js'
import { rethrowJobError, runCallback } from './callbacks.js'
import { yieldToEventLoop } from './yield-to-event-loop.js'

/** Codes of errors if edges or owned nodes prevent a deletion. */
const PREVENTING_CODES: ReadonlySet<string> = new Set(['node.edges', 'node.owns', 'node.uncounted'])
/** Codes of errors if another call finished or cancelled the deletion. */
const CONCURRENT_CODES: ReadonlySet<string> = new Set(['write.condition', 'node.deleting', 'node.restored'])

/** Options of `finishDeletes()`. */
export interface FinishOptions {
  readonly signal?: AbortSignalLike | undefined
  /** called with the number of finished deletions */
  readonly progress?: ((finished: number) => void) | undefined
}

/**
 * Finishes deletions of nodes that a crash interrupted, with the edge rule of the original call. Reads the whole
 * table. A node that may not be deleted, because edges prevent it, becomes visible again. Running deletions are safe.
 *
 * @param graph The opened graph.
 * @returns The number of finished deletions.
 * @throws {call.argument} An option is invalid.
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { finishDeletes } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const finished = await finishDeletes(await open(graph('social', [user]), memory()))
 * ```
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
      // The deletion may have finished meanwhile, and the node may have been created again.
      const condition = { expression: '#g = :g', names: { '#g': deletionMark }, values: { ':g': item[deletionMark]! } }
      try {
        const isDeleted = await deleteNode(sender, deletion, { ...planOptions, condition }, {})
        // No edge is declared to be deleted with the node, so delete the node alone.
        if (!isDeleted)
          await runWrite(sender, planDelete(layout, parsed.type.name, id, { ...planOptions, edges, condition }))
        finished++
        await runCallback(() => options.progress?.(finished))
      } catch (error) {
        const { code = '' } = error as { code?: string }
        // An edge prevents the deletion, so restore the node and continue with the others.
        if (PREVENTING_CODES.has(code))
          await runWrite(
            sender,
            planMarkChange(layout, 'unmarkDeleting', parsed.type.name, deletion.id, planOptions, item[deletionMark]?.S),
          )
        else if (/^(stored|key|value)\.|strict/.test(code))
          firstError ??= toUnfinishedError(keyOfItem(layout.names, item), error as GraphError)
        else if (!CONCURRENT_CODES.has(code)) throw error
      }
    }
    startKey = page.LastEvaluatedKey as typeof startKey
  } while (startKey)
  if (firstError) throw firstError
  return finished
}

/**
 * Describes a failed deletion. It is thrown at the end, because one unreadable edge or invalid id should not stop the
 * other deletions.
 */
const toUnfinishedError = (key: Key, { code, message, details }: GraphError): GraphError =>
  new GraphError(
    code,
    `item '${Object.values(key)
      .map(({ S }) => S)
      .join(
        ' ',
      )}': its deletion cannot be finished because of its id or one of its edges (${message}); correct them, and call finishDeletes() again.`,
    details,
  )
