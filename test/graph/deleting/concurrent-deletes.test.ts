import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, embedded, graph, node, open, string } from '../../../src/index.js'
import { finishDeletes } from '../../../src/jobs/index.js'
import type { Store } from '../../../src/store/port.js'
import { wrap } from '../../../src/store/wrap.js'

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

/** A store that pauses the deletion of edges until it is resumed, and reports the pause. */
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

/** A graph with an edge, and a paused deletion of its node by another handle that has found the edge. */
async function halfway(path: 'spoke' | 'holds') {
  const store = memory()
  const g = await open(wheel, store)
  await g.$batch([g.hub.put({ id: 'h' }), g.hub.put({ id: 'n' }), g.seat.put({ id: 's' })])
  const put = () => (path === 'spoke' ? g.spoke.put({ hub: 'h', to: 'n' }) : g.holds.put({ hub: 'h', seat: 's' }))
  await put()
  const { slow, paused, resume } = pausing(store)
  const other = await open(wheel, slow)
  const deletion = other.hub.delete('h').then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
  await paused
  return { g, put, resume, deletion }
}

describe.each(['spoke', 'holds'] as const)(
  'a deletion that another call finished meanwhile, with edges of %s',
  path => {
    it.each(['the same call', 'the job'])(
      'edges of a node that was created again meanwhile are not deleted, finished by %s',
      async by => {
        const { g, put, resume, deletion } = await halfway(path)
        if (by === 'the job') expect(await finishDeletes(g)).toBe(1)
        else await g.hub.delete('h')
        await g.hub.put({ id: 'h' })
        await put()
        resume()
        expect(await deletion).toBe('node.restored')
        expect(await g[path].by.hub('h').count()).toBe(1)
        await g.hub.delete('h')
        expect(await g.seat.get('s')).toMatchObject({ taken: 0, hubs: {} })
      },
    )

    it('the deletion resolves when the node no longer exists', async () => {
      const { g, resume, deletion } = await halfway(path)
      await g.hub.delete('h')
      resume()
      expect(await deletion).toBe('done')
      expect(await g.hub.exists('h')).toBe(false)
    })
  },
)
