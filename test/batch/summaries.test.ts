import { describe, expect, it } from 'vitest'
import {
  degree,
  hopCounts,
  openBatch,
  pageRank,
  type RunJobOptions,
  recommendations,
  runJob,
  type SummaryJob,
  sqlJob,
  summaryStamps,
} from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { add, edge, graph, integer, list, metered, node, open, type Store, string, summary } from '../../src/index.js'
import { verify } from '../../src/jobs/index.js'

const user = node(
  'user',
  {
    id: string(),
    name: string().optional(),
    visits: integer().default(0),
    rank: summary(),
    followers: summary(integer()),
    friends: summary(list(string())),
  },
  { id: 'id', by: { rank: { order: ['rank'] } } },
)
const follow = edge(
  'follow',
  { follower: user, followed: user },
  { no: integer(), strength: summary(integer()) },
  { by: { followed: { as: 'mirror' } } },
)
const social = graph('social', [user, follow])

/** Edges with a mirror whose key contains an attribute. */
const visit = edge(
  'visit',
  { guest: user, host: user },
  { no: integer(), hours: summary(integer()) },
  { by: { host: { as: 'mirror', order: ['no'] } } },
)
const visits = graph('visits', [user, visit])

const followers = degree({ edge: 'follow', from: 'followed', node: 'user', into: 'followers' })
const strengths = sqlJob({
  name: 'strengths',
  type: 'follow',
  into: { strength: 'strength' },
  sql: 'SELECT follower, followed, no * 10 AS strength FROM follow',
})

async function small() {
  const { store, meter } = metered(memory())
  let nowMs = Date.parse('2026-11-01T00:00:00Z')
  const g = await open(social, store, { create: true, clock: () => nowMs })
  for (const id of ['ann', 'bob', 'cy', 'dan']) await g.user.put({ id })
  for (const [no, follower] of ['ann', 'cy', 'dan'].entries()) await g.follow.put({ follower, followed: 'bob', no })
  await g.follow.put({ follower: 'bob', followed: 'cy', no: 7 })
  const later = (hours = 1) => {
    nowMs += hours * 3_600_000
    return nowMs
  }
  const dataAt = (of: Store = store) => openBatch(social, { from: { store: of }, clock: () => nowMs, threads: 1 })
  const run = async (job: SummaryJob, options?: RunJobOptions) => {
    await using data = await dataAt()
    return await runJob(g, data, job, options)
  }
  return { g, store, meter, later, dataAt, run }
}

const rankings = async (g: Awaited<ReturnType<typeof small>>['g']) =>
  (await g.user.by.rank().reverse().all()).map(({ id }) => id)

