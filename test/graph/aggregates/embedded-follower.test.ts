import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, node, open, string } from '../../../src/index.js'
import { declareEmbedded } from '../../../src/store/embedded.js'
import type { Store } from '../../../src/store/port.js'

const user = node('user', { id: string(), likes: counter() }, { id: 'id' })
const page = node('page', { id: string() }, { id: 'id' })
const likes = edge('likes', { user, page }, {}, { count: { user: { into: 'likes', by: 'stream' } } })
const derived = graph('derived', [user, page, likes])

/** A store with a follower that records its calls. */
function followed() {
  const told: string[] = []
  const startFollower = (opened: object) => {
    told.push(`follows ${Object.keys(opened).includes('likes')}`)
    return { stop: async () => void told.push('stops'), settled: async () => void told.push('settles') }
  }
  const store: Store = declareEmbedded(Object.create(memory()), { startFollower })
  return { store, told }
}

describe('an embedded store with a follower', () => {
  it('the follower serves a graph with stream data until the graph is closed', async () => {
    const { store, told } = followed()
    const g = await open(derived, store)
    await g.$settled()
    await g.$close()
    expect(told).toEqual(['follows true', 'settles', 'stops'])
  })

  it('a graph with only transactional data has no follower and is always settled', async () => {
    const { store, told } = followed()
    const g = await open(graph('plain', [user, page]), store)
    await g.$settled()
    await g.$close()
    expect(told).toEqual([])
  })

  it('a graph opened with follow: false has no follower, and $settled() rejects', async () => {
    const { store, told } = followed()
    const g = await open(derived, store, { follow: false })
    await expect(g.$settled()).rejects.toMatchObject({ code: 'open.follow' })
    expect(told).toEqual([])
  })
})
