import { expect } from 'vitest'
import { generate } from '../../../examples/snb/generate.js'
import { load } from '../../../examples/snb/load.js'
import { Meter } from '../../../examples/snb/meter.js'
import type { Ask } from '../../../examples/snb/queries.js'
import { parametersOf, READS, type ReadName } from '../../../examples/snb/reads.js'
import { Seeded } from '../../../examples/snb/seeded.js'
import { memory } from '../../../src/embedded.js'
import { modelOf } from './model.js'
import { sqlOf } from './sql.js'

export const READ_NAMES = Object.keys(READS) as ReadName[]

/** One network in a graph table, as plain rows, and in SQL. */
export async function witnesses(size: { readonly persons: number; readonly seed: number }) {
  const rows = generate(size)
  const g = await load(rows, memory())
  const [model, sql, parameters] = [modelOf(rows), sqlOf(rows), parametersOf(rows)]
  /** Compares the results of one read with both witnesses. Returns the number of results that were not empty. */
  const compare = async (name: ReadName, runs: number): Promise<number> => {
    const random = new Seeded(size.seed + 1)
    const read = READS[name].read as (ask: Ask, given: unknown) => Promise<unknown>
    let full = 0
    for (let run = 0; run < runs; run++) {
      const given = parameters[name](random) as never
      const answer = await read({ g, meter: new Meter() }, given)
      const shown = { name, given, answer }
      expect(shown).toEqual({ name, given, answer: model[name](given) })
      expect(shown).toEqual({ name, given, answer: sql[name](given) })
      if (Array.isArray(answer) ? answer.length > 0 : answer !== undefined) full++
    }
    return full
  }
  return { g, rows, compare }
}
