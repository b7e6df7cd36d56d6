import { describe, expect, it } from 'vitest'
import { PARTITION_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import { decodeTemplate } from '../../../src/layout/keys/encode-template.js'
import { layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { boolean } from '../../../src/schema/attributes/boolean.js'
import { edge, graph, integer, node, string } from '../declarations.js'

const user = node('user', { id: string(), email: string().optional() }, { id: 'id', unique: ['email'] })
const HASHED = /^\$unique#[0-9a-f]{64}$/

describe('a unique value that is too long for a key', () => {
  const sentinel = (email: string, tenant?: string) => {
    const made = layout(graph('g', [user], { tenant: tenant !== undefined }))
    return itemsOf(made, { user: [{ id: 'a', email }] }, tenant).find(({ kind }) => kind === 'user.email')!.item
  }
  const head = 'user.email#'
  const longest = 'x'.repeat(PARTITION_KEY_BYTES - head.length)

  it('a unique value that is too long is stored by its hash, and a shorter value directly', () => {
    expect(sentinel(longest).PK).toEqual({ S: head + longest })
    expect(sentinel(`${longest}y`).PK!.S).toMatch(HASHED)
    expect(sentinel(`${longest}y`).id).toEqual({ S: 'a' })
  })

  it('two long unique values have different hashes', () => {
    const texts = ['y', 'z', 'yy'].map(end => sentinel(longest + end).PK!.S)
    expect(new Set(texts).size).toBe(3)
    expect(sentinel(`${longest}y`).PK!.S).toBe(texts[0])
  })

  it("the sentinel of a long unique value is stored in the tenant's partitions", () => {
    expect(sentinel(`${longest}y`, 'a#b').PK!.S).toMatch(/^a\$#b#\$unique#[0-9a-f]{64}$/)
  })

  it('a hashed key is recognized but not decoded', () => {
    const made = layout(graph('g', [user]))
    const template = made.kinds.find(({ role }) => role === 'unique')!.keys.PK!
    expect(decodeTemplate(template, sentinel(`${longest}y`).PK!.S!)).not.toHaveProperty('email')
    expect(decodeTemplate(template, 'user#a')).toBeUndefined()
    expect(proveLayout(made)).toEqual([])
  })

  it('a unique value that is too long is rejected in raw keys', () => {
    const made = layout(graph('g', [user]), { raw: true })
    const long = { user: [{ id: 'a', email: `${longest}y` }] }
    expect(() => itemsOf(made, long)).toThrow(expect.objectContaining({ code: 'key.long' }))
  })
})

describe('an index of native keys', () => {
  const by = { by: { other: { as: 'native' } } } as const
  const native = edge('likes', { user, other: user }, {}, by)

  it('a native index is rejected if another type stores its attribute with another DynamoDB type', () => {
    const page = node('page', { id: string(), other: integer() }, { id: 'id' })
    const made = () => layout(graph('g', [user, page, native]))
    expect(made).toThrow(expect.objectContaining({ code: 'layout.native', details: { name: 'other' } }))
  })

  it('a native index is accepted if the conflicting attribute has another stored name or is part of a key', () => {
    const renamed = node('page', { id: string(), other: integer().stored('o') }, { id: 'id' })
    const told = node('told', { other: integer() }, { id: 'other' })
    const made = layout(graph('g', [user, renamed, told, native]))
    expect(made.design.attributes).toMatchObject({ other: 'S' })
  })

  it('a native index has the tenant in its key, and the items store it', () => {
    const made = layout(graph('g', [user, native], { tenant: true }))
    expect(made.design.indexes).toMatchObject([{ partition: ['_type', 'tenant', 'other'], sort: ['user'] }])
    expect(made.design.attributes).toMatchObject({ tenant: 'S' })
    expect(made.accesses.find(({ method }) => method === 'native')!.requiredSlots).toEqual(['tenant', 'other'])
    const [item] = itemsOf(made, { likes: [{ user: 'a', other: 'b' }] }, 'acme')
    expect(item!.item).toMatchObject({ PK: { S: 'acme#user#a' }, tenant: { S: 'acme' }, other: { S: 'b' } })
  })

  it('two native indexes are accepted in a graph with tenants', () => {
    const by = { size: { order: ['size'], as: 'native' }, age: { order: ['age'], as: 'native' } } as const
    const pet = node('pet', { id: string(), size: integer(), age: integer() }, { id: 'id', by })
    const made = layout(graph('g', [pet], { tenant: true }))
    expect(made.design.indexes.map(({ partition }) => partition)).toEqual([
      ['_type', 'tenant'],
      ['_type', 'tenant'],
    ])
  })

  it('a native index is rejected in a graph with tenants if an attribute is named tenant', () => {
    const owned = edge('likes', { user, other: user }, { tenant: string() }, by)
    const made = () => layout(graph('g', [user, owned], { tenant: true }))
    expect(made).toThrow(expect.objectContaining({ code: 'layout.name' }))
  })

  it('a native index of attributes that keys cannot contain is rejected', () => {
    const lamp = node('lamp', { id: string(), on: boolean() }, { id: 'id', by: { on: { in: ['on'], as: 'native' } } })
    expect(() => layout(graph('g', [lamp]))).toThrow(expect.objectContaining({ code: 'layout.native' }))
  })
})

describe('the keys of a configured index', () => {
  const shop = node(
    'shop',
    { id: string(), state: string().optional(), city: string().optional() },
    { id: 'id', by: { place: { in: ['state'], order: ['city'] } } },
  )
  const made = layout(graph('g', [shop]), {
    indexes: { places: { keys: ['Where', 'Order'] } },
    keys: { shop: { Where: 'STATE#{state}', Order: '{city}#{id}' } },
  })
  const keysOf = (row: object) => Object.keys(itemsOf(made, { shop: [{ id: '1', ...row }] })[0]!.item)

  it('an item has either all keys of a configured index or none', () => {
    expect(keysOf({ state: 'CA', city: 'LA' })).toEqual(expect.arrayContaining(['Where', 'Order']))
    expect(keysOf({ state: 'CA' })).toEqual(['PK', 'SK', '_type', 'state'])
    expect(keysOf({ city: 'LA' })).toEqual(['PK', 'SK', '_type', 'city'])
  })

  it('a shared index key is written for one index if the other index lacks its other key', () => {
    const two = layout(graph('g', [shop]), {
      indexes: { states: { keys: ['Where'] }, places: { keys: ['Where', 'Order'] } },
      keys: { shop: { Where: 'STATE#{state}', Order: '{city}#{id}' } },
    })
    const [item] = itemsOf(two, { shop: [{ id: '1', state: 'CA' }] })
    expect(Object.keys(item!.item)).toEqual(['PK', 'SK', 'Where', '_type', 'state'])
  })
})

describe('two attributes', () => {
  it('two attributes with one stored name are rejected, also if one is an end', () => {
    const likes = edge('likes', { user, other: user }, { note: string().stored('other') })
    const made = () => layout(graph('g', [user, likes]))
    expect(made).toThrow(expect.objectContaining({ code: 'layout.name' }))
  })
})

describe('members named like reserved slots', () => {
  const user = node('user', { id: string() }, { id: 'id' })
  const refused = expect.objectContaining({ code: 'layout.name' })

  it('a member named tenant is rejected in a graph with tenants', () => {
    const shop = node('shop', { id: string(), tenant: string() }, { id: 'id' })
    const rents = edge('rents', { tenant: user, flat: user }, {})
    expect(() => layout(graph('g', [shop], { tenant: true }))).toThrow(refused)
    expect(() => layout(graph('g', [user, rents], { tenant: true }))).toThrow(refused)
    expect(layout(graph('g', [shop, user, rents])).kinds).toHaveLength(3)
  })

  it('a member named shard is rejected in a type with shards', () => {
    const declared = (shards: number) =>
      edge('reads', { reader: user, author: user }, { shard: string() }, { by: { reader: { shards } } })
    expect(() => layout(graph('g', [user, declared(2)]))).toThrow(refused)
    expect(layout(graph('g', [user, declared(1)])).kinds).toHaveLength(2)
  })
})
