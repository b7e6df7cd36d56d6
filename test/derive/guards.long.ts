import { describe, expect, it } from 'vitest'
import { SABOTAGES } from './simulator/sabotage.js'
import { simulate } from './simulator/simulate.js'

const MOST_SEEDS = 1500
/** The profile that finds the sabotage fastest, if the profiles differ. */
const PROFILE: Record<string, number> = {
  'the check of the source’s values': 1,
  'the tag of a recount': 2,
  'the lineages that a closure follows from': 5,
}
/** A few failing writes suffice, and fail sooner. */
const WRITES = 90

describe('a simulated graph does not settle without', () => {
  it.each(Object.keys(SABOTAGES))('%s', async name => {
    let failure: string | undefined
    for (let seed = 1; seed <= MOST_SEEDS && failure === undefined; seed++)
      ({ failure } = await simulate(seed, { writes: WRITES, sabotage: SABOTAGES[name], profile: PROFILE[name] }))
    expect(failure).toBeDefined()
  })
})
