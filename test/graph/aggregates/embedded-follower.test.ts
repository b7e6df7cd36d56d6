import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, node, open, string } from '../../../src/index.js'
import type { Store } from '../../../src/store/port.js'

const EMBEDDED = Symbol.for('edgewise.embedded')
const user = node('user', { id: string(), likes: counter() }, { id: 'id' })
const page = node('page', { id: string() }, { id: 'id' })
const likes = edge('likes', { user, page }, {}, { count: { user: { into: 'likes', by: 'stream' } } })
const derived = graph('derived', [user, page, likes])

/** A store that follows what is opened on it, and tells what it was asked. */
function followed() {
  const told: string[] = []
  const follow = (opened: object) => {
    told.push(`follows ${Object.keys(opened).includes('likes')}`)
    return { stop: async () => void told.push('stops'), settled: async () => void told.push('settles') }
  }
  const store: Store = Object.create(memory(), { [EMBEDDED]: { value: follow } })
  return { store, told }
}

describe('an embedded store that follows', () => {
  it('is told of a graph whose copies or counters the stream keeps, until that is closed', async () => {
    const { store, told } = followed()
    const g = await open(derived, store)
    await g.$settled()
    await g.$close()
    expect(told).toEqual(['follows true', 'settles', 'stops'])
  })

  it('is not told of one that keeps everything by transactions, which is always settled', async () => {
    const { store, told } = followed()
    const g = await open(graph('plain', [user, page]), store)
    await g.$settled()
    await g.$close()
    expect(told).toEqual([])
  })

  it('is not told where nobody is to follow, and then nobody can say when all is settled', async () => {
    const { store, told } = followed()
    const g = await open(derived, store, { follow: false })
    await expect(g.$settled()).rejects.toMatchObject({ code: 'open.follow' })
    expect(told).toEqual([])
  })
})
