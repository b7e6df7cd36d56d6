import { describe, expect, it } from 'vitest'
import { GraphError } from '../../src/schema/error.js'

const exists = new GraphError('write.exists', "movie 'Big': this movie already exists; use put() or update().", {
  type: 'movie',
  value: { name: 'Big' },
})
const carried = new GraphError('edge.carry.absent', "movie 'Big': this movie does not exist; create it first.", {
  type: 'movie',
  value: { name: 'Big' },
})

describe('GraphError.is', () => {
  it('recognizes an error, its code and its group', () => {
    expect(GraphError.is(exists)).toBe(true)
    expect(GraphError.is(exists, 'write.exists')).toBe(true)
    expect(GraphError.is(exists, 'write.*')).toBe(true)
    expect(GraphError.is(carried, 'edge.*')).toBe(true)
  })

  it('rejects other codes and groups, and codes that only begin alike', () => {
    expect(GraphError.is(exists, 'write.absent')).toBe(false)
    expect(GraphError.is(exists, 'edge.*')).toBe(false)
    expect(GraphError.is(carried, 'edge.carry')).toBe(false)
    const uncounted = new GraphError('stored.key', 'movie: the key does not match; correct it.', {
      type: 'a',
      name: 'b',
    })
    expect(GraphError.is(uncounted, 'store.*')).toBe(false)
  })

  it('rejects errors of others and values that are not errors', () => {
    for (const other of [new Error('write.exists'), undefined, null, 'GraphError', { name: 'GraphError', code: 'x' }])
      expect([GraphError.is(other), GraphError.is(other, 'write.*')]).toEqual([false, false])
  })

  it('recognizes the error of another installed copy', () => {
    const copy = Object.assign(new Error('gone'), { name: 'GraphError', code: 'write.exists', details: {} })
    expect(copy).not.toBeInstanceOf(GraphError)
    expect(GraphError.is(copy, 'write.exists')).toBe(true)
  })

  it('an error without details has an empty object', () => {
    expect(new GraphError('call.closed', 'graph: it is closed; open it again.').details).toEqual({})
  })
})
