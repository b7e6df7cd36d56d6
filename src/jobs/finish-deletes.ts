import { deleteNode } from '../graph/cascade.js'
import { contextOf } from '../graph/open.js'
import { Sending } from '../graph/sending.js'
import { tenantOf } from '../plan/identity.js'
import type { OnDelete } from '../schema/declared.js'
import { idOf, read } from './backfill-item.js'

/** How deletions that a crash left are finished. */
export interface FinishOptions {
  readonly signal?: AbortSignal
  /** told how many deletions were finished */
  readonly progress?: (finished: number) => void
}

/**
 * Finishes deletions that a crash left half done: of every node that is marked as being deleted, with its edges as the
 * call had said. It reads the whole table. Beside a deletion that is still under way it does no harm.
 */
export async function finishDeletes(opened: object, options: FinishOptions = {}): Promise<number> {
  const context = contextOf(opened)
  const { layout, store, surroundings } = context
  const { going } = layout.names
  let finished = 0
  let start: Record<string, never> | undefined
  do {
    options.signal?.throwIfAborted()
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
      const deletion = { type: found.type, id: idOf(layout, found.type, item), edges }
      await deleteNode(sending, deletion, { surroundings, ...(tenant !== undefined && { tenant }) }, {})
      finished++
      options.progress?.(finished)
    }
    start = page.LastEvaluatedKey as typeof start
  } while (start)
  return finished
}
