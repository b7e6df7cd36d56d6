import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyChange, anyReturn } from '../../../graph/model/schemas/layout-changes.js'
import { type EndChoices, type Schema, schemaOf } from '../../../graph/model/schemas/random-schemas.js'
import { runs } from '../../../graph/model/suite.js'
import { Rolling } from './mixed-layouts.js'

/** Returns the number of completed runs. A change may be rejected. */
async function rolled(changes: fc.Arbitrary<readonly [Schema, Schema]>, numRuns: number): Promise<number> {
  let ended = 0
  const holds = async ([before, after]: readonly [Schema, Schema], isTold: boolean, seed: number) => {
    const rolling = await Rolling.of(before, after, seed)
    if (!rolling) return
    try {
      await rolling.writeOnBoth(15)
      if (!(await rolling.bringUpBeside(10, isTold))) return
      expect(await rolling.faults()).toEqual([])
      ended++
    } catch (error) {
      const story = `${(error as Error).message}\n\n${rolling.trace.join('\n')}`
      throw Object.assign(new Error(story), { cause: error })
    }
  }
  await fc.assert(fc.asyncProperty(changes, fc.boolean(), fc.noShrink(fc.nat()), holds), { numRuns })
  return ended
}

it('a table has no faults after writers of two layouts, and a crashing backfill with concurrent writers of the new one', async () => {
  expect(await rolled(anyChange(false), runs(60))).toBeGreaterThan(runs(60) / 5)
})

it('stream-derived data has no faults after consumers and writers of both layouts', async () => {
  expect(await rolled(anyChange(true), runs(30))).toBeGreaterThan(runs(30) / 5)
})

it('counters that are dropped, restored or maintained in another way have no faults after both layouts', async () => {
  const changes = fc
    .tuple(fc.boolean().chain(anyReturn), fc.nat({ max: 1 }))
    .map(([schemas, at]) => schemas.slice(at, at + 2) as [Schema, Schema])
  expect(await rolled(changes, runs(30))).toBeGreaterThan(runs(30) / 5)
})

it.each([1076, 1080, 1151, 1159, 1172])(
  'an end that gets a stream counter has all of its edges counted: %s',
  async seed => {
    const node = { id: 'text', sizeOptional: false, unique: false, stored: false, computed: false } as const
    const alone = { ...node, paths: [], byOwner: false, shards: 1 } as const
    const kept = { count: false, sum: false, embed: false, carry: 'nothing', second: 'none', fed: true } as const
    const end: EndChoices = { ...kept, as: undefined, order: 'default', shards: 1, onDelete: 'leave' }
    const plain = { one: undefined, undirected: false, max: 1, some: false, computed: false } as const
    const edge = { ...plain, from: 0, to: 1, key: ['lap', 'kind'], streamed: true } as const
    const made = (a: EndChoices, b: EndChoices) =>
      schemaOf({
        tenant: false,
        owned: 0,
        nodes: [{ ...alone, id: 'several' }, alone],
        edges: [{ ...edge, a, b }],
      }) as Schema
    const before = made(end, { ...end, as: 'adjacent', onDelete: 'refuse' })
    const after = made({ ...end, order: 'weight and end', count: true }, { ...end, onDelete: 'refuse' })
    const rolling = (await Rolling.of(before, after, seed))!
    await rolling.writeOnBoth(15)
    expect(await rolling.bringUpBeside(10)).toBe(true)
    expect(await rolling.faults()).toEqual([])
  },
)
