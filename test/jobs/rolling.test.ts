import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyChange, type Schema } from '../graph/model/schemas.js'
import { runs } from '../graph/model/suite.js'
import { Rolling } from './rolling.js'

it('programs of two layouts write at once, then those of the new one beside a backfill that dies now and then, and nothing is wrong', async () => {
  let ended = 0
  const holds = async ([before, after]: readonly [Schema, Schema], seed: number) => {
    const rolling = await Rolling.of(before, after, seed)
    if (!rolling) return
    try {
      await rolling.writeOnBoth(15)
      if (!(await rolling.bringUpBeside(10))) return
      expect(await rolling.faults()).toEqual([])
      ended++
    } catch (error) {
      const story = `${(error as Error).message}\n\n${rolling.trace.join('\n')}`
      throw Object.assign(new Error(story), { cause: error })
    }
  }
  await fc.assert(fc.asyncProperty(anyChange(false), fc.noShrink(fc.nat()), holds), { numRuns: runs(60) })
  expect(ended).toBeGreaterThan(runs(60) / 5)
})
