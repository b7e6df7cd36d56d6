import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { memory as plainMemory } from '../../../src/engine/index.js'
import { open } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import { builtProgram } from '../../engine/disk/programs/build-program.js'
import { campus, recounted } from './campus.js'

async function enrolled(store = memory()) {
  const g = await open(campus, store)
  await g.course.put({ title: 'Math' })
  for (const id of ['a', 'b', 'c']) {
    await g.student.put({ id, name: `Student ${id}` })
    await g.takes.put({ course: 'Math', student: id })
  }
  return g
}

describe('a graph on an embedded store', () => {
  it('maintains its counters and copies automatically', async () => {
    const g = await enrolled()
    await g.$settled()
    expect((await g.course.get('Math'))?.students).toBe(3)
    await g.student.update('b', { name: 'Barbara' })
    await g.takes.delete({ course: 'Math', student: 'c' })
    await g.$settled()
    expect((await g.course.get('Math'))?.students).toBe(2)
    expect((await g.takes.by.course('Math').all()).map(({ name }) => name)).toEqual(['Student a', 'Barbara'])
    await g.$close()
  })

  it('reports its statistics while a graph with derived data is open', async () => {
    const store = memory()
    expect(await store.followStats('campus')).toBeUndefined()
    const g = await enrolled(store)
    await g.$settled()
    const stats = await store.followStats('campus')
    expect(stats).toMatchObject({ lagMs: 0, failed: 0, deadLettered: 0, shards: 1, gaps: [] })
    expect(stats!.applied).toBeGreaterThan(0)
    expect(await store.followStats('other')).toBeUndefined()
    await g.$close()
    expect(await store.followStats('campus')).toBeUndefined()
  })

  it('handles changes without a call of settled()', async () => {
    const g = await enrolled()
    await expect.poll(async () => (await g.course.get('Math'))?.students).toBe(3)
    await g.$close()
  })

  it('handles changes after a test stopped the clock', async () => {
    const g = await enrolled()
    await g.$settled()
    await new Promise(resolve => setImmediate(resolve))
    vi.useFakeTimers()
    await g.student.put({ id: 'd', name: 'Student d' }).finally(() => vi.useRealTimers())
    await g.takes.put({ course: 'Math', student: 'd' })
    await expect.poll(async () => (await g.course.get('Math'))?.students).toBe(4)
    await g.$close()
  })

  it('handles changes if timers are numbers, as in jsdom', async () => {
    const { setTimeout } = globalThis
    vi.stubGlobal('setTimeout', (work: () => void, delayMs: number) => Number(setTimeout(work, delayMs)))
    const g = await enrolled().finally(() => vi.unstubAllGlobals())
    await expect.poll(async () => (await g.course.get('Math'))?.students).toBe(3)
    await g.$close()
  })

  it('has one follower until its last handle is closed', async () => {
    const store = memory()
    const g = await enrolled(store)
    const other = await open(campus, store)
    await g.$close()
    await other.student.put({ id: 'd', name: 'D' })
    await other.takes.put({ course: 'Math', student: 'd' })
    await other.$settled()
    expect((await other.course.get('Math'))?.students).toBe(4)
    await other.$close()
    await store.updateItem({
      TableName: 'campus',
      Key: other.course.keyOf('Math'),
      UpdateExpression: 'SET x = :x',
      ExpressionAttributeValues: { ':x': { N: '1' } },
    })
    await expect(other.$settled()).rejects.toMatchObject({ code: 'open.follow' })
  })

  it('an embedded graph is maintained with the layout that was opened last, while an older one is open', async () => {
    const store = memory()
    const g = await enrolled(store)
    await g.$settled()
    await backfill(recounted, store)
    const h = await open(recounted, store)
    const joins = async (id: string) => {
      await h.student.put({ id, name: id })
      await h.takes.put({ course: 'Math', student: id })
      await h.$settled()
      return (await h.student.get(id))?.courses
    }
    expect(await joins('d')).toBe(1)
    expect((await verify(h)).faults).toEqual({})
    await g.$close()
    await g.$close()
    expect(await joins('e')).toBe(1)
    await h.$close()
    expect(await store.followStats('campus')).toBeUndefined()
  })

  it("has no follower with 'follow: false' or a bare engine, and reports that", async () => {
    const unkept = await open(campus, memory(), { follow: false })
    await expect(unkept.$settled()).rejects.toMatchObject({ code: 'open.follow' })
    const plain = await open(campus, plainMemory())
    await expect(plain.$settled()).rejects.toMatchObject({ code: 'open.follow' })
  })

  it('waits for a stream with a lag', async () => {
    const g = await enrolled(memory({ streams: { lag: 120 } }))
    await g.$settled()
    expect((await g.course.get('Math'))?.students).toBe(3)
    await g.$close()
  })

  it('follows shards that split', async () => {
    const g = await enrolled(memory({ streams: { splitAfterRecords: 4, shards: 2 } }))
    for (let at = 0; at < 40; at++) {
      await g.student.put({ id: `s${at}`, name: 'S' })
      await g.takes.put({ course: 'Math', student: `s${at}` })
    }
    await g.$settled()
    expect((await g.course.get('Math'))?.students).toBe(43)
    await g.$close()
  })

  it('an embedded graph is repaired after changes were missed for over a day', async () => {
    let nowMs = Date.parse('2026-01-01T00:00:00Z')
    const now = () => nowMs
    const store = memory({ now })
    const first = await enrolled(store)
    await first.$settled()
    await first.$close()
    const unkept = await open(campus, store, { follow: false, clock: now })
    await unkept.student.put({ id: 'missed', name: 'Missed' })
    await unkept.takes.put({ course: 'Math', student: 'missed' })
    await unkept.student.update('a', { name: 'Ann' })
    nowMs += 25 * 3600 * 1000
    const g = await open(campus, store, { clock: now })
    await g.$settled()
    expect((await g.course.get('Math'))?.students).toBe(4)
    expect((await g.takes.by.course('Math').all())[0]?.name).toBe('Ann')
    await g.$close()
  })

  it('does not keep the process alive, unless settled() is awaited', async () => {
    const program = await builtProgram(new URL('settle-and-exit.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 })
    expect(stdout).toBe('1\n')
  })
})
