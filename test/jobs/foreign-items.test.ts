import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../src/dynamodb/index.js'
import { memory } from '../../src/engine/memory.js'
import {
  counter,
  edge,
  embedded,
  graph,
  integer,
  layout,
  node,
  open,
  type Store,
  set,
  string,
} from '../../src/index.js'
import { backfill, dump, finishDeletes, repair, type VerifyResult, verify } from '../../src/jobs/index.js'
import { mortal } from '../graph/deleting/crashing-store.js'
import { runs } from '../graph/model/suite.js'

const pupil = node(
  'pupil',
  { id: string(), name: string(), born: integer().optional(), skills: set(string()).optional() },
  { id: 'id', unique: ['name'], by: { skill: { in: ['skills'], as: 'item' }, year: { in: ['born'] } } },
)
const course = node(
  'course',
  { id: string(), size: counter(), total: counter(), pupils: embedded({ mark: integer() }) },
  { id: 'id' },
)
const takes = edge(
  'takes',
  { course, pupil },
  { mark: integer() },
  {
    count: { course: 'size' },
    sum: { course: { into: 'total', of: 'mark' } },
    embed: { course: { into: 'pupils', max: 20 } },
    by: { pupil: { as: 'mirror', order: ['mark'] } },
    onDelete: { course: 'cascade', pupil: 'cascade' },
  },
)
const likes = edge('likes', { pupil, course }, { why: string().optional() }, { onDelete: { course: 'cascade' } })
const declared = graph('school', [pupil, course, takes, likes])
const raw = layout(declared, {
  raw: true,
  keys: {
    pupil: { PK: 'P#{id}', SK: 'P' },
    course: { PK: 'C#{id}', SK: 'C' },
    takes: { PK: 'C#{course}', SK: 'T#{pupil}' },
    likes: { PK: 'P#{pupil}', SK: 'L#{course}', GSI1PK: 'C#{course}', GSI1SK: 'L#{pupil}' },
  },
})

const TABLE = 'school'
/** More requests than any job needs for this small table. An endless loop fails here. */
const MOST_REQUESTS = 3000

const keyOf = ({ PK, SK }: Item) => `${PK!.S} ${SK!.S}`

async function itemsOf(store: Store): Promise<Map<string, Item>> {
  const { Items = [] } = await store.scan({ TableName: TABLE })
  return new Map(Items.map(item => [keyOf(item), item]))
}

async function filled(made: typeof raw) {
  const store = memory()
  const g = await open(made, store)
  for (const [id, skills] of [
    ['p', ['go']],
    ['q', ['go', 'sql']],
    ['r', []],
  ] as const)
    await g.pupil.create({ id, name: `N${id}`, born: 2000, ...(skills.length > 0 && { skills: new Set(skills) }) })
  for (const id of ['a', 'b', 'c']) await g.course.create({ id })
  for (const [pupil, course, mark] of [
    ['p', 'a', 1],
    ['q', 'a', 2],
    ['q', 'b', 3],
    ['r', 'c', 4],
  ] as const) {
    await g.takes.put({ pupil, course, mark })
    await g.likes.put({ pupil, course })
  }
  return store
}

const anyValue: fc.Arbitrary<AttributeValue> = fc.constantFrom(
  { S: 'x' },
  { N: '7' },
  { BOOL: true },
  { NULL: true },
  { M: {} },
  { M: { tag: { N: '1' } } },
  { L: [{ S: 'x' }] },
  { SS: ['x'] },
  { B: new Uint8Array([1]) },
)
const anyName = fc.constantFrom(
  ...['id', 'name', 'pupil', 'course', 'mark', 'size', 'pupils', 'skills'],
  ...['_etag', '_expires', '_going', '_counted', '_life', '_of', '_node', '_spent'],
)

/** Derives a foreign item from one of ours: with another key, another mark or none, and values of other types. */
const anyStranger = fc.record({
  of: fc.nat(),
  where: fc.constantFrom('beside', 'elsewhere', 'apart'),
  mark: fc.constantFrom('same', 'note', '$gone', 'none'),
  indexed: fc.boolean(),
  kept: fc.constantFrom('all', 'some', 'none'),
  wrong: fc.dictionary(anyName, anyValue, { maxKeys: 3 }),
})
type Stranger = typeof anyStranger extends fc.Arbitrary<infer T> ? T : never

