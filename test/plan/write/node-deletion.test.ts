import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import {
  deletionPathsOf,
  planCreate,
  planDelete,
  planMarkChange,
  planMarkDeleting,
  planPut,
  planUpdate,
} from '../../../src/plan/write/operations.js'
import { completeWrite } from '../../../src/plan/write/request.js'
import { counter, edge, graph, integer, node, set, string } from '../../layout/declarations.js'
import { environment, fresh, opened, options, requests } from './cinema.js'

const user = node(
  'user',
  { id: string(), email: string().optional(), tags: set(string()).optional(), likes: counter() },
  { id: 'id', unique: ['email'], by: { tag: { in: ['tags'], as: 'item' } } },
)
const song = node('song', { id: string(), year: integer() }, { id: 'id' })
const list = node('list', { id: string() }, { id: 'id' })
const likes = edge(
  'likes',
  { user, song },
  {},
  { onDelete: { user: 'cascade', song: 'refuse' }, count: { user: 'likes' } },
)
const holds = edge('holds', { list, song }, {})
const friend = edge('friend', { a: user, b: user }, {}, { undirected: true, onDelete: { a: 'cascade' } })
const made = layout(graph('music', [user, song, list, likes, holds, friend]))
const [users, songs, lists] = [user.declared, song.declared, list.declared]

const other = { environment: { ...environment, random: (bytes: number) => new Uint8Array(bytes).fill(9) } }
const ann = { id: 'ann', email: 'ann@example.com', tags: new Set(['x', 'y']) }
const put = (id: string, song: string) => planPut(made, 'likes', { user: id, song }, options)

async function musicTable() {
  const table = await opened(made)
  await table.send(planCreate(made, 'user', ann, options))
  await table.send(planCreate(made, 'song', { id: 's', year: 1 }, options))
  const all = async () => (await table.store.scan({ TableName: 'music' })).Items!
  return { ...table, all }
}

/** The deletion mark of a call with `options`. */
const MARK = `declared ${'07'.repeat(9)}`

describe('the paths of a node deletion', () => {
  it('the deletion looks for edges that cascade or refuse, and either end of an undirected edge finds all', () => {
    const found = (type: typeof users, edges?: 'leave' | 'cascade' | 'refuse') =>
      deletionPathsOf(made, type, edges).map(({ edge: { name }, end, onDelete }) => [name, end, onDelete])
    expect(found(users)).toEqual([
      ['likes', 'user', 'cascade'],
      ['friend', 'a', 'cascade'],
    ])
    expect(found(songs)).toEqual([['likes', 'song', 'refuse']])
    expect(found(lists)).toEqual([])
    expect(found(lists, 'leave')).toEqual([])
    expect(found(lists, 'cascade')).toEqual([['holds', 'list', 'cascade']])
    expect(found(users, 'cascade')).toHaveLength(2)
    expect(found(songs, 'refuse')).toHaveLength(2)
  })

  it('a call may choose a stricter policy, and not a weaker one', () => {
    const refused = expect.objectContaining({ code: 'node.strict' })
    expect(() => deletionPathsOf(made, users, 'leave')).toThrow(refused)
    expect(() => deletionPathsOf(made, users, 'refuse')).toThrow(refused)
    expect(deletionPathsOf(made, songs, 'cascade').map(({ onDelete }) => onDelete)).toEqual(['refuse', 'cascade'])
  })

  it('a node with edges to look for is not deleted in one request', () => {
    const refused = expect.objectContaining({ code: 'node.cascade' })
    expect(() => planDelete(made, 'user', 'ann', options)).toThrow(refused)
    expect(() => planDelete(made, 'list', 'a', { ...options, edges: 'cascade' })).toThrow(refused)
    expect(requests(planDelete(made, 'list', 'a', { ...options, edges: 'leave' }))).toEqual(['deleteItem'])
  })
})

