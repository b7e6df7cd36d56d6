import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shown } from '../graph/model/runner/outcome.js'
import { anySchema, type Schema } from '../graph/model/schemas/random-schemas.js'
import { runs } from '../graph/model/suite.js'
import { Mortals } from './crashing-processes.js'

it('the table has no faults after writers, loads, repairs and finished deletions crash at any request', async () => {
  const holds = async (schema: Schema, seed: number) => {
    const mortals = new Mortals(schema, seed)
    try {
      await mortals.run(15)
      expect(await mortals.faults()).toEqual([])
    } catch (error) {
      const story = `${(error as Error).message}\n\ngraph: ${shown(schema.choices)}\n\n${mortals.trace.join('\n')}`
      throw Object.assign(new Error(story), { cause: error })
    }
  }
  await fc.assert(fc.asyncProperty(anySchema, fc.noShrink(fc.nat()), holds), { numRuns: runs(25) })
})