function strangerOf(good: readonly Item[], stranger: Stranger, no: number, isRaw: boolean): Item {
  const { of, where, mark, indexed, kept, wrong } = stranger
  const { PK, SK, _type, GSI1PK, GSI1SK, ...rest } = good[of % good.length]!
  // A key that no kind has. Without raw keys, the last part of a key may be any text.
  const other = (key: string) => ({ S: isRaw ? `${key}#~${no}` : `~${no}${key}` })
  const key = {
    beside: { PK: PK!, SK: other(SK!.S!) },
    elsewhere: { PK: other(PK!.S!), SK: SK! },
    apart: { PK: { S: `~${no}` }, SK: { S: '~' } },
  }[where]
  // An item with the mark or the keys of a side item, but without an owner, is deleted.
  const isOwn = /^(pupil|course|takes|likes)$/.test(_type!.S!)
  const marked = mark === 'same' ? _type!.S! : mark
  const names = Object.keys(rest).filter((_, at) => kept === 'all' || (kept === 'some' && at % 2 === 0))
  return {
    ...Object.fromEntries(names.map(name => [name, rest[name]!])),
    ...wrong,
    ...(indexed && GSI1PK && { GSI1PK, GSI1SK: GSI1SK! }),
    ...((!isOwn || marked !== 'none') && { _type: { S: isOwn ? marked : 'note' } }),
    ...key,
  }
}

interface Job {
  /** Prepares the table before foreign items are added, so that the job has work to do. */
  readonly prepare?: (made: typeof raw, store: Store) => Promise<unknown>
  readonly run: (made: typeof raw, store: Store) => Promise<unknown>
  /** Whether an unreadable foreign item among the edges of a node may end the job with an error. */
  readonly refuses?: boolean
}

const opened = (made: typeof raw, store: Store) => open(made, store, { create: false })

/** A wrong counter, an edge with a stale index key, and a missing mirror and sentinel. */
async function damage(store: Store): Promise<void> {
  for (const { PK, SK, _type, ...rest } of (await itemsOf(store)).values()) {
    const Key = { PK: PK!, SK: SK! }
    if (/^(takes|pupil)\.(pupil|name)$/.test(_type?.S ?? '')) await store.deleteItem({ TableName: TABLE, Key })
    if (_type?.S === 'likes')
      await store.putItem({ TableName: TABLE, Item: { ...Key, _type, ...rest, GSI1SK: { S: 'stale' } } })
    if (_type?.S === 'course')
      await store.putItem({ TableName: TABLE, Item: { ...Key, _type, ...rest, size: { N: '77' } } })
  }
}

const JOBS: Readonly<Record<string, Job>> = {
  verify: { run: async (made, store) => verify(await opened(made, store)) },
  repair: {
    prepare: (_, store) => damage(store),
    run: async (made, store) => repair(await opened(made, store)),
  },
  dump: { run: async (made, store) => dump(await opened(made, store), () => {}) },
  backfill: { prepare: (_, store) => damage(store), run: (made, store) => backfill(made, store), refuses: true },
  'a deletion': { run: async (made, store) => (await opened(made, store)).course.delete('a'), refuses: true },
  'a deletion from the other end': {
    run: async (made, store) => (await opened(made, store)).pupil.delete('q'),
    refuses: true,
  },
  finishDeletes: {
    prepare: async (made, store) => {
      for (const id of ['a', 'c']) await (await opened(made, mortal(store, 3).store)).course.delete(id).catch(() => {})
    },
    run: async (made, store) => finishDeletes(await opened(made, store)),
    refuses: true,
  },
}

/** Items without their etags, which are new in each write. */
const unmarked = (items: ReadonlyMap<string, Item>) =>
  new Map([...items].map(([key, { _etag, ...rest }]) => [key, rest]))

describe.each([
  ['raw', raw],
  ['encoded', layout(declared) as typeof raw],
])('with %s keys', (kind, made) => {
  it.each(Object.entries(JOBS))(
    '%s has the same result with foreign items and does not change them',
    async (_, { prepare, run, refuses }) => {
      const begun = async () => {
        const store = await filled(made)
        await prepare?.(made, store)
        return store
      }
      const good = [...(await itemsOf(await filled(made))).values()].filter(({ _type }) => _type)
      const alone = await begun()
      await run(made, alone)
      const expected = unmarked(await itemsOf(alone))
      const holds = async (chosen: readonly Stranger[]) => {
        const store = await begun()
        const strangers = chosen.map((each, no) => strangerOf(good, each, no, kind === 'raw'))
        for (const Item of strangers) await store.putItem({ TableName: TABLE, Item })
        let unread = chosen.some(({ where, kept }) => where === 'beside' && kept !== 'all') ? 1 : 0
        const error = await run(made, mortal(store, MOST_REQUESTS).store).then(
          told => {
            unread += (told as Partial<VerifyResult> | undefined)?.faults?.['item.unreadable'] ?? 0
          },
          (error: unknown) => error,
        )
        if (refuses && error) expect(error).toMatchObject({ code: expect.stringMatching(/^(stored|key)\./) })
        else expect(error).toBeUndefined()
        const after = await itemsOf(store)
        for (const item of strangers) {
          expect(after.get(keyOf(item))).toEqual(item)
          after.delete(keyOf(item))
        }
        // Aggregates are not repaired if an edge among them is unreadable.
        if (!error && unread === 0) expect(unmarked(after)).toEqual(expected)
      }
      const anyStrangers = fc.array(anyStranger, { minLength: 1, maxLength: 4 })
      await fc.assert(fc.asyncProperty(anyStrangers, holds), { numRuns: runs(12) })
    },
    120_000,
  )
})
