import { describe, expect, it } from 'vitest'
import type { FollowerContext } from '../../../src/derive/follow/follower-context.js'
import { mergeGaps } from '../../../src/derive/follow/gap.js'
import { GapRepair } from '../../../src/derive/follow/gap-repair.js'
import type { Lease, OpenGap } from '../../../src/derive/follow/lease.js'
import type { Ledger } from '../../../src/derive/follow/ledger.js'
import type { FollowSettings } from '../../../src/derive/follow/settings.js'
import { selectLeasesToTake } from '../../../src/derive/follow/shard-assignment.js'
import { findReadableLeases } from '../../../src/derive/follow/shards.js'
import { findStreamSources, removeStaleLeases } from '../../../src/derive/follow/streams.js'
import type { Streams } from '../../../src/store/port.js'

const HOUR_MS = 3_600_000

type ContextParts = Partial<Omit<FollowerContext, 'ledger' | 'settings' | 'streams'>> & {
  readonly ledger: Partial<Ledger>
  readonly settings: Partial<FollowSettings>
  readonly streams?: Partial<Streams>
}

/** A context with only the parts that the tested function uses. */
const contextWith = (parts: ContextParts) => parts as unknown as FollowerContext

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

describe('the lease of a trimmed shard', () => {
  const shards = [{ stream: 'stream', shard: 'child', parent: 'parent' }]
  const sources = { streams: [{ arn: 'stream', createdMs: 0, shards }], unknownMs: 20 * HOUR_MS }

  it.each([
    ['is kept while its child has no lease, and the child begins at its checkpoint', [lease('parent')], []],
    ['is removed when its child has a lease', [lease('parent'), lease('child', { done: false })], ['parent']],
  ])('%s', async (_, leases, expected) => {
    const removed: string[] = []
    const ledger = { removeLease: async ({ shard }: Lease) => void removed.push(shard) }
    await removeStaleLeases(contextWith({ ledger, settings: { clock: () => 21 * HOUR_MS } }), sources, leases)
    expect(removed).toEqual(expected)
    const [child] = findReadableLeases(sources.streams, leases, sources.unknownMs)
    expect(child).toMatchObject({ shard: 'child', throughMs: 5 * HOUR_MS })
  })
})

describe('a follower without a shard', () => {
  const leasesOf = (...owners: string[]) =>
    owners.map((owner, index) => lease(`s${index}`, { owner, untilMs: 100, done: false }))
  const taken = (leases: readonly Lease[]) =>
    selectLeasesToTake(leases, { name: 'me', held: new Set(), nowMs: 10, random: () => 0 }).map(({ owner }) => owner)

  it.each([
    [
      'takes a lease of an owner with two leases, even if no owner has more than a share',
      leasesOf('a', 'a', 'b', 'b'),
      ['a'],
    ],
    ['takes a lease of the owner with the most leases', leasesOf('a', 'b', 'b', 'b'), ['b']],
    ['takes no lease if every owner has one', leasesOf('a', 'b'), []],
  ])('%s', (_, leases, owners) => {
    expect(taken(leases)).toEqual(owners)
  })
})

describe('open gaps', () => {
  const gap = (sinceMs: number, untilMs: number, ...shards: string[]) =>
    ({ reason: 'trimmed', sinceMs, untilMs, shards }) as const

  it.each([
    [
      'are merged into one that covers them all',
      [gap(5, 7, 'a'), gap(2, 6, 'b'), gap(3, 9, 'c')],
      gap(2, 9, 'a', 'b', 'c'),
    ],
    ['are merged into a gap of the whole stream if one is of the whole stream', [gap(5, 7, 'a'), gap(2, 6)], gap(2, 7)],
  ])('%s', (_, gaps, whole) => {
    expect(mergeGaps(gaps)).toEqual(whole)
  })

  it('open gaps are healed unless another follower has claimed them', async () => {
    const healed: string[][] = []
    const ledger = { claimGap: async (id: string) => id !== 'faster', closeGap: async () => undefined }
    const heal = async ({ shards }: { shards: readonly string[] }) => void healed.push([...shards])
    const settings = { clock: () => 10, leaseMs: 1000, listener: () => undefined, heal }
    const gapRepair = new GapRepair(contextWith({ ledger, settings, requestRound: () => undefined }))
    const open = (id: string, claimedUntilMs: number): OpenGap => ({ ...gap(0, 1, id), id, claimedUntilMs })
    await gapRepair.repairGaps([open('free', 0), open('faster', 0), open('theirs', 11), open('left', 10)])
    await gapRepair.waitUntilIdle()
    expect(healed).toEqual([['free', 'left']])
  })
})

describe('a gap that is found during a repair', () => {
  it('a gap that is found during a repair is claimed only after that repair, so that no other follower waits for an unused claim', async () => {
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
    const gapRepair = new GapRepair(contextWith({ ledger, settings, requestRound: () => undefined }))
    await gapRepair.repairGaps([gap('a')])
    await gapRepair.repairGaps([{ ...gap('a'), claimedUntilMs: 1010 }, gap('b')])
    expect(claims).toEqual(['a', 'a'])
    heal()
    await gapRepair.waitUntilIdle()
    expect(closed).toEqual(['a'])
    await gapRepair.repairGaps([gap('b')])
    expect(claims.at(-1)).toBe('b')
    heal()
    await gapRepair.waitUntilIdle()
    expect(closed).toEqual(['a', 'b'])
  })
})

it('a group that another follower claims concurrently is read again, and rejected if it follows another table', async () => {
  const refusal = new Error('of another table')
  const checkedTables: string[] = []
  const ledger = {
    noteStream: async () => false,
    readForTable: async (table: string) => {
      checkedTables.push(table)
      throw refusal
    },
  }
  const streams = { describeStream: async () => ({ StreamDescription: { CreationRequestDateTime: new Date(0) } }) }
  const context = contextWith({ streams, ledger, settings: { clock: () => 1 }, table: 'things' })
  const described = { LatestStreamArn: 'arn:aws:dynamodb:eu-west-1:1:table/things/stream/a', TableName: 'things' }
  const sources = findStreamSources(context, described, { stream: undefined, leases: [], gaps: [] })
  await expect(sources).rejects.toBe(refusal)
  expect(checkedTables).toEqual(['things'])
})
