import { describe, expect, it } from 'vitest'
import { openBatch, pageRank, runJob, type SummaryJob, sqlJob } from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { edge, graph, integer, node, open, string, summary } from '../../src/index.js'

const user = node('user', { id: string(), rank: summary(), reverse: summary(), size: summary(integer()) }, { id: 'id' })
const follow = edge('follow', { follower: user, followed: user }, {})
const social = graph('social', [user, follow])

async function small() {
  const store = memory()
  let nowMs = Date.parse('2026-11-01T00:00:00Z')
  const g = await open(social, store, { clock: () => nowMs })
  for (const id of ['ann', 'bob', 'cy']) await g.user.put({ id })
  await g.follow.put({ follower: 'ann', followed: 'bob' })
  const dataAt = (hours = 0) => {
    nowMs += hours * 3_600_000
    return openBatch(social, { from: { store }, clock: () => nowMs, threads: 1 })
  }
  const pass = (hours: number) => {
    nowMs += hours * 3_600_000
  }
  return { g, store, dataAt, pass }
}

describe('two jobs of one name', () => {
  const ranks = pageRank({ edge: 'follow', node: 'user', into: 'rank' })

  it('both run with the same data if they differ in their target, their options or their SQL', async () => {
    const { g, dataAt } = await small()
    await using data = await dataAt()
    expect(await runJob(g, data, ranks)).toMatchObject({ ranBefore: false, written: 3 })
    const reverse = pageRank({ edge: 'follow', from: 'followed', node: 'user', into: 'reverse' })
    expect(reverse.name).toBe(ranks.name)
    expect(await runJob(g, data, reverse)).toMatchObject({ ranBefore: false, written: 3 })
    expect((await g.user.get('ann'))!.reverse).toBeGreaterThan((await g.user.get('ann'))!.rank!)
    for (const job of [ranks, reverse]) expect(await runJob(g, data, job)).toMatchObject({ ranBefore: true })
  })

  it('compute again after a change of the SQL', async () => {
    const { g, dataAt, pass } = await small()
    await using data = await dataAt()
    const sized = (size: number): SummaryJob =>
      sqlJob({ name: 'size', type: 'user', into: { n: 'size' }, sql: `SELECT id, ${size} AS n FROM "user"` })
    expect(await runJob(g, data, sized(1))).toMatchObject({ written: 3 })
    pass(1)
    expect(await runJob(g, data, sized(2))).toMatchObject({ ranBefore: false, written: 3 })
    expect((await g.user.get('ann'))!.size).toBe(2)
    expect(await runJob(g, data, sized(2))).toMatchObject({ ranBefore: true })
  })
})

describe('a job whose last run ended after the moment of this export', () => {
  const size = sqlJob({
    name: 'size',
    type: 'user',
    into: { n: 'size' },
    sql: 'SELECT followed AS id, count(*) AS n FROM follow GROUP BY followed',
  })

  it('compares with the live items, so that no value of the earlier data stays', async () => {
    const { g, dataAt, pass } = await small()
    await using first = await dataAt()
    await runJob(g, first, size)
    await g.follow.put({ follower: 'cy', followed: 'bob' })
    await using early = await dataAt(1)
    await g.follow.delete({ follower: 'cy', followed: 'bob' })
    await using late = await dataAt(1)
    pass(1)
    expect(await runJob(g, early, size)).toMatchObject({ written: 1 })
    expect((await g.user.get('bob'))!.size).toBe(2)
    expect(await runJob(g, late, size)).toMatchObject({ changed: 1, written: 1, skipped: 0 })
    expect((await g.user.get('bob'))!.size).toBe(1)
    await using next = await dataAt(1)
    expect(await runJob(g, next, size)).toMatchObject({ changed: 0, written: 0 })
  })

  it('a job that was killed while it wrote compares with the live items too', async () => {
    const { g, dataAt, pass } = await small()
    await using first = await dataAt()
    await runJob(g, first, size)
    await g.follow.put({ follower: 'cy', followed: 'bob' })
    await using early = await dataAt(1)
    await g.follow.delete({ follower: 'cy', followed: 'bob' })
    await using late = await dataAt(1)
    pass(1)
    const progress = () => Promise.reject(new Error('killed'))
    await expect(runJob(g, early, size, { progress })).rejects.toThrow('killed')
    expect((await g.user.get('bob'))!.size).toBe(2)
    expect(await runJob(g, late, size, { dryRun: true })).toMatchObject({ changed: 1 })
    await expect(runJob(g, late, size, { progress })).rejects.toThrow('killed')
    expect((await g.user.get('bob'))!.size).toBe(1)
    await using next = await dataAt(1)
    expect(await runJob(g, next, size)).toMatchObject({ changed: 0 })
  })

  it('leaves deleted nodes deleted', async () => {
    const { g, dataAt, pass } = await small()
    await using first = await dataAt()
    await using second = await dataAt(1)
    pass(1)
    await runJob(g, first, size)
    await g.user.delete('bob', { edges: 'cascade' })
    await g.user.put({ id: 'cy' })
    expect(await runJob(g, second, size)).toMatchObject({ written: 0, skipped: 1 })
    expect(await g.user.get('bob')).toBeUndefined()
  })
})
