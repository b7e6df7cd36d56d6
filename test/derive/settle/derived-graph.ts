import { expect } from 'vitest'
import { consumer } from '../../../src/derive/settle/consumer.js'
import type { Item } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/engine/index.js'
import { type Layout, open } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'
import type { AnyHandle, AnyQuery } from '../../graph/model/runner/handles.js'
import { faultOf, itemsIn } from '../simulator/check-table.js'
import { Tap } from '../simulator/stream.js'

/** An opened graph with any types. */
type Handle = Omit<AnyHandle, 'by'> & {
  readonly by: Record<'best' | 'course' | 'one' | 'pupil', (given?: unknown) => AnyQuery>
}
type Types = 'back' | 'course' | 'end' | 'item' | 'line' | 'link' | 'one' | 'order' | 'other' | 'pupil' | 'takes'
type Opened = Record<Types, Handle> & { readonly $layout: Layout; $tenant(id: string): Opened }

/** A graph in a store, and a consumer that handles the stream on request. */
export async function derived<G extends Parameters<typeof open>[0]>(what: G, store = memory(), clock = Date.now) {
  const g = (await open(what, store, { follow: false, clock })) as unknown as Opened
  const own = g.$layout
  const table = own.design.name
  const { Table } = await store.describeTable({ TableName: table })
  const tap = new Tap(store, Table!.LatestStreamArn!)
  const { handle } = consumer(what as never, store, { clock })
  const catchUp = async () => {
    for (let records = await tap.poll(); records.length > 0; records = await tap.poll())
      expect((await handle(records)).failures).toEqual([])
  }
  const isWhole = async () => {
    await catchUp()
    expect(faultOf(own, await itemsIn(store, table))).toBeUndefined()
    const found: unknown[] = []
    await verify(g, { onFault: fault => found.push(fault) })
    expect(found.filter(fault => (fault as { code: string }).code !== 'edge.dangling')).toEqual([])
  }
  const put = (item: Item) => store.putItem({ TableName: table, Item: item })
  return { g, store, table, handle, tap, catchUp, isWhole, put }
}
