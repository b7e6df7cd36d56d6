import { expect } from 'vitest'
import { consumer } from '../../../../src/derive/settle/consumer.js'
import type { Service, Store, Streams } from '../../../../src/store/port.js'
import { Tap } from '../../../derive/simulator/stream.js'
import { ModelClock } from './handles.js'
import type { Machine } from './machine.js'
import { Choice } from './random-choice.js'

/**
 * Runs the consumer of the stream, optionally on another store, until all records are processed. Does nothing for a
 * graph without stream data.
 */
export async function settling(
  { store, layout }: Pick<Machine, 'store' | 'layout'>,
  seed: number,
  own: Store = store,
): Promise<() => Promise<void>> {
  if (layout.design.stream === 'none') return async () => {}
  const { Table } = await store.describeTable({ TableName: layout.design.name })
  const tap = new Tap(store as Service & Streams, Table!.LatestStreamArn!)
  const choice = new Choice(seed)
  // The consumer needs different randomness than a writer with the same seed, because the token of a transaction
  // must be unique.
  const random = (bytes: number) => Uint8Array.from({ length: bytes }, () => 255 - choice.below(256))
  const { handle } = consumer(layout, own, { random, retry: { clock: new ModelClock() } })
  return async () => {
    for (let records = await tap.poll(); records.length > 0; records = await tap.poll())
      expect((await handle(records)).failures).toEqual([])
  }
}
