import { identifying } from '../derive/sides.js'
import type { Key } from '../dynamodb/attribute-value.js'
import { deleteNode } from '../graph/cascade.js'
import type { Context } from '../graph/context.js'
import { workOptions } from '../graph/given.js'
import { contextOf } from '../graph/open.js'
import { Sending } from '../graph/sending.js'
import { write } from '../graph/writing.js'
import { keyOf, tenantOf } from '../plan/identity.js'
import { planDelete, planMarked } from '../plan/write.js'
import type { OnDelete } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import { idOf, read } from './backfill-item.js'
import { calledBack, toldOfJob } from './callbacks.js'
import { othersTurn } from './others-turn.js'

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
export async function finishDeletes(opened: object, options: FinishOptions = {}): Promise<number> {
  workOptions('finishDeletes', options, 'signal, progress', 'progress')
  return toldOfJob(finish(contextOf(opened), options), options.signal)
}

async function finish(context: Context, options: FinishOptions): Promise<number> {
  const { layout, store, surroundings } = context
  const { going } = layout.names
  let finished = 0
  let unread: GraphError | undefined
  let start: Record<string, never> | undefined
  do {
    await othersTurn(options.signal)
    const page = await store.scan({
      TableName: layout.design.name,
      ConsistentRead: true,
      FilterExpression: 'attribute_exists(#g)',
      ExpressionAttributeNames: { '#g': going },
      ...(start && { ExclusiveStartKey: start }),
    })
    for (const item of page.Items ?? []) {
      const found = read(layout, item)
      if (found?.type.kind !== 'node') continue
      const tenant = tenantOf(layout, found.values)
      const mark = item[going]?.S?.split(' ')[0]
      const edges = mark === 'declared' ? undefined : (mark as OnDelete)
      const sending = new Sending({ ...context, tenant }, options.signal ? { signal: options.signal } : {}, false)
      const id = idOf(layout, found.type, identifying(layout, found.type, item))
      const deletion = { type: found.type, id, edges }
      const given = { surroundings, ...(tenant !== undefined && { tenant }) }
      // Whoever is at it may have finished it since, and the node may be there anew.
      const condition = { expression: '#g = :g', names: { '#g': going }, values: { ':g': item[going]! } }
      try {
        const done = await deleteNode(sending, deletion, { ...given, condition }, {})
        // As edges are declared now, none goes with it.
        if (!done) await write(sending, planDelete(layout, found.type.name, id, { ...given, edges, condition }))
        finished++
        await calledBack(() => options.progress?.(finished))
      } catch (error) {
        const { code = '' } = error as { code?: string }
        // An edge keeps it, which the call would have been told: it stays, and the others are finished.
        if (/^node\.(edges|owns|uncounted)$/.test(code))
          await write(sending, planMarked(layout, 'stay', found.type.name, deletion.id, given, item[going]?.S))
        else if (/^(stored|key|value)\.|strict/.test(code))
          unread ??= unreadEdge(keyOf(layout.names, item), error as GraphError)
        else if (!/^(write.condition|node.going|node.stays)$/.test(code)) throw error
      }
    }
    start = page.LastEvaluatedKey as typeof start
  } while (start)
  if (unread) throw unread
  return finished
}

/** Told when the others are finished: an edge that cannot be read, or an id that is refused, would keep them all. */
const unreadEdge = (key: Key, { code, message, details }: GraphError): GraphError =>
  new GraphError(
    code,
    `the deletion of ${Object.values(key)
      .map(({ S }) => S)
      .join(' ')} cannot be finished, for its id or an edge of it: ${message}`,
    details,
  )
