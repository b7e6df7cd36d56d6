import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, layout, node, open, string, wrap } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import type { Layout } from '../../../src/layout/layout.js'

const user = (id: 'id' | 'name') => node('user', { id: string(), name: string() }, { id })
const course = (id: 'id' | ['dept', 'id']) => node('course', { id: string(), dept: string() }, { id })

const lesson = () => node('lesson', { id: string() }, { id: 'id' })

const owned = (id: 'id' | 'name') => {
  const owner = user(id)
  return layout(graph('school', [owner, node('order', { no: string() }, { id: 'no', within: owner })])) as Layout
}
const takes = (userId: 'id' | 'name', courseId: 'id' | ['dept', 'id'], options: object = {}) => {
  const ends = { user: user(userId), course: course(courseId) }
  return layout(graph('school', [ends.user, ends.course, edge('takes', ends, {}, options)] as never)) as Layout
}
const one = (courseId: 'id' | ['dept', 'id'], as?: 'mirror' | 'none') =>
  takes('id', courseId, { one: 'user', ...(as && { by: { course: { as } } }) })

/** Another type with the same id. */
const attending = (node: 'course' | 'lesson', as?: 'mirror' | 'adjacent' | 'native' | 'none') => {
  const nodes = { user: user('id'), course: course('id'), lesson: lesson() }
  const ends = as === 'adjacent' ? { to: nodes[node], user: nodes.user } : { user: nodes.user, to: nodes[node] }
  const attends = edge('attends', ends, {}, { ...(as && { by: { to: { as } } }) } as never)
  return layout(graph('school', [...Object.values(nodes), attends] as never)) as Layout
}

type Rows = Readonly<Record<string, { put(row: object): PromiseLike<void>; delete(row: object): PromiseLike<void> }>>
const opened = async (made: Layout, store: ReturnType<typeof memory>, drift?: 'allow') =>
  (await open(made, store, { ...(drift && { drift }) })) as never as Rows

const itemsIn = async (store: ReturnType<typeof memory>) => (await store.scan({ TableName: 'school' })).Items

const NODES: readonly (readonly [string, object])[] = [
  ['user', { id: 'a', name: 'b' }],
  ['user', { id: 'b', name: 'a' }],
]
const TAKES = ['takes', { user: 'a', course: 'x' }] as const
const NO_DEPARTMENT = 'takes.course.dept: a stored item lacks this value; put or delete the item.'
const ATTENDS = ['attends', { user: 'a', to: 'x' }] as const
const OTHER_NODE = 'attends.to: the stored value is the id of a course, and would be taken for that of a lesson'
const OTHER_ID = 'is the id of a user, whose id is its name now'

describe.each([
  ['the only edge of a node', one('id'), one(['dept', 'id']), TAKES, NO_DEPARTMENT],
  ['an edge with a mirror', one('id', 'mirror'), one(['dept', 'id'], 'mirror'), TAKES, NO_DEPARTMENT],
  ['an edge without a path from that end', one('id', 'none'), one(['dept', 'id'], 'none'), TAKES, NO_DEPARTMENT],
  [
    'a reference to an id that loses a part',
    one(['dept', 'id']),
    one('id'),
    ['takes', { user: 'a', course: { dept: 'd', id: 'x' } }],
    'takes.course: a stored item lacks this value; put or delete the item.',
  ],
  ['an edge, with another attribute as the id', takes('id', 'id'), takes('name', 'id'), TAKES, OTHER_ID],
  [
    'an owned node, with another attribute as the id of its owner',
    owned('id'),
    owned('name'),
    ['order', { user: 'a', no: '1' }],
    OTHER_ID,
  ],
  ['an edge to another node type', attending('course'), attending('lesson'), ATTENDS, OTHER_NODE],
  [
    'an edge with a mirror to another node type',
    attending('course', 'mirror'),
    attending('lesson', 'mirror'),
    ATTENDS,
    OTHER_NODE,
  ],
  [
    'an edge to another node type without a path',
    attending('course', 'none'),
    attending('lesson', 'none'),
    ATTENDS,
    OTHER_NODE,
  ],
  [
    'an edge to another node type with native keys',
    attending('course', 'native'),
    attending('lesson', 'native'),
    ATTENDS,
    OTHER_NODE,
  ],
  [
    'an edge to another node type in whose partition it is stored',
    attending('course', 'adjacent'),
    attending('lesson', 'adjacent'),
    ATTENDS,
    OTHER_NODE,
  ],
] as const)('a reference to a node with a changed id: %s', (_, before, after, [type, row], words) => {
  it('a reference to a changed id is rejected before anything is moved, and accepted if no item has it', async () => {
    const store = memory()
    const g = await opened(before, store)
    for (const [name, each] of NODES) await g[name]!.put(each)
    await g[type]!.put(row)
    const there = await itemsIn(store)
    const refused = { code: 'key.missing', message: expect.stringContaining(words) }
    await expect(backfill(after, store, { from: before })).rejects.toMatchObject(refused)
    expect(await itemsIn(store)).toEqual(there)
    await g[type]!.delete(row)
    await backfill(after, store, { from: before })
    expect((await verify(await opened(after, store))).faults).toEqual({})
  })
})

it('writes with the new id during the migration do not stop a restarted backfill', async () => {
  const [before, after] = [takes('id', 'id'), takes('name', 'id')]
  const store = memory()
  const g = await opened(before, store)
  for (const [name, each] of NODES) await g[name]!.put(each)
  await g.course!.put({ id: 'x', dept: 'd' })
  const mortal = wrap(store, async (operation, request, options, send) => {
    if (operation === 'transactWriteItems') throw new Error('died')
    return send(request, options)
  })
  await expect(backfill(after, mortal, { from: before })).rejects.toThrow('died')
  await (await opened(after, store, 'allow')).takes!.put({ user: 'a', course: 'x' })
  await backfill(after, store, { from: before })
  expect((await verify(await opened(after, store))).faults).toEqual({})
})

it.each([[undefined], ['native'], ['none']] as const)(
  'an edge whose end has another node type now, as %s, is not migrated without the old layout',
  async as => {
    const store = memory()
    await (await opened(attending('course', as), store)).attends!.put(ATTENDS[1])
    const there = await itemsIn(store)
    await expect(backfill(attending('lesson', as), store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining("pass the old layout as 'from'"),
    })
    expect(await itemsIn(store)).toEqual(there)
  },
)

it('an item that was written with the new layout does not stop a backfill', async () => {
  const [before, after] = [attending('course'), attending('lesson')]
  const store = memory()
  await opened(before, store)
  const h = await opened(after, store, 'allow')
  for (const [type, row] of [NODES[0]!, ['lesson', { id: 'x' }] as const, ATTENDS]) await h[type]!.put(row)
  await backfill(after, store, { from: before })
  expect((await verify(await opened(after, store))).faults).toEqual({})
})
