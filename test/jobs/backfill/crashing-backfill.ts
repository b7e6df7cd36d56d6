import { expect } from 'vitest'
import { consumer } from '../../../src/derive/settle/consumer.js'
import type { memory } from '../../../src/engine/memory.js'
import { wrap } from '../../../src/index.js'
import { backfill } from '../../../src/jobs/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import { Tap } from '../../derive/simulator/stream.js'

export type Settle = (layout: Layout) => Promise<void>

/** Passes all stream records of a table to the consumer of a layout. */
export async function settling(store: ReturnType<typeof memory>): Promise<Settle> {
  const { Table } = await store.describeTable({ TableName: 'users' })
  const tap = new Tap(store, Table!.LatestStreamArn!)
  return async layout => {
    for (let records = await tap.poll(); records.length > 0; records = await tap.poll())
      expect((await consumer(layout, store).handle(records)).failures).toEqual([])
  }
}

/** Runs a backfill in a sequence of processes that crash later and later, with a concurrent consumer. */
export async function survived(
  before: Layout,
  after: Layout,
  store: ReturnType<typeof memory>,
  settle: Settle,
): Promise<void> {
  for (let lives = 1; ; lives++) {
    let left = 3 * lives
    const mortal = wrap(store, async (operation, request, options, send) => {
      if (left-- === 0) throw new Error('died')
      if (operation !== 'getItem') await settle(after)
      return send(request, options)
    })
    try {
      await backfill(after, mortal, { from: before })
      expect(lives).toBeGreaterThan(3)
      return
    } catch (error) {
      if ((error as Error).message !== 'died') throw error
    }
  }
}
