import { describe, expect, it } from 'vitest'
import type { FollowerContext } from '../../../src/derive/follow/follower-context.js'
import { mergeGaps } from '../../../src/derive/follow/gap.js'
import { GapRepair } from '../../../src/derive/follow/gap-repair.js'
import type { Lease, OpenGap } from '../../../src/derive/follow/lease.js'
import { selectLeasesToTake } from '../../../src/derive/follow/shard-assignment.js'
import { findReadableLeases } from '../../../src/derive/follow/shards.js'
import { findStreamSources, removeStaleLeases } from '../../../src/derive/follow/streams.js'

const HOUR_MS = 3_600_000

const lease = (shard: string, more: Partial<Lease> = {}): Lease => ({
  stream: 'stream',
  shard,
  owner: undefined,
  counter: 1,
  untilMs: 0,
  after: undefined,
  throughMs: 5 * HOUR_MS,
  done: true,
  ...more,
})

describe('what is known of a shard that is no more', () => {
  const shards = [{ stream: 'stream', shard: 'child', parent: 'parent' }]
  const sources = { streams: [{ arn: 'stream', createdMs: 0, shards }], unknownMs: 20 * HOUR_MS }

  it.each([
    ['is kept while its child has no lease, which begins where it was left', [lease('parent')], []],
    ['goes when its child has one', [lease('parent'), lease('child', { done: false })], ['parent']],
  ])('%s', async (_, leases, gone) => {
    const removed: string[] = []
    const ledger = { remove: async ({ shard }: Lease) => void removed.push(shard) }
    const following = { ledger, settings: { clock: () => 21 * HOUR_MS } } as unknown as FollowerContext
    await removeStaleLeases(following, sources, leases)
    expect(removed).toEqual(gone)
    const [child] = findReadableLeases(sources.streams, leases, sources.unknownMs)
    expect(child).toMatchObject({ shard: 'child', throughMs: 5 * HOUR_MS })
  })
})

describe('a follower that has nothing to read', () => {
  const held = (...owners: string[]) => owners.map((owner, at) => lease(`s${at}`, { owner, untilMs: 100, done: false }))
  const taken = (leases: readonly Lease[]) =>
    selectLeasesToTake(leases, { name: 'me', held: new Set(), nowMs: 10, random: () => 0 }).map(({ owner }) => owner)

  it.each([
    ['takes one of those that have two, of whom none has more than a share', held('a', 'a', 'b', 'b'), ['a']],
    ['takes one of whoever has the most', held('a', 'b', 'b', 'b'), ['b']],
    ['leaves what others have where each has one', held('a', 'b'), []],
  ])('%s', (_, leases, owners) => {
    expect(taken(leases)).toEqual(owners)
  })
})

describe('several gaps', () => {
  const gap = (sinceMs: number, untilMs: number, ...shards: string[]) =>
    ({ reason: 'trimmed', sinceMs, untilMs, shards }) as const

  it.each([
    ['are healed as one that has them all', [gap(5, 7, 'a'), gap(2, 6, 'b'), gap(3, 9, 'c')], gap(2, 9, 'a', 'b', 'c')],
    ['of which one is of the whole stream are of the whole stream', [gap(5, 7, 'a'), gap(2, 6)], gap(2, 7)],
  ])('%s', (_, gaps, whole) => {
    expect(mergeGaps(gaps)).toEqual(whole)
  })

  it('are healed as far as nobody else is at work on them', async () => {
    const healed: string[][] = []
    const ledger = { claimGap: async (id: string) => id !== 'faster', closeGap: async () => undefined }
    const heal = async ({ shards }: { shards: readonly string[] }) => void healed.push([...shards])
    const settings = { clock: () => 10, leaseMs: 1000, listener: () => undefined, heal }
    const healing = new GapRepair({ ledger, settings, lookAgain: () => undefined } as unknown as FollowerContext)
    const open = (id: string, claimedUntilMs: number): OpenGap => ({ ...gap(0, 1, id), id, claimedUntilMs })
    await healing.repairGaps([open('free', 0), open('faster', 0), open('theirs', 11), open('left', 10)])
    await healing.waitUntilIdle()
    expect(healed).toEqual([['free', 'left']])
  })
})

describe('a gap that is found while another is healed', () => {
  it('is claimed only when that is done, so that it does not wait for a claim of which nothing comes', async () => {
    const about = { reason: 'trimmed', sinceMs: 0, untilMs: 1, claimedUntilMs: 0 } as const
    const gap = (id: string): OpenGap => ({ ...about, id, shards: [id] })
    const claims: string[] = []
    const closed: string[] = []
    const ledger = {
      claimGap: async (id: string) => claims.push(id) > 0,
      closeGap: async (id: string) => void closed.push(id),
    }
    let heal: () => void = () => undefined
    const settings = {
      clock: () => 10,
      leaseMs: 1000,
      listener: () => undefined,
      heal: () =>
        new Promise<void>(resolve => {
          heal = resolve
        }),
    }
    const healing = new GapRepair({ ledger, settings, lookAgain: () => undefined } as unknown as FollowerContext)
    await healing.repairGaps([gap('a')])
    await healing.repairGaps([{ ...gap('a'), claimedUntilMs: 1010 }, gap('b')])
    expect(claims).toEqual(['a', 'a'])
    heal()
    await healing.waitUntilIdle()
    expect(closed).toEqual(['a'])
    await healing.repairGaps([gap('b')])
    expect(claims.at(-1)).toBe('b')
    heal()
    await healing.waitUntilIdle()
    expect(closed).toEqual(['a', 'b'])
  })
})

it('a group that another took in the same moment is looked at again, and not read where it is of another table', async () => {
  const refusal = new Error('of another table')
  const asked: string[] = []
  const ledger = {
    keepStream: async () => false,
    readFor: async (table: string) => {
      asked.push(table)
      throw refusal
    },
  }
  const streams = { describeStream: async () => ({ StreamDescription: { CreationRequestDateTime: new Date(0) } }) }
  const following = { streams, ledger, settings: { clock: () => 1 }, table: 'things' } as unknown as FollowerContext
  const described = { LatestStreamArn: 'arn:aws:dynamodb:eu-west-1:1:table/things/stream/a', TableName: 'things' }
  const sources = findStreamSources(following, described, { stream: undefined, leases: [], gaps: [] })
  await expect(sources).rejects.toBe(refusal)
  expect(asked).toEqual(['things'])
})
