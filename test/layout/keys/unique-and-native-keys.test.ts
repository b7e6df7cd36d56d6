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

  it('is kept by its hash, and one that fits by itself', () => {
    expect(sentinel(longest).PK).toEqual({ S: head + longest })
    expect(sentinel(`${longest}y`).PK!.S).toMatch(HASHED)
    expect(sentinel(`${longest}y`).id).toEqual({ S: 'a' })
  })

  it('has the same hash only as itself', () => {
    const texts = ['y', 'z', 'yy'].map(end => sentinel(longest + end).PK!.S)
    expect(new Set(texts).size).toBe(3)
    expect(sentinel(`${longest}y`).PK!.S).toBe(texts[0])
  })

  it('lies among the items of its tenant', () => {
    expect(sentinel(`${longest}y`, 'a#b').PK!.S).toMatch(/^a\$#b#\$unique#[0-9a-f]{64}$/)
  })

  it('is not read from its key, which is still known to be of its kind', () => {
    const made = layout(graph('g', [user]))
    const template = made.kinds.find(({ role }) => role === 'unique')!.keys.PK!
    expect(decodeTemplate(template, sentinel(`${longest}y`).PK!.S!)).not.toHaveProperty('email')
    expect(decodeTemplate(template, 'user#a')).toBeUndefined()
    expect(proveLayout(made)).toEqual([])
  })

  it('is refused in raw keys, which other programs write too', () => {
    const made = layout(graph('g', [user]), { raw: true })
    const long = { user: [{ id: 'a', email: `${longest}y` }] }
    expect(() => itemsOf(made, long)).toThrow(expect.objectContaining({ code: 'key.long' }))
  })
})

describe('an index of native keys', () => {
  const by = { by: { other: { as: 'native' } } } as const
  const native = edge('likes', { user, other: user }, {}, by)

  it('is refused where another type stores one of its attributes in another type', () => {
    const page = node('page', { id: string(), other: integer() }, { id: 'id' })
    const made = () => layout(graph('g', [user, page, native]))
    expect(made).toThrow(expect.objectContaining({ code: 'layout.native', details: { name: 'other' } }))
  })

  it('is taken where that other attribute is stored under another name, or is told by a key', () => {
    const renamed = node('page', { id: string(), other: integer().stored('o') }, { id: 'id' })
    const told = node('told', { other: integer() }, { id: 'other' })
    const made = layout(graph('g', [user, renamed, told, native]))
    expect(made.design.attributes).toMatchObject({ other: 'S' })
  })

  it('has the tenant in its key, which the items hold', () => {
    const made = layout(graph('g', [user, native], { tenant: true }))
    expect(made.design.indexes).toMatchObject([{ partition: ['_type', 'tenant', 'other'], sort: ['user'] }])
    expect(made.design.attributes).toMatchObject({ tenant: 'S' })
    expect(made.accesses.find(({ method }) => method === 'native')!.requiredSlots).toEqual(['tenant', 'other'])
    const [item] = itemsOf(made, { likes: [{ user: 'a', other: 'b' }] }, 'acme')
    expect(item!.item).toMatchObject({ PK: { S: 'acme#user#a' }, tenant: { S: 'acme' }, other: { S: 'b' } })
  })

  it('stands beside another in a graph of tenants', () => {
    const by = { size: { order: ['size'], as: 'native' }, age: { order: ['age'], as: 'native' } } as const
    const pet = node('pet', { id: string(), size: integer(), age: integer() }, { id: 'id', by })
    const made = layout(graph('g', [pet], { tenant: true }))
    expect(made.design.indexes.map(({ partition }) => partition)).toEqual([
      ['_type', 'tenant'],
      ['_type', 'tenant'],
    ])
  })

  it('is refused in a graph of tenants where an attribute has the name of the tenant', () => {
    const owned = edge('likes', { user, other: user }, { tenant: string() }, by)
    const made = () => layout(graph('g', [user, owned], { tenant: true }))
    expect(made).toThrow(expect.objectContaining({ code: 'layout.name' }))
  })

  it('is refused over what DynamoDB takes in no key', () => {
    const lamp = node('lamp', { id: string(), on: boolean() }, { id: 'id', by: { on: { in: ['on'], as: 'native' } } })
    expect(() => layout(graph('g', [lamp]))).toThrow(expect.objectContaining({ code: 'layout.native' }))
  })
})

describe('keys of an index that is given by name', () => {
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

  it('are there only together', () => {
    expect(keysOf({ state: 'CA', city: 'LA' })).toEqual(expect.arrayContaining(['Where', 'Order']))
    expect(keysOf({ state: 'CA' })).toEqual(['PK', 'SK', '_type', 'state'])
    expect(keysOf({ city: 'LA' })).toEqual(['PK', 'SK', '_type', 'city'])
  })

  it('are there for one index where another that has one of them lacks its own', () => {
    const two = layout(graph('g', [shop]), {
      indexes: { states: { keys: ['Where'] }, places: { keys: ['Where', 'Order'] } },
      keys: { shop: { Where: 'STATE#{state}', Order: '{city}#{id}' } },
    })
    const [item] = itemsOf(two, { shop: [{ id: '1', state: 'CA' }] })
    expect(Object.keys(item!.item)).toEqual(['PK', 'SK', 'Where', '_type', 'state'])
  })
})

describe('two attributes', () => {
  it('are not stored under one name, be it that of an end', () => {
    const likes = edge('likes', { user, other: user }, { note: string().stored('other') })
    const made = () => layout(graph('g', [user, likes]))
    expect(made).toThrow(expect.objectContaining({ code: 'layout.name' }))
  })
})

describe('an attribute or an end that is called as what the keys have of their own', () => {
  const user = node('user', { id: string() }, { id: 'id' })
  const refused = expect.objectContaining({ code: 'layout.name' })

  it('is refused in a graph of tenants, where the tenant would be read in its place', () => {
    const shop = node('shop', { id: string(), tenant: string() }, { id: 'id' })
    const rents = edge('rents', { tenant: user, flat: user }, {})
    expect(() => layout(graph('g', [shop], { tenant: true }))).toThrow(refused)
    expect(() => layout(graph('g', [user, rents], { tenant: true }))).toThrow(refused)
    expect(layout(graph('g', [shop, user, rents])).kinds).toHaveLength(3)
  })

  it('is refused where the shard of a key would be read in its place', () => {
    const declared = (shards: number) =>
      edge('reads', { reader: user, author: user }, { shard: string() }, { by: { reader: { shards } } })
    expect(() => layout(graph('g', [user, declared(2)]))).toThrow(refused)
    expect(layout(graph('g', [user, declared(1)])).kinds).toHaveLength(2)
  })
})
