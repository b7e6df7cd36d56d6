import { describe, expect, it } from 'vitest'
import { memory } from '../../src/embedded.js'
import { counter, edge, embedded, graph, node, open, string } from '../../src/index.js'
import { finishDeletes } from '../../src/jobs/index.js'
import type { Store } from '../../src/store/port.js'
import { wrap } from '../../src/store/wrap.js'

const hub = node('hub', { id: string() }, { id: 'id' })
const seat = node('seat', { id: string(), hubs: embedded({}), taken: counter() }, { id: 'id' })
const wheel = graph('wheel', [
  hub,
  seat,
  edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } }),
  edge(
    'holds',
    { hub, seat },
    {},
    { onDelete: { hub: 'cascade' }, embed: { seat: { into: 'hubs', max: 9 } }, count: { seat: 'taken' } },
  ),
])

/** A store on which a write of edges that go waits until it may go on, and says that it waits. */
function pausing(store: Store) {
  let resume = () => {}
  let told = () => {}
  const paused = new Promise<void>(resolve => {
    told = resolve
  })
  const gate = new Promise<void>(resolve => {
    resume = resolve
  })
  const slow = wrap(store, async (operation, request, options, send) => {
    if (operation === 'batchWriteItem' || operation === 'transactWriteItems') {
      told()
      await gate
    }
    return send(request, options)
  })
  return { slow, paused, resume }
}

describe('a deletion that another has finished while it waited', () => {
  for (const by of ['by the same call', 'by the job'] as const)
    it(`leaves the edges of a node that was made anew since: ${by}`, async () => {
      const store = memory()
      const g = await open(wheel, store)
      await g.$batch([g.hub.put({ id: 'h' }), g.hub.put({ id: 'n' }), g.seat.put({ id: 's' })])
      for (const path of ['spoke', 'holds'] as const) {
        await g.hub.put({ id: 'h' })
        const put = () => (path === 'spoke' ? g.spoke.put({ hub: 'h', to: 'n' }) : g.holds.put({ hub: 'h', seat: 's' }))
        await put()
        const { slow, paused, resume } = pausing(store)
        const other = await open(wheel, slow)
        const deletion = other.hub.delete('h').then(
          () => undefined,
          (error: { code: string }) => error.code,
        )
        await paused
        if (by === 'by the job') await finishDeletes(g)
        else await g.hub.delete('h')
        await g.hub.put({ id: 'h' })
        await put()
        resume()
        expect(await deletion).toBe('node.stays')
        const found = path === 'spoke' ? await g.spoke.by.hub('h').count() : await g.holds.by.hub('h').count()
        expect(found).toBe(1)
        await g.hub.delete('h')
      }
      expect(await g.seat.get('s')).toMatchObject({ taken: 0, hubs: {} })
    })
})
