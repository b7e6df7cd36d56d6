import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/memory.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import { type Layout, layout } from '../../../src/layout/layout.js'
import type { Plan } from '../../../src/plan/plan.js'
import { planTransaction } from '../../../src/plan/write/multi-write.js'
import { planCreate, planDelete, planPut, planUpdate } from '../../../src/plan/write/operations.js'
import { GraphError } from '../../../src/schema/error.js'
import type { Store } from '../../../src/store/port.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'
import { counter, date, edge, embedded, graph, integer, node, set, string } from '../../layout/declarations.js'
import { type Command, type Meeting, Model, meetings } from './model.js'
import { run } from './run-write.js'

let drawn = 0
const environment = {
  now: () => -1000,
  random: (bytes: number) => new Uint8Array(bytes).fill(0).map((_, i) => (i === 0 ? drawn++ : drawn >> 8)),
}

const TENANT = 'acme#'

function planOf(made: Layout, model: Model, { type, verb, row, patch }: Command): Plan {
  const options = { environment, ...(made.design.tenant && { tenant: TENANT }) }
  if (verb === 'create') return planCreate(made, type, row, options)
  if (verb === 'put') return planPut(made, type, row, options)
  const declared = model.type(type)
  const identity = declared.kind === 'node' && declared.id.length === 1 && !declared.within ? row[declared.id[0]!] : row
  return verb === 'update'
    ? planUpdate(made, type, identity, patch, options)
    : planDelete(made, type, identity, options)
}

/** Items in canonical form: without etags, zero counters and empty maps, and with sorted sets. */
function plain(made: Layout, items: readonly Item[]): string[] {
  const derived = made.graph.declared.nodes.flatMap(({ attributes }) =>
    Object.entries(attributes).flatMap(([name, { derived }]) => (derived ? [name] : [])),
  )
  return items
    .map(item => {
      const entries = Object.entries(item).filter(([name, value]) => {
        if (name === made.names.etag) return false
        return !derived.includes(name) || (value.M ? Object.keys(value.M).length > 0 : value.N !== '0')
      })
      return JSON.stringify(ordered(Object.fromEntries(entries)))
    })
    .sort()
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => ({ [name]: ordered(part) }))
}

async function expectState(store: Store, made: Layout, model: Model): Promise<void> {
  const TableName = made.design.name
  const items = itemsOf(made, model.example(), made.design.tenant ? TENANT : undefined).map(({ item }) => item)
  const scanned = await store.scan({ TableName })
  expect(plain(made, scanned.Items!)).toEqual(plain(made, items))
  for (const { name, partition, sort } of made.design.indexes) {
    const entries = items.filter(item => [...partition, ...sort].every(key => item[key] !== undefined))
    const found = await store.scan({ TableName, IndexName: name })
    expect(plain(made, found.Items!)).toEqual(plain(made, entries))
  }
}

/**
 * Runs a command on the table and on the rows. Both must succeed, or the table must refuse it for a reason that the
 * rows give.
 */
async function perform(store: Store, made: Layout, model: Model, command: Command, meanwhile?: Command): Promise<void> {
  let left = meanwhile
  const beforeWrite = async () => {
    const now = left
    left = undefined
    if (now) await perform(store, made, model, now)
  }
  let code: string | undefined
  try {
    await run(store, made, planOf(made, model, command), beforeWrite)
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    code = error.code
  }
  const reasons = model.refusals(command)
  if (reasons.length === 0) expect(code).toBeUndefined()
  else expect(reasons).toContain(code)
  if (code === undefined) model.apply(command)
}

async function holds(made: Layout, given: readonly Meeting[]): Promise<void> {
  const store = memory()
  await store.createTable(toCreateTableInput(made.design))
  const model = new Model(made.graph.declared)
  for (const [command, meanwhile] of given) await perform(store, made, model, command, meanwhile)
  await expectState(store, made, model)
}

/** Runs commands in one transaction and expects all or none of them to be applied. */
async function holdsTogether(made: Layout, given: readonly Meeting[]): Promise<void> {
  const store = memory()
  await store.createTable(toCreateTableInput(made.design))
  const model = new Model(made.graph.declared)
  for (const group of model.groups(given.flat())) {
    const reasons = model.refusalsTogether(group)
    let code: string | undefined
    try {
      const plans = group.map(command => planOf(made, model, command))
      await run(store, made, planTransaction(made, plans))
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      code = error.code
    }
    if (reasons.length === 0) expect(code).toBeUndefined()
    else expect(reasons).toContain(code)
    if (code === undefined) model.applyTogether(group)
  }
  await expectState(store, made, model)
}

async function property(made: Layout) {
  const runs = { alone: 60, together: 30 }
  const given = meetings(made.graph.declared)
  await fc.assert(
    fc.asyncProperty(given, each => holds(made, each)),
    { numRuns: runs.alone },
  )
  await fc.assert(
    fc.asyncProperty(given, each => holdsTogether(made, each)),
    { numRuns: runs.together },
  )
}

