import { describe, expect, it } from 'vitest'
import { changes } from '../../../src/derive/change-feed.js'
import { lambdaHandler } from '../../../src/derive/lambda.js'
import { recordToJson } from '../../../src/derive/record-json.js'
import { consumer } from '../../../src/derive/settle/consumer.js'
import { memory } from '../../../src/engine/index.js'
import { counter, edge, embedded, graph, integer, layout, node, open, string } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import { Tap } from '../simulator/stream.js'

const pupil = node('pupil', { id: string(), name: string() }, { id: 'id' })
const course = node('course', { id: string() }, { id: 'id' })
const carry = { name: { from: 'pupil.name', sync: 'eventual' } } as const
const before = graph('school', [pupil, course, edge('takes', { pupil, course }, {}, { carry })])
const after = graph('school', [pupil, course, edge('takes', { course, pupil }, {}, { carry })])

async function recordsOf(store: ReturnType<typeof memory>, table: string) {
  const { Table } = await store.describeTable({ TableName: table })
  return new Tap(store, Table!.LatestStreamArn!).poll()
}

describe('records of edges that were moved because their ends were swapped', () => {
  async function moved() {
    const store = memory()
    const g = await open(before, store, { follow: false })
    await g.pupil.put({ id: 'ann', name: 'Ann' })
    await g.course.put({ id: 'go' })
    await g.takes.put({ pupil: 'ann', course: 'go' })
    await g.pupil.update('ann', { name: 'Anna' })
    await backfill(after, store, { from: before })
    return { store, records: await recordsOf(store, 'school') }
  }

  it('records of edges whose ends were swapped are handled, and the table has no faults', async () => {
    const { store, records } = await moved()
    expect((await consumer(after, store).handle(records)).failures).toEqual([])
    const g = await open(after, store, { follow: false })
    expect(await g.takes.by.course('go').all()).toEqual([{ course: 'go', pupil: 'ann', name: 'Anna' }])
    expect((await verify(g)).faults).toEqual({})
  })

  it('do not make Lambda retry', async () => {
    const { store, records } = await moved()
    const Records = records.map(record => JSON.parse(recordToJson(record)))
    expect(await lambdaHandler(consumer(after, store))({ Records })).toEqual({ batchItemFailures: [] })
  })

  it('appear in the change feed if they have the current layout', async () => {
    const { records } = await moved()
    expect(changes(after, records).map(({ type, change }) => `${type} ${change}`)).toEqual([
      'pupil created',
      'course created',
      'pupil updated',
      'takes created',
      'takes updated',
    ])
  })
})

it('records of nodes whose id range changed are handled', async () => {
  const ranged = (no: ReturnType<typeof integer>) => {
    const one = node('one', { no, name: string() }, { id: 'no' })
    const other = node('other', { id: string() }, { id: 'id' })
    const link = edge('link', { one, other }, {}, { carry: { name: { from: 'one.name', sync: 'eventual' } } })
    return graph('ranged', [one, other, link])
  }
  const [wide, narrow] = [ranged(integer()), ranged(integer({ min: 0, max: 99 }))]
  const store = memory()
  await (await open(wide, store, { follow: false })).one.put({ no: 7, name: 'Ann' })
  await backfill(narrow, store, { from: wide })
  expect((await consumer(narrow, store).handle(await recordsOf(store, 'ranged'))).failures).toEqual([])
})

describe.each([
  ['other keys', { pupil: 'P#{id}', course: 'C#{id}', ends: ['P#{pupil}', 'C#{course}'] }],
  ['the same keys', { pupil: 'pupil#{id}', course: 'course#{id}', ends: ['pupil#{pupil}', 'takes#{course}'] }],
] as const)('records from before keys became raw, with %s,', (_, { pupil: PK, course: own, ends }) => {
  async function moved() {
    const raw = layout(before, {
      raw: true,
      keys: {
        pupil: { PK, SK: '#' },
        course: { PK: own, SK: '#' },
        takes: { PK: ends[0], SK: ends[1] },
      },
    } as never)
    const store = memory()
    const g = await open(before, store, { follow: false })
    await g.pupil.put({ id: 'ann', name: 'Ann' })
    await g.course.put({ id: 'go' })
    await g.takes.put({ pupil: 'ann', course: 'go' })
    await g.pupil.update('ann', { name: 'Anna' })
    await g.course.put({ id: 'no' })
    await g.takes.put({ pupil: 'ann', course: 'no' })
    await g.takes.delete({ pupil: 'ann', course: 'no' })
    await backfill(raw, store, { from: before })
    return { raw, store, records: await recordsOf(store, 'school') }
  }

  it('records that are older than raw keys are handled, and the table has no faults', async () => {
    const { raw, store, records } = await moved()
    expect((await consumer(raw, store).handle(records)).failures).toEqual([])
    const g = await open(raw, store, { follow: false })
    expect(await g.takes.by.course('go').all()).toEqual([{ course: 'go', pupil: 'ann', name: 'Anna' }])
    expect((await verify(g)).faults).toEqual({})
  })

  it('the change feed omits records that are older than raw keys if they lack an identity', async () => {
    const { raw, records } = await moved()
    const rows = changes(raw, records).flatMap(({ before: was, after: is }) =>
      [was, is].filter(row => row !== undefined),
    )
    for (const row of rows as Record<string, unknown>[]) expect(row.id ?? row.course).toBeDefined()
  })

  it('fail if the current item lacks an identity too', async () => {
    const { raw, store, records } = await moved()
    const record = records.find(({ dynamodb }) => dynamodb?.NewImage?._type?.S === 'pupil')!
    await store.putItem({ TableName: 'school', Item: record.dynamodb!.NewImage! })
    expect((await consumer(raw, store).handle([record])).failures).toMatchObject([{ error: { code: 'key.missing' } }])
  })
})

