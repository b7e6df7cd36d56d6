import fc from 'fast-check'
import type { Store } from '../../../src/store/port.js'
import { Commands } from './runner/commands.js'
import { readsOfEverything } from './runner/exhaustive-reads.js'
import { FaultyMachine } from './runner/faulty-machine.js'
import { ModelClock, OTHER_TENANT, opened } from './runner/handles.js'
import { Machine } from './runner/machine.js'
import { shown } from './runner/outcome.js'
import { Choice } from './runner/random-choice.js'
import { settling } from './runner/run-consumer.js'
import { anySchema, type Schema } from './schemas/random-schemas.js'
import { expectTraversals } from './traversals.js'

/** The number of random schemas; MODEL_RUNS=… overrides it. */
export const runs = (usual: number) => Number(process.env.MODEL_RUNS ?? usual)

/**
 * Commands by seed. A seed means the same command regardless of the commands before it, so that shrinking can drop
 * irrelevant ones.
 */
const anySeeds = (most: number) => fc.array(fc.noShrink(fc.nat()), { minLength: 1, maxLength: most, size: 'max' })

/** The number of commands between traversals of two hops. */
const TRAVERSE_EVERY = 4
/** The number of commands between complete reads. */
const READ_ALL_EVERY = 15

/** Runs random operations on a random graph and expects results and table to equal the model. */
export async function equalsModel(
  make: () => Store,
  most: number,
  numRuns: number,
  schemas = anySchema,
  commandsOf = ({ graph, layout }: Schema) => new Commands(graph.declared, undefined, layout),
): Promise<void> {
  const holds = async (schema: Schema, seeds: readonly number[]) => {
    const store = make()
    const machine = new Machine(schema, store, await opened(schema, store, new ModelClock(), seeds[0]!))
    // The consumer needs different randomness than the writers, because it would otherwise use their tokens.
    machine.settle = await settling(machine, ~seeds[0]!)
    if (schema.graph.tenant) await machine.shareWith(await opened(schema, store, new ModelClock(), -1, OTHER_TENANT))
    const commands = commandsOf(schema)
    await told(machine, schema, async () => {
      for (const [i, seed] of seeds.entries()) {
        await machine.perform(commands.of(seed))
        if (i % TRAVERSE_EVERY === 0) await expectTraversals(machine, new Choice(seed))
        if (i % READ_ALL_EVERY === READ_ALL_EVERY - 1) await readEverything(machine)
      }
      await readEverything(machine)
    })
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds(most), holds), { numRuns })
}

/** Runs the operations on a faulty store in crashing processes, and expects every failed operation to be atomic. */
export async function equalsModelUnderFaults(
  make: () => Store,
  most: number,
  numRuns: number,
  schemas = anySchema,
): Promise<void> {
  const holds = async (schema: Schema, seeds: readonly number[], seed: number) => {
    const machine = await FaultyMachine.of(schema, make(), seed)
    await told(machine, schema, () => performAll(machine, schema, seeds))
  }
  await fc.assert(fc.asyncProperty(schemas, anySeeds(most), fc.noShrink(fc.nat()), holds), { numRuns })
}

export async function performAll(machine: FaultyMachine, schema: Schema, seeds: readonly number[]): Promise<void> {
  const commands = new Commands(schema.graph.declared, 0.15, schema.layout)
  for (const seed of seeds) await machine.perform(commands.of(seed), seed)
}

async function readEverything(machine: Machine): Promise<void> {
  for (const command of readsOfEverything(machine.model)) await machine.perform(command)
}

/** Adds the graph and the trace to a failure message. */
async function told(
  machine: { readonly trace: readonly string[] },
  { choices }: Schema,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const writes = machine.trace.filter(
      (line, i) => !/does: "(get|many|together|unique|path|scan|collect)"/.test(line) || i === machine.trace.length - 1,
    )
    const story = `${(error as Error).message}\n\ngraph: ${shown(choices)}\n\n${writes.join('\n')}`
    throw Object.assign(new Error(story), { cause: error })
  }
}