describe('after any writes the table equals the layout of the rows', () => {
  const user = node('user', { id: string(), nick: string().optional() }, { id: 'id' })

  it('with an edge in the partition of one end and on an index for the other', async () => {
    const place = node(
      'place',
      { name: string(), country: string().optional(), city: string().optional(), zip: integer() },
      {
        id: 'name',
        by: { area: { in: ['country'], order: ['city', 'zip'] }, code: { in: ['zip'], shards: 3 } },
      },
    )
    const visit = edge(
      'visit',
      { user, place },
      { day: date(), note: string().optional() },
      { key: ['day'], by: { place: { order: ['day'] } } },
    )
    await property(layout(graph('visits', [user, place, visit])))
  })

  it('with mirrors that move when their order changes', async () => {
    const like = edge(
      'like',
      { user, thing: user },
      { since: date(), stars: integer().optional() },
      {
        by: { thing: { order: ['since'], as: 'mirror', shards: 2 } },
      },
    )
    const owes = edge(
      'owes',
      { debtor: user, lender: user },
      { sum: integer() },
      { by: { debtor: { order: ['sum'], as: 'local' }, lender: { as: 'inverted' } } },
    )
    await property(layout(graph('likes', [user, like, owes])))
  })

  it('with facets, one for each member of a set, and unique attributes', async () => {
    const person = node(
      'person',
      {
        id: string(),
        born: date().optional(),
        email: string().optional(),
        phone: integer(),
        skills: set(string()).optional(),
      },
      {
        id: 'id',
        unique: ['email', 'phone'],
        by: {
          born: { order: ['born'], as: 'item', shards: 2 },
          skill: { in: ['skills'], as: 'item' },
        },
      },
    )
    await property(layout(graph('people', [person])))
  })

  it('with owned nodes, a local order, native keys and an expiry', async () => {
    const order = node(
      'order',
      { no: integer(), state: string().optional(), total: integer(), until: date().optional() },
      {
        id: 'no',
        within: user,
        expires: 'until',
        by: {
          total: { order: ['total'], as: 'local' },
          state: { in: ['state'], order: ['total'], as: 'native' },
          until: { order: ['until'], as: 'item' },
        },
      },
    )
    const line = node('line', { no: integer(), what: string() }, { id: 'no', within: order })
    const about = edge('about', { line, order }, { why: string().optional() }, { by: { order: { as: 'native' } } })
    await property(layout(graph('orders', [user, order, line, about])))
  })

  it('with counters, sums and embedded entries up to their maximum', async () => {
    const pupil = node(
      'pupil',
      { id: string(), born: integer().immutable(), marks: counter() },
      { id: 'id', by: { born: { in: ['born'] } } },
    )
    const lesson = node(
      'lesson',
      {
        id: string(),
        topic: string(),
        pupils: embedded({ mark: integer(), born: integer() }),
        weight: counter(),
        size: counter(),
      },
      { id: 'id', by: { topic: { in: ['topic'] } } },
    )
    const attends = edge(
      'attends',
      { lesson, pupil },
      { mark: integer(), note: string().optional() },
      {
        carry: { born: 'pupil.born' },
        count: { pupil: 'marks', lesson: 'size' },
        sum: { lesson: { into: 'weight', of: 'mark' } },
        embed: { lesson: { into: 'pupils', max: 2 } },
        by: { pupil: { order: ['mark'], as: 'mirror' } },
      },
    )
    await property(layout(graph('school', [pupil, lesson, attends])))
  })

  it('with at most one counted edge of a node, for a tenant', async () => {
    const team = node('team', { id: string(), members: counter() }, { id: 'id' })
    const member = edge(
      'member',
      { user, team },
      { role: string(), since: string().immutable() },
      { one: 'user', count: { team: 'members' } },
    )
    const likes = edge(
      'likes',
      { user, team },
      { why: string().optional() },
      { one: 'user', by: { team: { order: ['user'] } } },
    )
    await property(layout(graph('teams', [user, team, member, likes], { tenant: true })))
  })

  it('with edges that require the nodes at their ends', async () => {
    const song = node('song', { id: string(), plays: counter(), year: integer().optional() }, { id: 'id' })
    const list = node(
      'list',
      { id: string(), name: string().immutable() },
      { id: 'id', by: { name: { in: ['name'] } } },
    )
    const likes = edge('likes', { user, song }, { stars: integer() }, { onDelete: { user: 'cascade', song: 'refuse' } })
    const holds = edge(
      'holds',
      { list, song },
      { at: integer(), name: string().optional() },
      { onDelete: { list: 'cascade' }, count: { song: 'plays' }, by: { song: { order: ['at'], as: 'mirror' } } },
    )
    await property(layout(graph('songs', [user, song, list, likes, holds])))
  })

  it('with undirected edges, including self-loops', async () => {
    const peer = node('peer', { id: string(), friends: counter() }, { id: 'id' })
    const friend = edge(
      'friend',
      { a: peer, b: peer },
      { since: date() },
      { undirected: true, count: { a: 'friends' } },
    )
    const knows = edge(
      'knows',
      { a: peer, b: peer },
      { since: date().optional() },
      { undirected: true, by: { a: { as: 'index' } } },
    )
    await property(layout(graph('friends', [peer, friend, knows])))
  })

  it('with custom keys, including raw keys', async () => {
    const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
    const role = edge('role', { movie, actor: user }, { character: string() })
    const types = [movie, user, role]
    const keys = { movie: { PK: 'MOVIE#{name}', SK: 'ROOT' }, role: { PK: 'MOVIE#{movie}', SK: 'ACTOR#{actor}' } }
    await property(layout(graph('films', types), { keys }))
    await property(layout(graph('films', types), { keys, raw: { separator: '|' } }))
  })
})
