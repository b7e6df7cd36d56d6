import type { Row } from '../../plan/row.js'
import { needNodes } from '../../traverse/need.js'
import { distinctNodes, textOf, type Visit } from '../../traverse/visit.js'
import { drive, type TraversalCall } from './call.js'
import type { WalkReader } from './reader.js'

type Reached = (visits: readonly Visit[], reader: WalkReader) => Promise<void>

/**
 * The nodes of a traversal, wave by wave. The walk waits until the rows of a wave were taken, so that no more than one
 * wave is held, and ends when the loop is left.
 */
export async function* streamed<T>(
  type: string,
  callOf: (reached: Reached) => TraversalCall<T>,
): AsyncGenerator<Row, void, undefined> {
  const abort = new AbortController()
  const announced = new Set<string>()
  let deliver = (_: readonly Row[] | undefined) => {}
  let taken = () => {}
  let rows = nextRows()
  function nextRows(): Promise<readonly Row[] | undefined> {
    return new Promise(resolve => {
      deliver = resolve
    })
  }
  const call = callOf(async (visits, reader) => {
    const fresh = distinctNodes(visits).filter(node => !announced.has(textOf(node)))
    for (const node of fresh) announced.add(textOf(node))
    const read = await drive(needNodes(type, fresh), reader)
    const wait = new Promise<void>(resolve => {
      taken = resolve
    })
    deliver(read.filter(row => row !== undefined))
    await wait
    abort.signal.throwIfAborted()
  })
  const running = call.run({ signal: abort.signal }).finally(() => deliver(undefined))
  // Its failure is thrown below; without a reader yet it would count as unhandled.
  running.catch(() => {})
  try {
    for (let some = await rows; some; some = await rows) {
      yield* some
      rows = nextRows()
      taken()
    }
    await running
  } finally {
    abort.abort()
    taken()
    await running.catch(() => {})
  }
}
