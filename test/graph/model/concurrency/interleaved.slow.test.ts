import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { finishDeletes, repair, verify } from '../../../../src/jobs/index.js'
import type { Write } from '../reference/model.js'
import { type Command, Commands } from '../runner/commands.js'
import { shown } from '../runner/outcome.js'
import { anyRow, Crowded } from '../runner/random-values.js'
import { anySchema, type Schema } from '../schemas/random-schemas.js'
import { runs } from '../suite.js'
import { Interleaved, type Job } from './interleaved.js'

/** A graph, the writes that prepare it, the commands of several concurrent callers, and the seed of their order. */
type Run = readonly [schema: Schema, first: readonly number[], actors: readonly (readonly number[])[], seed: number]
type Jobs = Readonly<Record<string, Job>>

const anySeeds = (least: number, most: number) =>
  fc.array(fc.noShrink(fc.nat()), { minLength: least, maxLength: most, size: 'max' })

const anyRun: fc.Arbitrary<Run> = fc.tuple(
  anySchema,
  anySeeds(0, 12),
  fc.array(anySeeds(1, 5), { minLength: 2, maxLength: 3 }),
  fc.noShrink(fc.nat()),
)

/** The number of puts of each node type at the start, so that most edges lead to a node. */
const PUTS = [1, 2, 3, 4, 5]

const writesOf = (command: Command): readonly Write[] =>
  command.does === 'write' ? [command.write] : 'writes' in command ? command.writes : []

/** Runs the callers and returns the trace. */
async function traceOf([schema, first, actors, seed]: Run, lossRate: number, jobs?: Jobs): Promise<readonly string[]> {
  const { declared } = schema.graph
  const choice = new Crowded(seed)
  const commands = new Commands(declared, 0.2, schema.layout, Crowded)
  const nodes = declared.nodes.flatMap(type =>
    PUTS.map((): Write => ({ verb: 'put', type: type.name, row: anyRow(type, choice) })),
  )
  const run = await Interleaved.of(schema, memory(), seed, lossRate)
  try {
    await run.prepare([...nodes, ...first.flatMap(each => writesOf(commands.of(each)))])
    await run.run(
      actors.map(each => each.map(one => commands.of(one))),
      jobs,
    )
  } catch (error) {
    const story = `${(error as Error).message}\n\ngraph: ${shown(schema.choices)}\n\n${run.trace.join('\n')}`
    throw Object.assign(new Error(story), { cause: error })
  }
  return run.trace
}

async function holdsAtOnce(numRuns: number, lossRate: number, jobs?: Jobs): Promise<void> {
  const holds = async (run: Run) => {
    await traceOf(run, lossRate, jobs)
  }
  await fc.assert(fc.asyncProperty(anyRun, holds), { numRuns })
}

it('concurrent calls interleaved in any order of requests are atomic', async () => {
  await holdsAtOnce(runs(80), 0)
})

it('concurrent calls with lost responses are atomic, and every addition is applied only the first time', async () => {
  await holdsAtOnce(runs(40), 0.1)
})

it('a concurrent repair does no harm, and a concurrent verification reports no finding', async () => {
  const accused: unknown[] = []
  const onFault = (fault: { readonly code: string }) => {
    // An edge without a node is allowed.
    if (fault.code !== 'edge.dangling') accused.push(fault)
  }
  await holdsAtOnce(runs(20), 0, {
    verify: opened => verify(opened, { onFault }),
    repair: opened => repair(opened, { onFault }),
  })
  expect(accused).toEqual([])
})

it('a concurrent finishDeletes deletes only rows that were being deleted', async () => {
  const finish = async (opened: object) => {
    for (let times = 0; times < 5; times++) await finishDeletes(opened)
  }
  await holdsAtOnce(runs(20), 0, { finish })
})

it('a seed reproduces the same order of requests', async () => {
  const [[schema, first, actors, seed]] = fc.sample(anyRun, { seed: 5, numRuns: 1 }) as [Run]
  const story = (drawn: number) => traceOf([schema, first, actors, drawn], 0.1)
  const once = await story(seed)
  expect(once.length).toBeGreaterThan(5)
  expect(await story(seed)).toEqual(once)
  expect(await story(seed + 1)).not.toEqual(once)
})
