import { describe, expect, it } from 'vitest'
import { openBatch, type ValidateOptions, type ValidationFinding, validate } from '../../src/batch/index.js'
import { findingLine, keyOfLine } from '../../src/batch/validation/findings.js'
import type { AttributeValue } from '../../src/dynamodb/index.js'
import { memory } from '../../src/engine/memory.js'
import {
  binary,
  counter,
  edge,
  embedded,
  graph,
  integer,
  node,
  number,
  open,
  type Store,
  string,
} from '../../src/index.js'
import { verify } from '../../src/jobs/index.js'
import { inspectItems } from '../../src/jobs/verify/verify.js'

const user = node(
  'user',
  {
    id: string(),
    mail: string(),
    city: string(),
    photo: binary().optional(),
    orders: counter(),
    spent: counter(),
    likes: counter(),
    tags: embedded({ weight: integer() }),
  },
  {
    id: 'id',
    unique: ['mail'],
    by: { city: { in: ['city'] }, mirrored: { in: ['city'], order: ['mail'], as: 'item' } },
  },
)
const shop = node('shop', { id: string(), title: string() }, { id: 'id' })
const order = edge(
  'order',
  { user, shop },
  { no: string(), price: number(), weight: integer() },
  {
    key: ['no'],
    count: { user: 'orders' },
    sum: { user: { into: 'spent', of: 'price' } },
    embed: { user: { into: 'tags', max: 50 } },
    carry: { shopTitle: { from: 'shop.title', sync: 'eventual' } },
    by: { shop: { as: 'mirror' } },
  },
)
const like = edge('like', { user, shop }, { stars: integer() }, { sum: { user: { into: 'likes', of: 'stars' } } })
const market = graph('market', [user, shop, order, like])

async function filled() {
  const store = memory()
  const g = await open(market, store)
  for (const id of ['ann', 'bob']) await g.user.put({ id, mail: `${id}@x`, city: 'Rome', photo: Uint8Array.of(1, 2) })
  for (const id of ['s1', 's2']) await g.shop.put({ id, title: `Shop ${id}` })
  for (const [no, price] of [0.1, 0.2, 1e-20, 7].entries())
    await g.order.put({ user: 'ann', shop: no % 2 ? 's1' : 's2', no: `n${no}`, price, weight: no })
  await g.like.put({ user: 'ann', shop: 's1', stars: 4 })
  return { store, g }
}

async function findingsOf(store: Store, options: ValidateOptions = {}): Promise<ValidationFinding[]> {
  await using data = await openBatch(market, { from: { store }, threads: 1 })
  const found: ValidationFinding[] = []
  await validate(data, { ...options, onFinding: finding => void found.push(finding) })
  return found
}

const codesOf = (found: readonly { readonly code: string }[]) => [...new Set(found.map(({ code }) => code))].sort()

const USER = { PK: { S: 'user#ann' }, SK: { S: '#' } }
const ORDER = { PK: { S: 'user#ann' }, SK: { S: 'order#s1#n1' } }
const MIRROR = { PK: { S: 'shop#s1' }, SK: { S: 'order.shop#ann#n1' } }

const setting =
  (Key: Record<string, AttributeValue>, name: string, value: AttributeValue | undefined) => (store: Store) =>
    store.updateItem({
      TableName: 'market',
      Key,
      UpdateExpression: value ? 'SET #n = :v' : 'REMOVE #n',
      ExpressionAttributeNames: { '#n': name },
      ...(value && { ExpressionAttributeValues: { ':v': value } }),
    })
const deleting = (Key: Record<string, AttributeValue>) => (store: Store) =>
  store.deleteItem({ TableName: 'market', Key })
const putting = (Item: Record<string, AttributeValue>) => (store: Store) => store.putItem({ TableName: 'market', Item })

const DAMAGES: Readonly<Record<string, readonly [code: string, damage: (store: Store) => Promise<unknown>]>> = {
  'a counter': ['counter.drift', setting(USER, 'orders', { N: '9' })],
  'a sum of fractions by one part in 10 ** 20': ['counter.drift', setting(USER, 'spent', { N: '7.3' })],
  'the number of edges behind a sum': ['edges.uncounted', setting(USER, '$edges.likes', { N: '1' })],
  'an embedded map': ['entry.drift', setting(USER, 'tags', { M: {} })],
  'a copy': ['copy.stale', setting(ORDER, 'shopTitle', { S: 'Other' })],
  'a mirror': ['mirror.missing', deleting(MIRROR)],
  'a mirror of nothing': ['mirror.orphan', deleting(ORDER)],
  'the key of an index': ['index.stale', setting(USER, 'GSI1PK', { S: 'user.city#Paris' })],
  'a facet': ['facet.missing', deleting({ PK: { S: 'user#ann' }, SK: { S: 'user.mirrored#Rome#ann@x' } })],
  'a sentinel': ['sentinel.missing', deleting({ PK: { S: 'user.mail#ann@x' }, SK: { S: '#' } })],
  'an edge without its node': ['edge.dangling', deleting({ PK: { S: 'shop#s1' }, SK: { S: '#' } })],
  'the key of an item': ['item.unknown', putting({ PK: { S: 'user#a#b' }, SK: { S: 'x' }, _type: { S: 'user' } })],
  'a value that is not as declared': ['item.unreadable', setting(ORDER, 'weight', { S: 'heavy' })],
  'a sentinel of nobody': [
    'sentinel.orphan',
    putting({ PK: { S: 'user.mail#nobody' }, SK: { S: '#' }, _type: { S: 'user.mail' }, id: { S: 'nobody' } }),
  ],
}

describe('a validation', () => {
  it('finds nothing in a consistent table', async () => {
    const { store } = await filled()
    expect(await findingsOf(store)).toEqual([])
  })

  it.each(Object.entries(DAMAGES))('finds damage to %s, and repair removes it', async (_, [code, damage]) => {
    const { store } = await filled()
    await damage(store)
    const g = await open(market, store, { follow: false })
    const found = await findingsOf(store)
    const expected: ValidationFinding['code'][] = []
    await verify(g, { onFault: fault => expected.push(fault.code) })
    expect(codesOf(found)).toContain(code)
    expect(codesOf(found)).toEqual([...new Set(expected)].sort())
    const live = await findingsOf(store, { live: g })
    expect(codesOf(live)).toEqual(codesOf(found))
    const keys = live.map(finding => keyOfLine(findingLine(finding))!)
    await inspectItems(g, keys, true)
    const left: string[] = []
    await verify(g, { onFault: fault => left.push(fault.code) })
    expect(left.filter(each => !/dangling|unknown|unreadable|drift/.test(each))).toEqual([])
  })

  it('confirms inconsistencies in the live table and ignores those that were repaired since', async () => {
    const { store } = await filled()
    await setting(USER, 'orders', { N: '9' })(store)
    await using data = await openBatch(market, { from: { store } })
    await setting(USER, 'orders', { N: '4' })(store)
    expect(await validate(data)).toMatchObject({ findings: 1, codes: { 'counter.drift': 1 } })
    const g = await open(market, store, { follow: false })
    expect(await validate(data, { live: g })).toMatchObject({ findings: 0, codes: {} })
  })

  it('reports the expected value of a counter', async () => {
    const { store } = await filled()
    await setting(USER, 'spent', { N: '7.3' })(store)
    expect(await findingsOf(store)).toMatchObject([
      {
        code: 'counter.drift',
        type: 'user',
        row: { id: 'ann' },
        name: 'spent',
        expected: { N: '7.30000000000000000001' },
        found: { N: '7.3' },
        key: USER,
      },
    ])
  })
})
