import { expect, it } from 'vitest'
import { scene } from './follower-fixture.js'
import { type Member, member } from './group-member.js'

const SEEDS = 10
const STEPS = 60

function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Runs followers that start, stop and crash, on a stream that splits, repeats and lags, with failing requests. */
async function followed(seed: number) {
  const random = randomOf(seed)
  const below = (most: number) => Math.floor(random() * most)
  const lag = { ms: 0, jitterMs: 1000 }
  const made = await scene({ shards: 1 + below(4), splitAfterRecords: 5 + below(15), repeats: 0.2, lag })
  const all: Member[] = []
  let crew: Member[] = []
  const written: string[] = []
  const counts = { started: 0, stopped: 0, crashed: 0 }
  for (let step = 0; step < STEPS; step++) {
    const kind = random()
    const one = crew[below(crew.length)]
    if (kind < 0.4) {
      const names = Array.from({ length: 1 + below(6) }, (_, at) => `${step}/${at}`)
      written.push(...names)
      await made.write(...names)
    } else if (kind < 0.55 && crew.length < 4) {
      const joined = await made.time.until(member(made, seed * 1000 + step, random))
      all.push(joined)
      crew.push(joined)
      counts.started++
    } else if (kind < 0.62 && one) {
      await made.time.until(one.follow.stop())
      crew = crew.filter(each => each !== one)
      counts.stopped++
    } else if (kind < 0.69 && one) {
      one.crash()
      crew = crew.filter(each => each !== one)
      counts.crashed++
    } else await made.time.pass(below(8000))
  }
  const last = await made.time.until(member(made, seed * 1000 + STEPS, random))
  await made.time.until(last.follow.settled())
  const stats = [...all, last].map(each => each.follow.stats())
  await made.time.until(Promise.all([...crew, last].map(each => each.follow.stop())))
  const seen = new Set([...all, last].flatMap(each => each.consumer.seen))
  return { missing: written.filter(name => !seen.has(name)), stats, counts }
}

it('every record is handled once while followers start, stop and crash, without dead letters or gaps', async () => {
  const totals = { started: 0, stopped: 0, crashed: 0 }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { missing, stats, counts } = await followed(seed)
    expect({ seed, missing }).toEqual({ seed, missing: [] })
    expect({ seed, dead: stats.map(each => each.deadLettered).filter(Boolean) }).toEqual({ seed, dead: [] })
    expect({ seed, gaps: stats.flatMap(each => each.gaps) }).toEqual({ seed, gaps: [] })
    for (const kind of Object.keys(totals) as (keyof typeof totals)[]) totals[kind] += counts[kind]
  }
  expect(Math.min(...Object.values(totals))).toBeGreaterThan(SEEDS)
})
