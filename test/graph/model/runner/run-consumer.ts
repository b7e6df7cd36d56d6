import { expect } from 'vitest'
import { consumer } from '../../../../src/derive/settle/consumer.js'
import type { Service, Store, Streams } from '../../../../src/store/port.js'
import { Tap } from '../../../derive/simulator/stream.js'
import { ModelClock } from './handles.js'
import type { Machine } from './machine.js'
import { Choice } from './random-choice.js'

/** Runs the consumer of the stream, on a store of its own if given, until it has nothing to do; nothing where the graph has none. */
export async function settling(
  { store, layout }: Pick<Machine, 'store' | 'layout'>,
  seed: number,
  own: Store = store,
): Promise<() => Promise<void>> {
  if (layout.design.stream === 'none') return async () => {}
  const { Table } = await store.describeTable({ TableName: layout.design.name })
  const tap = new Tap(store as Service & Streams, Table!.LatestStreamArn!)
  const choice = new Choice(seed)
  // A writer may have the same seed, and the token of a transaction is of one alone.
  const random = (bytes: number) => Uint8Array.from({ length: bytes }, () => 255 - choice.below(256))
  const { handle } = consumer(layout, own, { random, retry: { clock: new ModelClock() } })
  return async () => {
    for (let records = await tap.poll(); records.length > 0; records = await tap.poll())
      expect((await handle(records)).failures).toEqual([])
  }
}