it('a record without a tenant, from before keys became raw, is settled by the current item', async () => {
  const takes = edge('takes', { pupil, course }, {}, { carry })
  const raw = layout(graph('school', [pupil, course, takes], { tenant: true }), {
    raw: true,
    keys: {
      pupil: { PK: 'P#{id}', SK: '#' },
      course: { PK: 'C#{id}', SK: '#' },
      takes: { PK: 'P#{pupil}', SK: 'T#{course}' },
    },
  })
  const store = memory()
  const g = (await open(raw, store, { follow: false })).$tenant('t')
  await g.pupil.put({ id: 'ann', name: 'Ann' })
  await g.course.put({ id: 'go' })
  await g.takes.put({ pupil: 'ann', course: 'go' })
  const record = (PK: string, SK: string, rest: Record<string, string>) => {
    const Keys = { PK: { S: PK }, SK: { S: SK } }
    const said = Object.fromEntries(Object.entries(rest).map(([name, S]) => [name, { S }]))
    return { dynamodb: { Keys, NewImage: { ...Keys, ...said } } }
  }
  const records = [
    record('t#pupil#ann', '#', { _type: 'pupil', id: 'ann', name: 'Anna' }),
    record('t#pupil#ann', 'takes#go', { _type: 'takes', pupil: 'ann', course: 'go', name: 'Anna' }),
  ]
  expect((await consumer(raw, store).handle(records)).failures).toEqual([])
  expect(changes(raw, records)).toEqual([])
  expect(await g.takes.scan().all()).toEqual([{ pupil: 'ann', course: 'go', name: 'Ann' }])
})

describe.each([
  ['the node at its from', 'from', 'to', false],
  ['the node at its to', 'to', 'from', false],
  ['neither of two owned nodes', undefined, 'from', true],
  ['neither of two owned nodes', undefined, 'to', true],
] as const)('records of an edge that %s had before and another node has now', (_, was, is, isOwned) => {
  const made = (one: 'from' | 'to' | undefined) => {
    const owner = node('owner', { id: string() }, { id: 'id' })
    const attributes = { id: string(), name: string(), likes: counter(), all: embedded({ note: string().optional() }) }
    const person = node('person', attributes, { id: 'id', ...(isOwned && { within: owner }) } as never)
    const likes = edge('likes', { from: person, to: person }, { note: string().optional() }, {
      ...(one && { one }),
      by: { from: { as: one === 'to' ? 'mirror' : 'adjacent' }, to: { as: one === 'to' ? 'adjacent' : 'mirror' } },
      carry: { name: { from: 'from.name', sync: 'eventual' } },
      count: { to: { into: 'likes', by: 'stream' } },
      embed: { from: { into: 'all', max: 9 } },
    } as never)
    return graph('people', [...(isOwned ? [owner] : []), person, likes] as never)
  }
  type Rows = Record<'put' | 'delete', (row: object) => Promise<void>> & { scan(): { all(): Promise<object[]> } }
  const opened = async (one: typeof was, store: ReturnType<typeof memory>) =>
    (await open(made(one), store, { follow: false })) as unknown as Record<'owner' | 'person' | 'likes', Rows>
  const at = (id: string) => (isOwned ? { owner: 'o', id } : id)
  async function written() {
    const store = memory()
    const g = await opened(was, store)
    if (isOwned) await g.owner.put({ id: 'o' })
    for (const id of ['a', 'b', 'c']) await g.person.put({ ...(isOwned && { owner: 'o' }), id, name: id })
    await g.likes.put({ from: at('a'), to: at('b') })
    await g.likes.put({ from: at('b'), to: at('c') })
    await g.likes.delete({ from: at('b'), to: at('c') })
    return store
  }

  it('records of an edge whose key moved to another node are settled by the current item and omitted from the change feed', async () => {
    const store = await written()
    const old = await recordsOf(store, 'people')
    await backfill(made(is), store, { from: made(was) })
    expect((await consumer(made(is), store).handle(await recordsOf(store, 'people'))).failures).toEqual([])
    const h = await opened(is, store)
    expect(await h.likes.scan().all()).toEqual([{ from: at('a'), to: at('b'), name: 'a' }])
    expect((await verify(h as never)).faults).toEqual({})
    const told = changes(made(is), old).flatMap(({ type, before: row, after: now = row }) =>
      type === 'likes' ? [now] : [],
    )
    for (const row of told) expect(row).toMatchObject({ from: expect.anything(), to: expect.anything() })
  })

  it('records of an edge whose key moved are rejected with advice while an item that was not moved has the key', async () => {
    const store = await written()
    const { failures } = await consumer(made(is), store).handle(await recordsOf(store, 'people'))
    expect(failures).not.toEqual([])
    for (const { error } of failures)
      expect(error).toMatchObject({
        code: 'key.missing',
        message: expect.stringMatching(/^likes\.\S+: a stored edge lacks this value; .*backfill/),
      })
  })
})

describe('a damaged record of the current layout', () => {
  const Keys = { PK: { S: 'course#go' }, SK: { S: 'takes#ann' } }
  const record = (image: object) => ({ dynamodb: { Keys, NewImage: { _type: { S: 'takes' }, ...image } } })

  it('fails if its image has no key', async () => {
    const { failures } = await consumer(after, memory()).handle([record({})])
    expect(failures).toMatchObject([{ error: { code: 'stored.key' } }])
    expect(() => changes(after, [record({})])).toThrow('takes: the stored PK')
  })

  it('fails in the change feed if a value has the wrong type', () => {
    expect(() => changes(after, [record({ ...Keys, name: { N: '1' } })])).toThrow('name')
  })
})
