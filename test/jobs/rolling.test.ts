import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyChange, anyReturn } from '../graph/model/changes.js'
import type { Schema } from '../graph/model/schemas.js'
import { runs } from '../graph/model/suite.js'
import { Rolling } from './rolling.js'

/** Answers how many came to their end, which a change may be refused. */
async function rolled(changes: fc.Arbitrary<readonly [Schema, Schema]>, numRuns: number): Promise<number> {
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
  await fc.assert(fc.asyncProperty(changes, fc.noShrink(fc.nat()), holds), { numRuns })
  return ended
}

it('programs of two layouts write at once, then those of the new one beside a backfill that dies now and then, and nothing is wrong', async () => {
  expect(await rolled(anyChange(false), runs(60))).toBeGreaterThan(runs(60) / 5)
})

it('so it is where the stream keeps something, which programs of both layouts follow', async () => {
  expect(await rolled(anyChange(true), runs(30))).toBeGreaterThan(runs(30) / 5)
})

it('so it is where edges are counted no more, or again, by others perhaps', async () => {
  const changes = fc
    .tuple(fc.boolean().chain(anyReturn), fc.nat({ max: 1 }))
    .map(([schemas, at]) => schemas.slice(at, at + 2) as [Schema, Schema])
  expect(await rolled(changes, runs(30))).toBeGreaterThan(runs(30) / 5)
})
