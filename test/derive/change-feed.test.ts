import { describe, expect, it } from 'vitest'
import { changes } from '../../src/derive/change-feed.js'
import { lambdaHandler } from '../../src/derive/lambda.js'
import { type JsonRecord, recordToJson } from '../../src/derive/record-json.js'
import type { ChangeRecord } from '../../src/dynamodb/operation-types.js'
import { memory } from '../../src/engine/index.js'
import { binary, counter, date, edge, type Graph, graph, integer, layout, node, open, string } from '../../src/index.js'
import { recordsOf } from './stream-records.js'

const movie = node('movie', { name: string(), year: integer().optional(), roles: counter() }, { id: 'name' })
const actor = node('actor', { name: string(), email: string().optional() }, { id: 'name', unique: ['email'] })
const role = edge(
  'role',
  { movie, actor },
  { character: string() },
  { count: { movie: { into: 'roles', by: 'stream' } }, by: { actor: { as: 'mirror' } } },
)
const visit = node('visit', { id: string(), until: date() }, { id: 'id', expires: 'until' })
const cinema = graph('cinema', [movie, actor, role, visit])

async function opened(clock = Date.now, expiryDelayMs = 0) {
  const store = memory({ now: clock, expiryDelayMs })
  return { store, g: await open(cinema, store, { follow: false, clock }) }
}

