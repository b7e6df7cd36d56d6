import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { PlainRow } from '../../plan/row.js'
import { needNodes, type ReachedNodes } from '../../traverse/need.js'
import type { NodeRef } from '../../traverse/traversal.js'
import { distinctNodes, nodeTextOf } from '../../traverse/visit.js'
import { type GraphTraversalCall, runWalk } from './call.js'
import type { WalkReader } from './walk-reader.js'

type OnReached = (reached: ReachedNodes, reader: WalkReader) => Promise<void>

/**
 * The nodes of a traversal, as they are reached. The walk waits until the rows were taken, so that no more than one
 * wave is held, and ends when the loop is left.
 */
export async function* streamRows<T>(
  type: string,
  createCall: (reached: OnReached) => GraphTraversalCall<T>,
): AsyncGenerator<PlainRow, void, undefined> {
  const abort = new AbortController()
  const announced = new Set<string>()
  const held: NodeRef[] = []
  let hasDelivered = false
  let deliver = (_: readonly PlainRow[] | undefined) => {}
  let release = () => {}
  let rows = nextRows()
  function nextRows(): Promise<readonly PlainRow[] | undefined> {
    return new Promise(resolve => {
      deliver = resolve
    })
  }
  const call = createCall(async ({ visits, isPart }, reader) => {
    const fresh = distinctNodes(visits).filter(node => !announced.has(nodeTextOf(node)))
    for (const node of fresh) announced.add(nodeTextOf(node))
    held.push(...fresh)
    // The first nodes of a wave are read at once, and further ones when they fill a batch.
    if (held.length === 0 || (isPart && hasDelivered && held.length < BATCH_GET_KEYS)) return
    hasDelivered = true
    const read = await runWalk(needNodes(type, held.splice(0)), reader)
    const wait = new Promise<void>(resolve => {
      release = resolve
    })
    deliver(read.filter(row => row !== undefined))
    await wait
    abort.signal.throwIfAborted()
  })
  const running = call.run({ signal: abort.signal }).finally(() => deliver(undefined))
  // Its failure is thrown below; without a reader yet it would count as unhandled.
  running.catch(() => {})
  try {
    for (let batch = await rows; batch; batch = await rows) {
      yield* batch
      rows = nextRows()
      release()
    }
    await running
  } finally {
    abort.abort()
    release()
    await running.catch(() => {})
  }
}