describe('a summary', () => {
  it('a summary is absent before the first job, and has a place in paths afterwards', async () => {
    const { g, run } = await small()
    expect(await g.user.get('ann')).toEqual({ id: 'ann', visits: 0 })
    expect(await rankings(g)).toEqual([])
    await run(pageRank({ edge: 'follow', node: 'user', into: 'rank' }))
    expect((await rankings(g)).slice(0, 2).sort()).toEqual(['bob', 'cy'])
    expect((await g.user.get('bob'))!.rank).toBeGreaterThan((await g.user.get('ann'))!.rank!)
  })

  it('other writes neither set a summary nor lose it', async () => {
    const { g, run } = await small()
    await run(followers)
    const row = (await g.user.get('bob'))!
    expect(row.followers).toBe(3)
    await g.user.put({ id: 'bob', name: 'Bob' })
    await g.user.update('bob', { visits: add(2) })
    await g.user.update('bob', { name: 'Robert' })
    await g.user.put({ ...row, followers: 99 })
    await g.$transact([g.user.put({ id: 'bob', name: 'B' })])
    await g.$batch([g.user.put({ id: 'bob', name: 'Bo' })])
    expect(await g.user.get('bob')).toEqual({ id: 'bob', name: 'Bo', visits: 0, followers: 3 })
    await g.user.put({ id: 'eve', followers: 5 })
    expect(await g.user.get('eve')).toEqual({ id: 'eve', visits: 0 })
  })

  it('the summary of an edge is the same from both ends, and stays', async () => {
    const { g, run } = await small()
    await run(strengths)
    const fromBoth = async () => [
      await g.follow.by.follower('dan').all(),
      (await g.follow.by.followed('bob').all()).filter(({ follower }) => follower === 'dan'),
    ]
    const row = { follower: 'dan', followed: 'bob', no: 2, strength: 20 }
    expect(await fromBoth()).toEqual([[row], [row]])
    await g.follow.update({ follower: 'dan', followed: 'bob' }, { no: 3 })
    expect(await fromBoth()).toEqual([[{ ...row, no: 3 }], [{ ...row, no: 3 }]])
    await g.follow.put({ follower: 'dan', followed: 'bob', no: 4 })
    expect(await fromBoth()).toEqual([[{ ...row, no: 4 }], [{ ...row, no: 4 }]])
    const found: unknown[] = []
    await verify(g, { onFault: fault => found.push(fault) })
    expect(found).toEqual([])
  })

  it('the summary of an edge is in the mirror that a put or an update moves', async () => {
    const store = memory()
    const g = await open(visits, store)
    for (const id of ['ann', 'bob']) await g.user.put({ id })
    await g.visit.put({ guest: 'ann', host: 'bob', no: 1 })
    await using data = await openBatch(visits, { from: { store }, threads: 1 })
    const sql = 'SELECT guest, host, 10 * no AS hours FROM visit'
    await runJob(g, data, sqlJob({ name: 'hours', type: 'visit', into: { hours: 'hours' }, sql }))
    await g.visit.put({ guest: 'ann', host: 'bob', no: 2 })
    expect(await g.visit.by.host('bob').all()).toEqual([{ guest: 'ann', host: 'bob', no: 2, hours: 10 }])
    await g.visit.update({ guest: 'ann', host: 'bob' }, { no: 3 })
    expect(await g.visit.by.host('bob').all()).toEqual([{ guest: 'ann', host: 'bob', no: 3, hours: 10 }])
    const found: unknown[] = []
    await verify(g, { onFault: fault => found.push(fault) })
    expect(found).toEqual([])
  })

  it('a summary is not written to an edge whose mirror was replaced since, so that both items agree', async () => {
    const store = memory()
    const g = await open(visits, store)
    await g.visit.put({ guest: 'ann', host: 'bob', no: 1 })
    await using data = await openBatch(visits, { from: { store }, threads: 1 })
    // Another program deletes the edge and leaves its mirror, and then the edge is created with another mirror.
    await store.deleteItem({ TableName: 'visits', Key: { PK: { S: 'user#ann' }, SK: { S: 'visit#bob' } } })
    await g.visit.put({ guest: 'ann', host: 'bob', no: 2 })
    const sql = 'SELECT guest, host, 10 * no AS hours FROM visit'
    const job = sqlJob({ name: 'hours', type: 'visit', into: { hours: 'hours' }, sql })
    expect(await runJob(g, data, job)).toMatchObject({ changed: 1, written: 0, skipped: 1 })
    expect(await g.visit.get({ guest: 'ann', host: 'bob' })).toEqual({ guest: 'ann', host: 'bob', no: 2 })
  })

  it('has a stamp with the time of its computation and the moment of its data', async () => {
    const { g, run } = await small()
    expect(await summaryStamps(g, 'user', 'bob')).toEqual({})
    await run(followers)
    const at = new Date('2026-11-01T00:00:00Z')
    expect(await summaryStamps(g, 'user', 'bob')).toEqual({ followers: { computedAt: at, dataAt: at } })
  })

  it('cannot have a modifier of its own, or an order without one text or number', () => {
    expect(() => summary(string().optional() as never)).toThrow('summary(): the string() has a modifier of its own')
    const declared = () =>
      node('n', { id: string(), s: summary(list(string())) }, { id: 'id', by: { s: { order: ['s'] } } })
    expect(declared).toThrow("'s' in 'by.s' is a summary")
    expect(() => node('n', { id: string(), s: summary() }, { id: 's' as never })).toThrow("'s' in 'id' is a summary")
  })
})

