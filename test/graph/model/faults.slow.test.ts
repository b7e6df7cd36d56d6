import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { FaultyMachine } from './runner/faulty-machine.js'
import { anySchema, anyStreamedSchema } from './schemas/random-schemas.js'
import { equalsModelUnderFaults, performAll, runs } from './suite.js'

it('failed operations are atomic, and idempotent under a token', async () => {
  await equalsModelUnderFaults(memory, 30, runs(100))
})

it('stream counters and copies are exact after every failure', async () => {
  await equalsModelUnderFaults(memory, 30, runs(30), anyStreamedSchema)
})

it('a seed reproduces the same faults and the same final state', async () => {
  const story = async (seed: number) => {
    const [schema] = fc.sample(anySchema, { seed: 3, numRuns: 1 })
    const seeds = Array.from({ length: 80 }, (_, i) => i * 7919)
    const machine = await FaultyMachine.of(schema!, memory(), seed)
    await performAll(machine, schema!, seeds)
    return { faults: machine.faults, end: machine.end }
  }
  const once = await story(11)
  expect(once.faults.length).toBeGreaterThan(20)
  expect(await story(11)).toEqual(once)
  expect((await story(12)).faults).not.toEqual(once.faults)
})
