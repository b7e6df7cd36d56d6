import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  append,
  binary,
  boolean,
  counter,
  edge,
  type GraphError,
  graph,
  json,
  list,
  map,
  node,
  number,
  oneOf,
  open,
  remove,
  set,
  string,
} from '../../../src/index.js'
import type { StandardSchema } from '../../../src/schema/standard-schema.js'
import { computed, encrypted, mapped, Secret } from '../../../src/schema/transformed/index.js'

const url = () => mapped(string(), { write: (value: URL) => value.href, read: text => new URL(text) })
const flags = () =>
  mapped(number(), {
    write: (value: { readonly read: boolean; readonly write: boolean }) => Number(value.read) + 2 * Number(value.write),
    read: bits => ({ read: (bits & 1) > 0, write: (bits & 2) > 0 }),
  })

const site = node('site', { id: string(), home: url(), more: list(url()).optional(), may: flags() }, { id: 'id' })
const link = edge(
  'link',
  { from: site, to: site },
  { at: url() },
  { carry: { home: { from: 'to.home', sync: 'eventual' } } },
)
const web = graph('web', [site, link])
const rights = { read: true, write: false }

describe('a mapped attribute', () => {
  it('a mapped attribute is given and read in its mapped form, and stored in its base form', async () => {
    const store = memory()
    const g = await open(web, store)
    const row = { id: 'a', home: new URL('https://a.org/'), more: [new URL('https://a.org/x')], may: rights }
    await g.site.create(row)
    expect(await g.site.get('a')).toEqual(row)
    expectTypeOf((await g.site.get('a'))!.home).toEqualTypeOf<URL>()
    const { Item } = await store.getItem({ TableName: 'web', Key: { PK: { S: 'site#a' }, SK: { S: '#' } } })
    expect(Item).toMatchObject({
      home: { S: 'https://a.org/' },
      more: { L: [{ S: 'https://a.org/x' }] },
      may: { N: '1' },
    })
    await g.site.update('a', { may: { read: false, write: true } })
    expect(
      await g.site
        .scan()
        .filter(r => r.may.is({ read: false, write: true }))
        .all(),
    ).toMatchObject([{ id: 'a' }])
    await g.link.create({ from: 'a', to: 'a', at: row.home })
    expect(await g.link.by.from('a').all()).toEqual([{ from: 'a', to: 'a', at: row.home, home: row.home }])
  })

  it('an invalid mapped value is rejected with its path', async () => {
    const store = memory()
    const g = await open(web, store)
    const row = { id: 'a', home: new URL('https://a.org/'), may: rights }
    // @ts-expect-error a text is not a URL
    await expect(async () => g.site.create({ ...row, home: null })).rejects.toMatchObject({
      code: 'value.check',
      details: { path: 'site.home' },
    })
    // @ts-expect-error what is stored of a text is nothing
    await expect(async () => g.site.create({ ...row, home: 'https://a.org' })).rejects.toMatchObject({
      code: 'value.type',
    })
    await g.site.create(row)
    await store.updateItem({
      TableName: 'web',
      Key: { PK: { S: 'site#a' }, SK: { S: '#' } },
      UpdateExpression: 'SET home = :h',
      ExpressionAttributeValues: { ':h': { S: 'nonsense' } },
    })
    await expect(g.site.get('a')).rejects.toMatchObject({
      code: 'stored.type',
      message: expect.stringContaining('home: a function of the attribute failed (Invalid URL); '),
    })
  })

  it('a mapped attribute without both functions is rejected before an unreadable value is written', () => {
    const loosely = mapped as (of: unknown, mapping?: unknown) => unknown
    for (const wrong of [undefined, null, {}, { write: String }, { write: String, read: 'text' }])
      expect(() => loosely(string(), wrong)).toThrow(expect.objectContaining({ code: 'call.argument' }))
    const made = computed as (...given: readonly unknown[]) => unknown
    expect(() => made(string(), { id: string() }, 'id')).toThrow(expect.objectContaining({ code: 'call.argument' }))
  })

  it('a mapped attribute has the same layout as its base', async () => {
    const store = memory()
    const of = (home: StandardSchema) => graph('sites', [node('site', { id: string(), home }, { id: 'id' })])
    await open(of(string()), store)
    await open(of(url()), store)
    await expect(open(of(flags()), store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining('type \'site\': attribute \'home\' was "string", is "number"'),
    })
  })

  it('a mapped attribute is replaced as a whole', async () => {
    const cents = mapped(number(), { write: (value: number) => value * 100, read: stored => stored / 100 })
    const words = mapped(string(), { write: (value: string[]) => value.join(' '), read: text => text.split(' ') })
    const secret = encrypted(number(), { keys: { a: new Uint8Array(32) }, current: 'a', context: 'it.secret' })
    const it = node('it', { id: string(), cents: cents.optional(), words, secret }, { id: 'id' })
    const g = await open(graph('things', [it]), memory())
    const refused = (write: () => PromiseLike<unknown>) =>
      expect(async () => write()).rejects.toMatchObject({ code: 'write.operation' })
    // @ts-expect-error the store would add to what is stored
    await refused(() => g.it.update('1', { cents: add(1) }))
    // @ts-expect-error there is no list
    await refused(() => g.it.update('1', { words: append('x') }))
    // @ts-expect-error nor a number
    await refused(() => g.it.update('1', { secret: add(1) }))
    const sums = { into: 'sum', of: 'cents' } as const
    const to = node('to', { id: string(), sum: counter() }, { id: 'id' })
    // @ts-expect-error nor is it added up
    expect(() => edge('pays', { to, it }, { cents }, { sum: { to: sums } })).toThrow(/number\(\) or an integer\(\)/)
    await g.it.create({ id: '1', cents: 1, words: ['a'], secret: 1 })
    await g.it.update('1', { cents: remove(), words: ['b', 'c'], secret: new Secret(2) })
    const { secret: now, ...row } = (await g.it.get('1'))!
    expect([row, now.value]).toEqual([{ id: '1', words: ['b', 'c'] }, 2])
  })

  it('a mapped attribute cannot be a key part and does not support add()', async () => {
    const cents = mapped(number(), { write: (value: number) => value * 100, read: stored => stored / 100 })
    const refused = (declare: () => unknown) => {
      try {
        declare()
      } catch (error) {
        return (error as GraphError).code
      }
      return undefined
    }
    expect(refused(() => node('it', { id: cents }, { id: 'id' }))).toBe('option.attribute')
    // @ts-expect-error a kind must be called
    expect(refused(() => mapped(string, { write: String, read: String }))).toBe('attribute.unknown')
    expect(refused(() => node('it', { id: string(), cents }, { id: 'id', by: { cents: { order: ['cents'] } } }))).toBe(
      'option.attribute',
    )
  })
})

