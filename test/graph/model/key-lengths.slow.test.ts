import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { Model } from './reference/model.js'
import { Commands } from './runner/commands.js'
import { callOf, ModelClock, opened } from './runner/handles.js'
import { outcomeOf } from './runner/outcome.js'
import { anySchema, type Schema } from './schemas/random-schemas.js'
import { runs } from './suite.js'

/** Lengths around the limits of keys, for one part and for several. */
const LENGTHS = [0, 300, 500, 990, 1010, 1500, 2010, 2040, 3000]
const TEXTS = ['id', 'name', 'mail', 'kind', 'tags'] as const

type Lengths = Readonly<Record<(typeof TEXTS)[number], number>>

const lengths = fc.record(
  Object.fromEntries(TEXTS.map(name => [name, fc.constantFrom(...LENGTHS)])) as Record<string, fc.Arbitrary<number>>,
) as unknown as fc.Arbitrary<Lengths>

it('a key that is too long is rejected before anything is sent, for every kind of storage', async () => {
  const refused = { 'key.long': 0, done: 0 }
  const holds = async (schema: Schema, seeds: readonly number[], bytes: Lengths) => {
    const handles = await opened(schema, memory(), new ModelClock(), seeds[0]!)
    const model = Model.of(schema.graph.declared)
    const commands = new Commands(schema.graph.declared, 0)
    for (const seed of seeds) {
      const command = commands.of(seed)
      if (command.does !== 'write') continue
      const { row, patch, ...write } = command.write
      const longer = { ...write, row: longerRow(row, bytes), ...(patch && { patch: longerRow(patch, bytes) }) }
      const outcome = await outcomeOf(() => callOf(handles, model, longer))
      const { code = 'done' } = outcome
      expect(code, 'error' in outcome ? outcome.error.message : code).not.toMatch(/^store/)
      if (code === 'done' || code === 'key.long') refused[code]++
    }
  }
  const seeds = fc.array(fc.noShrink(fc.nat()), { minLength: 20, maxLength: 40, size: 'max' })
  await fc.assert(fc.asyncProperty(anySchema, seeds, lengths, holds), { numRuns: runs(150) })
  expect(Math.min(...Object.values(refused))).toBeGreaterThan(100)
})

type Row = Readonly<Record<string, unknown>>

/** The row with longer texts. The ends of an edge and an owner are ids. */
const longerRow = (row: Row, bytes: Lengths): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, longer(name, value, bytes)]))

function longer(name: string, value: unknown, bytes: Lengths): unknown {
  if (value instanceof Set) return new Set([...value].map(each => each + 't'.repeat(bytes.tags)))
  if (typeof value === 'string') return value + 'x'.repeat(bytes[name as keyof Lengths] ?? bytes.id)
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? longerRow(value as Row, bytes) : value
}