describe('a job', () => {
  it('writes only what changed, and nothing when it runs again with the same data', async () => {
    const { g, meter, later, dataAt, run } = await small()
    expect(await run(followers)).toMatchObject({ changed: 4, written: 4, skipped: 0, ranBefore: false })
    await using same = await dataAt()
    meter.reset()
    expect(await runJob(g, same, followers)).toMatchObject({ written: 0, ranBefore: true })
    expect(meter.snapshot().requests).toEqual({ getItem: 1 })
    later()
    expect(await run(followers)).toMatchObject({ changed: 0, written: 0, ranBefore: false })
    await g.follow.put({ follower: 'ann', followed: 'dan', no: 1 })
    later()
    expect(await run(followers)).toMatchObject({ changed: 1, written: 1 })
    expect((await g.user.get('dan'))!.followers).toBe(1)
  })

  it('leaves what was deleted since, and live writes', async () => {
    const { g, dataAt } = await small()
    await using data = await dataAt()
    await g.user.delete('ann', { edges: 'cascade' })
    await g.user.update('bob', { name: 'Bob' })
    expect(await runJob(g, data, followers)).toMatchObject({ changed: 4, written: 3, skipped: 1 })
    expect(await g.user.get('ann')).toBeUndefined()
    expect(await g.user.get('bob')).toEqual({ id: 'bob', name: 'Bob', visits: 0, followers: 3 })
  })

  it('never replaces a summary of later data', async () => {
    const { g, later, dataAt } = await small()
    await using early = await dataAt()
    await g.follow.put({ follower: 'cy', followed: 'ann', no: 1 })
    later()
    await using late = await dataAt()
    await runJob(g, late, followers)
    await expect(runJob(g, early, followers)).rejects.toMatchObject({ code: 'batch.job' })
    // Another job of the same summaries finds it by their stamps.
    expect(await runJob(g, early, { ...followers, name: 'other' })).toMatchObject({ written: 0, skipped: 4 })
    expect((await g.user.get('ann'))!.followers).toBe(1)
  })

  it('continues where it was interrupted', async () => {
    const { g, dataAt } = await small()
    for (let at = 0; at < 500; at++) await g.user.put({ id: `u${at}` })
    await using data = await dataAt()
    let cursor: string | undefined
    const stop = new Error('stopped')
    const progress = (at: { cursor: string | undefined }) => {
      cursor = at.cursor
      throw stop
    }
    await expect(runJob(g, data, followers, { progress })).rejects.toBe(stop)
    const left = await runJob(g, data, followers, { cursor })
    expect(left).toMatchObject({ changed: 304, written: 304, skipped: 0 })
    const all = await g.user.scan().all()
    expect(all.every(row => row.followers === (row.id === 'bob' ? 3 : row.id === 'cy' ? 1 : 0))).toBe(true)
    await expect(runJob(g, data, { ...followers, name: 'x' }, { cursor: 'none' })).rejects.toMatchObject({
      code: 'cursor.invalid',
    })
  })

  it('loses no live write and brings no deleted node back, though it was killed on its way', async () => {
    const { g, dataAt } = await small()
    const ids = Array.from({ length: 600 }, (_, at) => `u${at}`)
    for (const id of ids) await g.user.put({ id })
    await using data = await dataAt()
    const alive = new Set(ids)
    let turn = 0
    const write = async () => {
      for (let at = 0; at < 30; at++) {
        const id = ids[(turn++ * 7) % ids.length]!
        if (turn % 3 === 0 && alive.delete(id)) await g.user.delete(id)
        else if (alive.has(id)) await g.user.update(id, { visits: add(1) })
      }
    }
    let blocks = 0
    const progress = async () => {
      await write()
      if (++blocks === 2) throw new Error('killed')
    }
    const [killed] = await Promise.allSettled([runJob(g, data, followers, { progress }), write()])
    expect(killed.status).toBe('rejected')
    const [again] = await Promise.all([runJob(g, data, followers), write()])
    expect(again.skipped).toBeGreaterThan(0)
    const rows = (await g.user.scan().all()).filter(({ id }) => id.startsWith('u'))
    expect(rows.map(({ id }) => id).sort()).toEqual([...alive].sort())
    expect(rows.every(row => row.followers === 0)).toBe(true)
    expect(rows.reduce((sum, { visits }) => sum + visits, 0)).toBeGreaterThan(0)
    expect(await runJob(g, data, followers)).toMatchObject({ written: 0, ranBefore: true })
  })

  it('leaves an edge that cannot be read, reports its key and writes all others', async () => {
    const { g, store, dataAt } = await small()
    const Key = { PK: { S: 'user#cy' }, SK: { S: 'follow#bob' } }
    await store.updateItem({
      TableName: 'social',
      Key,
      UpdateExpression: 'SET #n = :v',
      ExpressionAttributeNames: { '#n': 'no' },
      ExpressionAttributeValues: { ':v': { S: 'many' } },
    })
    await using data = await dataAt()
    const ones = sqlJob({
      name: 'ones',
      type: 'follow',
      into: { one: 'strength' },
      sql: 'SELECT follower, followed, 1 AS one FROM follow',
    })
    for (const dryRun of [true, false]) {
      const unreadable: unknown[] = []
      const onUnreadable = (row: unknown) => void unreadable.push(row)
      const result = await runJob(g, data, ones, { dryRun, onUnreadable })
      expect(result).toMatchObject({ changed: 3, written: dryRun ? 0 : 3, skipped: 0, unreadable: 1 })
      expect(unreadable).toEqual([{ key: Key, message: expect.stringContaining('follow.no') }])
    }
    expect((await g.follow.get({ follower: 'ann', followed: 'bob' }))!.strength).toBe(1)
  })

  it('prices a dry run as the writes then cost', async () => {
    const { dataAt, g, meter } = await small()
    await using data = await dataAt()
    const rank = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
    meter.reset()
    const dry = await runJob(g, data, rank, { dryRun: true })
    expect(dry).toMatchObject({ changed: 4, written: 0, skipped: 0 })
    expect(meter.snapshot().requests).toEqual({ getItem: 1 })
    const done = await runJob(g, data, rank)
    expect(done.writeUnits).toBe(dry.writeUnits)
    expect(done.dollars).toBeCloseTo((dry.writeUnits * 0.625) / 1e6, 12)
    const dryEdges = await runJob(g, data, strengths, { dryRun: true })
    expect((await runJob(g, data, strengths)).writeUnits).toBe(dryEdges.writeUnits)
  })

  it('writes lists, and removes what the result no longer has', async () => {
    const { g, later, run } = await small()
    await run(recommendations({ edge: 'follow', node: 'user', into: 'friends', top: 2 }))
    expect((await g.user.get('ann'))!.friends).toEqual(['cy', 'dan'])
    later()
    const none = sqlJob({
      name: 'none',
      type: 'user',
      into: { friends: 'friends' },
      sql: 'SELECT id, NULL AS friends FROM "user" WHERE false',
    })
    expect(await run(none)).toMatchObject({ written: 4 })
    expect(await g.user.get('ann')).toEqual({ id: 'ann', visits: 0 })
  })

  it('a job is held to a rate of write units', async () => {
    const store = memory()
    let nowMs = 0
    const clock = {
      now: () => nowMs,
      sleep: async (ms: number) => {
        nowMs += ms
      },
    }
    const g = await open(social, store, { retry: { clock } })
    for (let at = 0; at < 40; at++) await g.user.put({ id: `u${at}` })
    await using data = await openBatch(social, { from: { store } })
    const { writeUnits } = await runJob(g, data, followers, { writeUnits: 10 })
    // The requests in flight at the end are beyond the rate.
    expect(nowMs).toBeGreaterThan(((writeUnits - 20) / 10) * 1000)
  })

  it('takes ids of several parts, owners and tenants', async () => {
    const org = node('org', { name: string() }, { id: 'name' })
    const team = node(
      'team',
      { name: string(), no: integer(), size: summary(integer()) },
      { id: ['name', 'no'], within: org },
    )
    const member = edge('member', { team, org }, {})
    const tenants = graph('tenants', [org, team, member], { tenant: true })
    const store = memory()
    const all = await open(tenants, store)
    for (const tenant of ['a', 'b']) {
      const g = all.$tenant(tenant)
      await g.org.put({ name: 'x#' })
      await g.team.put({ org: 'x#', name: 't', no: -1 })
      await g.member.put({ team: { org: 'x#', name: 't', no: -1 }, org: 'x#' })
      if (tenant === 'b') {
        await g.org.put({ name: 'y' })
        await g.member.put({ team: { org: 'x#', name: 't', no: -1 }, org: 'y' })
      }
    }
    await using data = await openBatch(tenants, { from: { store } })
    await runJob(all, data, degree({ edge: 'member', from: 'team', node: 'team', into: 'size' }))
    const sizeIn = async (tenant: string) => (await all.$tenant(tenant).team.scan().all()).map(({ size }) => size)
    expect([await sizeIn('a'), await sizeIn('b')]).toEqual([[1], [2]])
    const sql =
      'SELECT tenant, team_org AS org, team_name AS name, team_no AS no, 100 + count(*) AS n FROM member GROUP BY ALL'
    await runJob(all, data, sqlJob({ name: 'sizes', type: 'team', into: { n: 'size' }, sql }))
    expect(await sizeIn('a')).toEqual([1])
  })

  it('refuses what does not fit the graph', async () => {
    const { run, g } = await small()
    const job = (change: object) =>
      sqlJob({ ...{ name: 'x', type: 'user', into: { n: 'rank' }, sql: 'SELECT id, 1 AS n FROM "user"' }, ...change })
    await expect(run(job({ type: 'none' }))).rejects.toThrow("the graph has no type 'none'")
    await expect(run(job({ into: { n: 'name' } }))).rejects.toThrow("'user.name' is not a summary")
    await expect(run(job({ into: { m: 'rank' } }))).rejects.toThrow("the result has no column 'm'")
    await expect(run(job({ sql: 'SELECT followed AS id, 1 AS n FROM follow' }))).rejects.toThrow('has several rows of')
    await expect(run(job({ sql: 'SELECT' }))).rejects.toMatchObject({ code: 'batch.sql' })
    await expect(run(pageRank({ edge: 'follow', from: 'x', node: 'user', into: 'rank' }))).rejects.toThrow(
      "has no end 'x'",
    )
    expect(() => pageRank({ edge: 'follow', node: 'user', into: { x: 'rank' } })).toThrow("no column 'x'")
    expect(() => pageRank({ edge: 'follow', node: 'user', into: 'rank', iteration: 2 } as never)).toThrow('iteration')
    expect(() => hopCounts({ edge: 'follow', node: 'user', into: 'rank', hops: 0 })).toThrow(
      "hopCounts(): 'hops' is not a whole number from 1; correct it.",
    )
    const store = memory()
    await open(graph('others', [user]), store)
    await using data = await openBatch(graph('others', [user]), { from: { store } })
    await expect(runJob(g, data, followers)).rejects.toThrow('the data and the graph have different layouts')
  })
})