const keys = { old: randomBytes(32), new: randomBytes(32) }
const text = encrypted(string(), { keys, current: 'new', context: 'person.tax' })
const person = node(
  'person',
  {
    id: string(),
    tax: text,
    more: encrypted(map({ bytes: binary(), B: json(), set: set(string()), is: boolean() }), {
      keys,
      current: 'new',
      context: 'person.more',
    }).optional(),
  },
  { id: 'id' },
)

it('an error thrown by a mapping function is reported with its path, for every thrown or returned value', () => {
  const thrown = (error: unknown) => () => {
    throw error
  }
  const by = (error: unknown) => mapped(string(), { write: thrown(error), read: thrown(error) }).declared
  const ours = thrownBy(() => string().declared.encode(1, 'within'))
  expect(thrownBy(() => by('no such thing').encode(1, 'it.a'))).toMatchObject({
    code: 'value.check',
    message: 'it.a: a function of the attribute failed (no such thing); give a value that it accepts.',
  })
  expect(thrownBy(() => by(new Error('broken')).decode({ S: 'x' }, 'it.a'))).toMatchObject({
    code: 'stored.type',
    message: 'it.a: a function of the attribute failed (broken); correct the stored item, or its declaration.',
  })
  expect(thrownBy(() => by(ours).encode(1, 'it.a'))).toBe(ours)
  const nothing = mapped(string(), { write: String, read: () => undefined }).declared
  expect(thrownBy(() => nothing.decode({ S: 'x' }, 'it.a'))).toMatchObject({
    code: 'stored.type',
    message: "it.a: read() returned undefined for 'x'; return a value.",
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return expect.unreachable()
}

describe('an encrypted attribute', () => {
  it('an encrypted value has the same bytes for every order of set members and object members', () => {
    const { encode } = encrypted(map({ set: set(string()), more: json() }), {
      keys,
      current: 'new',
      context: 'it',
    }).declared
    const one = encode({ set: new Set(['a', 'b']), more: { a: 1, b: [{ c: 2, d: 3 }] } }, 'it')
    expect(encode({ more: { b: [{ d: 3, c: 2 }], a: 1 }, set: new Set(['b', 'a']) }, 'it')).toEqual(one)
  })

  const more = { bytes: Buffer.from([1, 2, 255]), B: { BS: ['x'], B: 'y' }, set: new Set(['a']), is: true }

  it('an encrypted value is stored unreadable without the key, and reads as the original', async () => {
    const store = memory()
    const g = await open(graph('people', [person]), store)
    await g.person.create({ id: 'a', tax: '123-45', more })
    const row = (await g.person.get('a'))!
    expectTypeOf(row.tax).toEqualTypeOf<Secret<string>>()
    expect(row.tax.value).toBe('123-45')
    expect(row.more!.value).toEqual({ ...more, bytes: new Uint8Array(more.bytes) })
    expect(inspect(row) + JSON.stringify(row) + String(row.tax)).not.toContain('123')
    const { Items } = await store.scan({ TableName: 'people' })
    expect(inspect(Items, { depth: null })).not.toContain('123-45')
    // A row that was read can be written again.
    await g.person.put({ ...row, id: 'b' })
    expect((await g.person.get('b'))!.tax.value).toBe('123-45')
  })

  it('an encrypted attribute without keys and context is rejected', () => {
    const loosely = encrypted as (of: unknown, options?: unknown) => unknown
    const whole = { keys: { k: randomBytes(32) }, current: 'k', context: 'user.tax' }
    const wrong = [undefined, null, {}, { ...whole, keys: undefined }, { ...whole, context: undefined }]
    for (const given of [...wrong, { ...whole, context: ['user.tax'] }])
      expect(() => loosely(string(), given)).toThrow(expect.objectContaining({ code: 'call.argument' }))
    expect(() => loosely(string(), { ...whole, contxt: '' })).toThrow(
      expect.objectContaining({ code: 'option.unknown' }),
    )
  })

  it('an encrypted attribute can be tested for existence', async () => {
    const g = await open(graph('people', [person]), memory())
    await g.person.create({ id: 'a', tax: '123' })
    await expect(g.person.update('a', { tax: '9' }).if(r => r.tax.is(new Secret('124')))).rejects.toMatchObject({
      code: 'write.condition',
    })
    await g.person.update('a', { tax: '124' }).if(r => r.tax.is(new Secret('123')))
    expect((await g.person.get('a'))!.tax.value).toBe('124')
    // @ts-expect-error bytes have no order that means anything
    expect(() => g.person.scan().filter(r => r.tax.below('124'))).toThrow(
      expect.objectContaining({ code: 'condition.invalid' }),
    )
  })

  it('an encrypted value is readable under a retired key, and not under another key, elsewhere or after a change', () => {
    const before = encrypted(string(), { keys: { old: keys.old }, current: 'old', context: 'person.tax' }).declared
    const elsewhere = encrypted(string(), { keys, current: 'new', context: 'person.name' }).declared
    const stranger = encrypted(string(), { keys: { old: keys.new }, current: 'old', context: 'person.tax' }).declared
    const stored = before.encode('x', 'tax')
    expect((text.declared.decode(stored) as Secret<string>).value).toBe('x')
    const code = (read: () => unknown) => {
      try {
        return read()
      } catch (error) {
        return (error as GraphError).message
      }
    }
    const bytes = Uint8Array.from(stored.B!)
    bytes[bytes.length - 20]! ^= 1
    expect([
      code(() => stranger.decode(stored, 'tax')),
      code(() => elsewhere.decode(stored, 'tax')),
      code(() => text.declared.decode({ B: bytes }, 'tax')),
      code(() => before.decode(text.declared.encode('x', 'tax'), 'tax')),
      code(() => text.declared.decode({ B: new Uint8Array() }, 'tax')),
      code(() => text.declared.decode({ B: stored.B!.subarray(0, 20) }, 'tax')),
      code(() => text.declared.encode(5, 'tax')),
    ]).toMatchInlineSnapshot(`
      [
        "tax: a function of the attribute failed (the value was not encrypted by the key 'old' for person.tax, or was changed since); correct the stored item, or its declaration.",
        "tax: a function of the attribute failed (the value was not encrypted by the key 'old' for person.name, or was changed since); correct the stored item, or its declaration.",
        "tax: a function of the attribute failed (the value was not encrypted by the key 'old' for person.tax, or was changed since); correct the stored item, or its declaration.",
        "tax: a function of the attribute failed (the value is not encrypted, or its key 'new' is not given); correct the stored item, or its declaration.",
        "tax: a function of the attribute failed (the value is not encrypted, or its key '' is not given); correct the stored item, or its declaration.",
        "tax: a function of the attribute failed (the stored value is too short to be encrypted); correct the stored item, or its declaration.",
        "tax: a function of the attribute failed (the value to encrypt does not have the declared type); give a value that it accepts.",
      ]
    `)
    expect(code(() => encrypted(string(), { keys, current: 'none', context: '' }))).toMatchInlineSnapshot(
      `"encrypted(): there is no key 'none'; add it, or use one of old, new."`,
    )
    expect(
      code(() => encrypted(string(), { keys: { a: new Uint8Array(16) }, current: 'a', context: '' })),
    ).toMatchInlineSnapshot(`"encrypted(): the key 'a' is invalid; give 32 bytes under a name of at most 255 bytes."`)
  })

  it('an error about an encrypted value read as another kind does not contain the value, nor a plain value', () => {
    const options = { keys, current: 'new', context: 'person.tax' }
    const told = (read: () => unknown) => {
      try {
        return read()
      } catch (error) {
        return inspect(error, { depth: 9 })
      }
    }
    const stored = text.declared.encode('hush', 'tax')
    const plain = { B: Buffer.concat([Buffer.from([2, 4]), Buffer.from('hush')]) }
    const all = [
      told(() => encrypted(number(), options).declared.decode(stored, 'tax')),
      told(() => encrypted(oneOf('loud'), options).declared.decode(stored, 'tax')),
      told(() => text.declared.decode(plain, 'tax')),
    ]
    expect(all[0]).toContain(
      'tax: a function of the attribute failed (the decrypted value does not have the declared type)',
    )
    expect(all[1]).toContain(
      'tax: a function of the attribute failed (the decrypted value does not have the declared type)',
    )
    expect(all[2]).toContain(
      "tax: a function of the attribute failed (the value is not encrypted, or its key '' is not given)",
    )
    expect(all.join()).not.toContain('hush')
  })
})
