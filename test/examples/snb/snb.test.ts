import { expect, test } from 'vitest'
import { generate } from '../../../examples/snb/generate.js'
import { READ_NAMES, witnesses } from './witnesses.js'

const RUNS = Number(process.env.SNB_RUNS ?? 100)
const { compare } = await witnesses({ persons: 80, seed: 3 })

test.each(READ_NAMES)('the results of %s equal those of plain arrays and of SQL', async name => {
  expect(await compare(name, RUNS)).toBeGreaterThan(RUNS / 10)
})

test('equal seeds generate equal networks, and other seeds others', () => {
  const [first, again, other] = [1, 1, 2].map(seed => generate({ persons: 20, seed }))
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})