describe('a node with a deletion mark', () => {
  it('only an existing node is marked, and a second mark does not replace the first', async () => {
    const { send, all } = await musicTable()
    expect(await send(planMarkDeleting(made, 'user', 'bob', options))).toBe('nothing')
    const marked = planMarkDeleting(made, 'user', 'ann', options)
    expect(await send(marked)).toMatchObject({ Attributes: { PK: { S: 'user#ann' } } })
    const mark = completeWrite(made, marked.steps[0]!)!.proof!.newEtag
    await send(planMarkDeleting(made, 'user', 'ann', other))
    expect(await all()).toContainEqual(
      expect.objectContaining({
        PK: { S: 'user#ann' },
        SK: { S: '#' },
        _going: { S: `declared ${mark}` },
        _etag: { S: '09'.repeat(9) },
      }),
    )
  })

  it('a marked node rejects every write except its deletion', async () => {
    const { send } = await musicTable()
    await send(planMarkDeleting(made, 'user', 'ann', options))
    await send(planMarkDeleting(made, 'song', 's', options))
    const writes = [
      planCreate(made, 'user', ann, fresh),
      planPut(made, 'user', ann, fresh),
      planUpdate(made, 'user', 'ann', { email: 'x' }, fresh),
      planCreate(made, 'song', { id: 's', year: 1 }, fresh),
      planPut(made, 'song', { id: 's', year: 1 }, fresh),
      planUpdate(made, 'song', 's', { year: 2 }, fresh),
    ]
    for (const plan of writes)
      await expect(send(plan)).rejects.toMatchObject({ code: 'node.deleting', details: { call: 0 } })
  })

  it('a marked node accepts no edge that would cascade or refuse', async () => {
    const { send } = await musicTable()
    await send(put('ann', 's'))
    await send(planMarkDeleting(made, 'song', 's', options))
    await send(planCreate(made, 'user', { id: 'bob' }, options))
    await expect(send(put('bob', 's'))).rejects.toMatchObject({
      code: 'edge.end.absent',
      details: { type: 'song', value: { id: 's' } },
    })
    await expect(send(put('bob', 't'))).rejects.toMatchObject({ code: 'edge.end.absent' })
    await expect(send(planCreate(made, 'friend', { a: 'bob', b: 'cid' }, options))).rejects.toMatchObject({
      code: 'edge.end.absent',
      details: { type: 'user', value: { id: 'cid' } },
    })
  })

  it('a node is not deleted after the call that marked it has removed the mark', async () => {
    const { send } = await musicTable()
    await send(planMarkDeleting(made, 'user', 'ann', options))
    expect(await send(planMarkChange(made, 'unmarkDeleting', 'user', 'ann', fresh, `declared ${'09'.repeat(9)}`))).toBe(
      'nothing',
    )
    await expect(send(planPut(made, 'user', ann, fresh))).rejects.toMatchObject({ code: 'node.deleting' })
    await send(planMarkChange(made, 'unmarkDeleting', 'user', 'ann', fresh, MARK))
    await expect(send(planMarkChange(made, 'deleteMarked', 'user', 'ann', options, MARK))).rejects.toMatchObject({
      code: 'node.restored',
    })
    await send(planPut(made, 'user', ann, options))
  })

  it('a node without edges is deleted with its side items', async () => {
    const { send, all } = await musicTable()
    await send(put('ann', 's'))
    await send(planMarkDeleting(made, 'user', 'ann', options))
    await expect(send(planMarkChange(made, 'deleteMarked', 'user', 'ann', options, MARK))).rejects.toMatchObject({
      code: 'node.edges',
    })
    await send(planDelete(made, 'likes', { user: 'ann', song: 's' }, options))
    await send(planMarkChange(made, 'deleteMarked', 'user', 'ann', options, MARK))
    expect((await all()).map(({ PK }) => PK!.S)).toEqual(['song#s'])
    await send(planMarkChange(made, 'deleteMarked', 'user', 'ann', options, MARK))
    await send(planCreate(made, 'user', ann, options))
  })
})

describe('the ends of an edge', () => {
  it('a put checks the ends on request', async () => {
    const { send } = await musicTable()
    const hold = (ends?: 'check') =>
      send(planPut(made, 'holds', { list: 'l', song: 's' }, { ...options, ...(ends && { ends }) }))
    await hold()
    await expect(hold('check')).rejects.toMatchObject({ code: 'edge.end.absent', details: { type: 'list' } })
    await send(planCreate(made, 'list', { id: 'l' }, options))
    await hold('check')
    const plan = planPut(made, 'holds', { list: 'l', song: 's' }, { ...options, ends: 'check' })
    expect(pricePlan(made, plan).steps[0]!.price.write).toEqual({ table: 6, GSI1: 1 })
  })

  it('an update checks the ends on request', async () => {
    const knows = edge('knows', { list, song }, { note: string() })
    const noted = layout(graph('noted', [list, song, knows]))
    const { store, send } = await opened(noted)
    const ids = { list: 'l', song: 's' }
    const change = (note: string) =>
      send(planUpdate(noted, 'knows', ids, { note }, { ...fresh, ends: 'check', returns: 'new' }))
    await send(planPut(noted, 'knows', { ...ids, note: 'a' }, fresh))
    await expect(change('b')).rejects.toMatchObject({ code: 'edge.end.absent' })
    await send(planCreate(noted, 'list', { id: 'l' }, fresh))
    await send(planCreate(noted, 'song', { id: 's', year: 1 }, fresh))
    await change('c')
    expect((await store.scan({ TableName: 'noted' })).Items).toContainEqual(
      expect.objectContaining({ note: { S: 'c' } }),
    )
  })
})
