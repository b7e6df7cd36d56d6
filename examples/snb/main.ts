/** `npm run example -- snb`: the reads of a generated network, with their price. PERSONS and SEED choose another. */
import { memory } from 'edgewise/engine'
import { generate } from './generate.js'
import { load } from './load.js'
import { Meter } from './meter.js'
import type { Ask } from './queries.js'
import { BATCH_READS, parametersOf, READS, type ReadName } from './reads.js'
import { Seeded } from './seeded.js'

/** The number of reads of each kind. The output shows their median and maximum price. */
const RUNS = 25

const { PERSONS = '100', SEED = '1' } = process.env
const rows = generate({ persons: Number(PERSONS), seed: Number(SEED) })
const g = await load(rows, memory())
const parameters = parametersOf(rows)

const counts = Object.values(rows).map(all => all.length)
console.log(`SNB-derived reads: ${rows.person.length} people, ${counts.reduce((a, b) => a + b, 0)} nodes and edges.`)
console.table(Object.fromEntries(await inTurn(Object.keys(READS) as ReadName[], priceOf)))
console.log('Left to a batch job:')
for (const [name, why] of Object.entries(BATCH_READS)) console.log(`  ${name}: ${why}`)
await g.$close()

async function inTurn<T, R>(each: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const one of each) results.push(await run(one))
  return results
}

/** The median and maximum price of a read. */
async function priceOf(name: ReadName) {
  const random = new Seeded(Number(SEED))
  const { what, read } = READS[name] as { what: string; read: (ask: Ask, given: unknown) => Promise<unknown> }
  const meters = await inTurn(Array.from({ length: RUNS }), async () => {
    const meter = new Meter()
    await read({ g, meter }, parameters[name](random))
    return meter
  })
  const middle = Math.floor(RUNS / 2)
  const requests = meters.map(meter => meter.requests).sort((a, b) => a - b)
  const units = meters.map(meter => meter.units).sort((a, b) => a - b)
  return [
    name,
    {
      what,
      requests: requests[middle],
      'requests at most': requests.at(-1),
      'read units': units[middle],
      'read units at most': units.at(-1),
    },
  ] as const
}
