import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { add, counter, edge, graph, integer, node, open, string } from '../../../src/index.js'
import { wrap } from '../../../src/store/wrap.js'
import { Random } from '../../derive/simulator/random.js'
import { Actor, Schedule } from '../../derive/simulator/schedule.js'
import { ModelClock } from '../model/runner/handles.js'
import { outcomeOf } from '../model/runner/outcome.js'

const SEEDS = 30
const TOKEN = { token: 'order-4711', tokenTtlSeconds: 60 }

/** A node with a blind addition, a node that is read first, and a counted edge. */
const stock = node(
  'stock',
  { id: string(), free: integer(), held: integer({ min: 0, max: 99 }), marks: counter() },
  { id: 'id' },
)
const marks = edge('marks', { of: stock, who: stock }, {}, { count: { of: 'marks' } })
const stocks = graph('stocks', [stock, marks])

/** Runs concurrent calls under one token by separate handles in a random order of requests. */
async function raced(seed: number) {
  const store = memory()
  const random = new Random(seed)
  const schedule = new Schedule(random)
  const alone = await open(stocks, store)
  await alone.stock.put({ id: 'a', free: 0, held: 0 })
  let nowMs = Date.UTC(2026, 0, 1)
  const caller = async (at: number) => {
    const actor = new Actor(`${at}`, false)
    const turned = wrap(store, async (_, request, options, send) => {
      await schedule.turn(actor)
      return send(request, options)
    })
    const retry = { clock: new ModelClock(), random: () => random.next() }
    return open(stocks, turned, { create: false, retry, clock: () => nowMs })
  }
  const kinds = {
    free: (g: typeof alone) => g.stock.update('a', { free: add(1) }),
    held: (g: typeof alone) => g.stock.update('a', { held: add(1) }),
    marks: (g: typeof alone) => g.marks.put({ of: 'a', who: 'b' }),
  }
  const round = async () => {
    const asked = Array.from({ length: 3 }, () => random.pick(Object.keys(kinds) as (keyof typeof kinds)[]))
    const work = asked.map(async (name, at) => {
      const g = await caller(at)
      const call = kinds[name](g)
      const run = () => (random.chance(0.5) ? g.$transact([call], TOKEN) : call.run(TOKEN))
      return { name, code: (await outcomeOf<unknown>(run)).code }
    })
    let ends: Awaited<(typeof work)[number]>[] | undefined
    void Promise.all(work).then(all => {
      ends = all
    })
    while (!ends) if (!(await schedule.step())) await new Promise(resolve => setImmediate(resolve))
    return ends
  }
  const first = await round()
  const then = await alone.stock.get('a')
  nowMs += 61_000
  const second = await round()
  return { first, then, second, last: await alone.stock.get('a') }
}

it('only one of several concurrent calls under one token is applied, and one more after the token expires', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { first, then, second, last } = await raced(seed)
    for (const ends of [first, second]) {
      const done = new Set(ends.filter(({ code }) => code === undefined).map(({ name }) => name))
      expect(done.size, `${seed}`).toBe(1)
      for (const { name, code } of ends) expect(code, `${seed}`).toBe(done.has(name) ? undefined : 'write.token')
    }
    const [one] = first.filter(({ code }) => code === undefined)
    const [other] = second.filter(({ code }) => code === undefined)
    const made = { free: 0, held: 0, marks: 0, [one!.name]: 1 }
    expect(then, `${seed}`).toMatchObject(made)
    // An edge that is put twice exists once.
    const more = other!.name === 'marks' ? 1 : made[other!.name] + 1
    expect(last, `${seed}`).toMatchObject({ ...made, [other!.name]: more })
  }
})
