import { describe, expect, it } from 'vitest'
import { simulate } from './simulator/simulate.js'

describe('a simulated graph', () => {
  it.each([1, 2, 3])('settles exactly, seed %i', async seed => {
    const { failure, writes, injected } = await simulate(seed)
    expect(failure).toBeUndefined()
    expect(writes).toBeGreaterThanOrEqual(300)
    expect(Object.keys(injected).length).toBeGreaterThan(2)
  })

  it('runs identically with the same seed', async () => {
    expect(await simulate(4, { writes: 90 })).toEqual(await simulate(4, { writes: 90 }))
  })
})
