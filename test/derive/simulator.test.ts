import { describe, expect, it } from 'vitest'
import { SABOTAGES } from './simulator/sabotage.js'
import { simulate } from './simulator/simulate.js'

const SEEDS = 6
const MOST_SEEDS = 150
/** Few writes fail as well as many, and sooner. */
const WRITES = 90

describe('a simulated graph', () => {
  it.each(Array.from({ length: SEEDS }, (_, at) => at + 1))('settles exactly, seed %i', async seed => {
    const { failure, writes, injected } = await simulate(seed)
    expect(failure).toBeUndefined()
    expect(writes).toBeGreaterThanOrEqual(300)
    expect(Object.keys(injected).length).toBeGreaterThan(2)
  })

  it('is the same when it runs again', async () => {
    expect(await simulate(3, { writes: WRITES })).toEqual(await simulate(3, { writes: WRITES }))
  })

  it.each(Object.keys(SABOTAGES))('does not settle without a guard: %s', async name => {
    let failure: string | undefined
    for (let seed = 1; seed <= MOST_SEEDS && failure === undefined; seed++)
      ({ failure } = await simulate(seed, { writes: WRITES, sabotage: SABOTAGES[name] }))
    expect(failure).toBeDefined()
  })
})