describe('the change feed', () => {
  it('recognizes expired items in Lambda events, where the identity has other member names', async () => {
    const clock = { ms: Date.UTC(2026, 0, 1) }
    const { store, g } = await opened(() => clock.ms)
    await g.visit.put({ id: 'v', until: new Date(clock.ms + 1000) })
    clock.ms += 60_000
    await store.listTables({})
    const records = await recordsOf(store, 'cinema')
    const expired = records.map(each => changes(cinema, [each])[0]?.expired)
    expect(expired.at(-1)).toBe(true)
    const event = records.map(record => {
      const { userIdentity, ...rest } = JSON.parse(recordToJson(record))
      const { PrincipalId: principalId, Type: type } = userIdentity ?? {}
      return { ...rest, ...(userIdentity && { userIdentity: { principalId, type } }) }
    })
    const handled: ChangeRecord[] = []
    const handle = async (all: readonly ChangeRecord[]) => {
      handled.push(...all)
      return { applied: all.length, skipped: 0, failures: [] }
    }
    await lambdaHandler({ handle })({ Records: event })
    expect(handled).toEqual(records)
    expect(handled.map(each => changes(cinema, [each])[0]?.expired)).toEqual(expired)
  })

  it('the change feed is the same for a Lambda event, including bytes and times', async () => {
    const clock = { ms: Date.UTC(2026, 0, 1) }
    const store = memory({ now: () => clock.ms, expiryDelayMs: 0 })
    const file = node('file', { id: string(), bytes: binary(), until: date() }, { id: 'id', expires: 'until' })
    const files = graph('files', [file])
    const g = await open(files, store, { follow: false, clock: () => clock.ms })
    await store.updateTable({
      TableName: 'files',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    await g.file.put({ id: 'f', bytes: new Uint8Array([1, 255]), until: new Date(clock.ms + 1000) })
    await g.file.update('f', { bytes: new Uint8Array([2]) })
    clock.ms += 60_000
    await store.listTables({})
    const records = await recordsOf(store, 'files')
    const event = records.map(record => {
      const { userIdentity, ...rest } = JSON.parse(recordToJson(record))
      const { PrincipalId: principalId, Type: type } = userIdentity ?? {}
      return { ...rest, ...(userIdentity && { userIdentity: { principalId, type } }) } as JsonRecord
    })
    const told = changes(files, event)
    expect(told.map(({ change, expired }) => [change, expired])).toEqual([
      ['created', false],
      ['updated', false],
      ['deleted', true],
    ])
    expect(told).toEqual(changes(files, records))
  })

  it('reports a change of an item that remains expired as an update', async () => {
    const clock = { ms: Date.UTC(2026, 0, 1) }
    const { store, g } = await opened(() => clock.ms)
    await g.visit.put({ id: 'v', until: new Date(clock.ms + 1000) })
    const [record] = (await recordsOf(store, 'cinema')).filter(({ dynamodb }) =>
      dynamodb?.Keys?.PK?.S?.startsWith('visit'),
    )
    const { NewImage, ...rest } = record!.dynamodb!
    const told = (until: number) => {
      const now = { ...NewImage!, _etag: { S: 'other' }, _expires: { N: String(until / 1000) } }
      const at = new Date(clock.ms + 60_000)
      const dynamodb = { ...rest, OldImage: NewImage!, NewImage: now, ApproximateCreationDateTime: at }
      return changes(cinema, [{ ...record!, eventName: 'MODIFY', dynamodb }])[0]?.change
    }
    expect(told(clock.ms + 2000)).toBe('updated')
    expect(told(clock.ms + 90_000)).toBe('created')
  })

  it('contains nodes and edges as typed rows, without side items', async () => {
    const { store, g } = await opened()
    await g.movie.create({ name: 'Big', year: 1987 })
    await g.movie.update('Big', { year: 1988 })
    await g.actor.create({ name: 'Tom Hanks', email: 'tom@example.com' })
    await g.role.put({ movie: 'Big', actor: 'Tom Hanks', character: 'Josh' })
    await g.role.delete({ movie: 'Big', actor: 'Tom Hanks' })
    const feed = changes(cinema, await recordsOf(store, 'cinema'))
    expect(feed.map(({ kind, type, change }) => `${kind} ${type} ${change}`)).toEqual([
      'node movie created',
      'node movie updated',
      'node actor created',
      'edge role created',
      'edge role deleted',
    ])
    const [, updated, , put] = feed
    expect(updated).toMatchObject({ before: { name: 'Big', year: 1987 }, after: { name: 'Big', year: 1988 } })
    expect(put).toMatchObject({
      before: undefined,
      after: { movie: 'Big', actor: 'Tom Hanks', character: 'Josh' },
      expired: false,
      derived: false,
    })
    if (put?.type === 'role' && put.change === 'created') {
      const character: string = put.after.character
      expect(character).toBe('Josh')
    }
    expect(put?.at.getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  it('marks or omits writes of the consumer', async () => {
    const { store, g } = await opened()
    await g.movie.create({ name: 'Big' })
    const Key = g.movie.keyOf('Big')
    const set = (UpdateExpression: string, names: Record<string, string>, values: Record<string, { N: string }>) =>
      store.updateItem({
        TableName: 'cinema',
        Key,
        UpdateExpression,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      })
    await set('SET #a = :a', { '#a': 'roles' }, { ':a': { N: '3' } })
    await set('SET #a = :a', { '#a': '_internal' }, { ':a': { N: '1' } })
    const records = await recordsOf(store, 'cinema')
    const feed = changes(layout(cinema), records)
    expect(feed.map(({ change, derived }) => [change, derived])).toEqual([
      ['created', false],
      ['updated', true],
    ])
    expect(feed[1]?.after).toMatchObject({ name: 'Big', roles: 3 })
    expect(changes(cinema, records, { derived: 'leave-out' })).toHaveLength(1)
  })

  it('distinguishes expired items from items that were deleted by a call', async () => {
    let nowMs = Date.parse('2026-01-01T00:00:00Z')
    const { store, g } = await opened(() => nowMs)
    await g.visit.create({ id: 'a', until: new Date(nowMs + 60_000) })
    await g.visit.create({ id: 'b', until: new Date(nowMs + 60_000) })
    await g.visit.delete('b')
    nowMs += 120_000
    await store.listTables({})
    const feed = changes(cinema, await recordsOf(store, 'cinema')).filter(({ change }) => change === 'deleted')
    expect(feed.map(({ before, expired }) => [before, expired])).toMatchObject([
      [{ id: 'b' }, false],
      [{ id: 'a' }, true],
    ])
  })

  it('reports an item that replaces an expired one as created', async () => {
    let nowMs = Date.parse('2026-01-01T00:00:00Z')
    const { store, g } = await opened(() => nowMs, 3_600_000)
    await g.visit.create({ id: 'a', until: new Date(nowMs + 60_000) })
    await g.visit.update('a', { until: new Date(nowMs + 90_000) })
    nowMs += 120_000
    await g.visit.create({ id: 'a', until: new Date(nowMs + 60_000) })
    const feed = changes(cinema, await recordsOf(store, 'cinema'))
    expect(feed.map(({ change, before }) => [change, before !== undefined])).toEqual([
      ['created', false],
      ['updated', true],
      ['created', false],
    ])
  })

  it('contains the tenant', async () => {
    const shop = graph('shop', [movie, actor, role, visit], { tenant: true })
    const store = memory()
    const g = await open(shop, store, { follow: false })
    await g.$tenant('acme').movie.create({ name: 'Big' })
    const [first] = changes(shop, await recordsOf(store, 'shop'))
    expect(first).toMatchObject({ tenant: 'acme', after: { name: 'Big' } })
  })

  it('rejects records without both images, because updates would look like creations', () => {
    const dynamodb = { Keys: {}, StreamViewType: 'NEW_IMAGE', SequenceNumber: '1' } as const
    expect(() => changes(cinema, [{ eventName: 'REMOVE', dynamodb }])).toThrow('enable a stream of NEW_AND_OLD_IMAGES')
  })

  it('omits a foreign version of a node that has the same mark and another key', () => {
    const placed = layout(graph('notes', [visit]), { raw: true, keys: { visit: { PK: 'V#{id}', SK: 'now' } } })
    const image = (SK: string) => ({
      PK: { S: 'V#1' },
      SK: { S: SK },
      _type: { S: 'visit' },
      id: { S: '1' },
      until: { S: '2026-01-01' },
    })
    const recordOf = (SK: string) => ({ dynamodb: { Keys: {}, NewImage: image(SK), SequenceNumber: SK } })
    const feed = changes(placed, [recordOf('now'), recordOf('v1')])
    expect(feed.map(({ sequence }) => sequence)).toEqual(['now'])
  })

  it('omits rows of unknown types', () => {
    const other = graph('other', [node('book', { title: string() }, { id: 'title' })])
    const record = { dynamodb: { Keys: {}, NewImage: { PK: { S: 'x' }, SK: { S: 'y' }, _type: { S: 'z' } } } }
    expect(changes(other as Graph<(typeof other)['types'][number]>, [record])).toEqual([])
  })
})
