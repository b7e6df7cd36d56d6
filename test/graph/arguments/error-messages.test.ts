import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, graph, integer, json, layout, map, node, open, string, ulid } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'
import { encodeTemplate } from '../../../src/layout/keys/encode-template.js'

const user = node('user', { id: ulid(), name: string(), age: integer().optional(), posts: counter() }, { id: 'id' })
const post = node('post', { slug: string(), data: json().optional() }, { id: 'slug' })
const wrote = edge('wrote', { user, post }, { at: integer().optional() })
const blog = graph('blog', [user, post, wrote])
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Passes a value that the types forbid. */
const loose = (value: object) => value as never

describe('an error message has the reason and the remedy', () => {
  it('a missing end is reported as missing and not as a value of the wrong type', async () => {
    const g = await open(blog, memory())
    await expect(g.wrote.put(loose({ post: 'x' }))).rejects.toMatchObject({
      code: 'write.missing',
      message: 'wrote.user: the end is missing; give the id of a user.',
      details: { type: 'wrote', name: 'user', path: 'wrote.user' },
    })
  })

  it('null is not a value, and the message names remove()', async () => {
    const g = await open(blog, memory())
    await g.user.put({ id: ID, name: 'Ann', age: 7 })
    await expect(g.user.update(ID, loose({ age: null }))).rejects.toMatchObject({
      code: 'value.type',
      message: expect.stringContaining('remove()'),
    })
    expect(await g.user.get(ID)).toMatchObject({ age: 7 })
  })

  it('a key that is too long names the type, the attribute and the sizes', async () => {
    const g = await open(blog, memory())
    await expect(g.post.put({ slug: 's'.repeat(3_000) })).rejects.toMatchObject({
      code: 'key.long',
      message: `post.slug: the key 'post#{slug}' in 'PK' has 3005 bytes and may have 2048; give a shorter value.`,
      details: { type: 'post', name: 'slug', path: 'post.slug', attribute: 'PK', sizeBytes: 3005, maxBytes: 2048 },
    })
  })

  it('a missing part of a key names the type, the part and the key attribute', () => {
    const template = layout(blog).kinds.find(({ name }) => name === 'post')!.keys.PK!
    expect(() => encodeTemplate(template, {})).toThrow(
      expect.objectContaining({
        code: 'key.missing',
        message: `post.slug: the key 'post#{slug}' in 'PK' needs this value; give it.`,
        details: expect.objectContaining({ type: 'post', name: 'slug', path: 'post.slug', attribute: 'PK' }),
      }),
    )
  })

  it('a put names the immutable attribute that it would change, alone and in a transaction', async () => {
    const attributes = { id: string(), amount: integer().immutable(), payer: string().immutable().optional() }
    const g = await open(graph('bills', [node('bill', attributes, { id: 'id' })]), memory())
    await g.bill.put({ id: '1', amount: 5, payer: 'ann' })
    const changed = (name: string) => ({
      code: 'write.immutable',
      message: `bill '1': the row has another value of the immutable attribute '${name}' than this bill; give the stored value, or delete the bill and create it again.`,
      details: { type: 'bill', name, value: { id: '1' } },
    })
    await expect(g.bill.put({ id: '1', amount: 6, payer: 'ann' })).rejects.toMatchObject(changed('amount'))
    await expect(g.bill.put({ id: '1', amount: 5 })).rejects.toMatchObject(changed('payer'))
    const both = g.$transact([g.bill.put({ id: '2', amount: 1 }), g.bill.put({ id: '1', amount: 5, payer: 'bob' })])
    await expect(both).rejects.toMatchObject(changed('payer'))
    await g.bill.put({ id: '1', amount: 5, payer: 'ann' })
  })

  it('a transaction that reads and writes advises a check', async () => {
    const g = await open(blog, memory())
    await expect(async () => g.$transact(loose([g.post.get('x'), g.post.put({ slug: 'y' })]))).rejects.toMatchObject({
      code: 'call.part',
      message: expect.stringMatching(/check\(id, condition\)/),
    })
  })
})

describe('an empty id', () => {
  it('an empty id is rejected in a new node and in a new edge', async () => {
    const g = await open(blog, memory())
    const refused = { code: 'key.empty', message: `post.slug: the id is an empty text; give at least one character.` }
    await expect(g.post.put({ slug: '' })).rejects.toMatchObject(refused)
    await expect(g.post.create({ slug: '' })).rejects.toMatchObject(refused)
    await expect(g.wrote.put({ user: ID, post: '' })).rejects.toMatchObject({
      code: 'key.empty',
      details: { type: 'wrote', name: 'post', path: 'wrote.post' },
    })
    expect((await verify(g)).faults).toEqual({})
  })

  it('an existing item with an empty id can be read, updated and deleted', async () => {
    const store = memory()
    const g = await open(blog, store)
    await store.putItem({
      TableName: 'blog',
      Item: { PK: { S: 'post#' }, SK: { S: '#' }, _type: { S: 'post' }, _etag: { S: 'e' } },
    })
    expect(await g.post.get('')).toEqual({ slug: '' })
    await g.post.update('', { data: 1 })
    expect(await g.post.scan().all()).toEqual([{ slug: '', data: 1 }])
    await g.post.delete('')
    expect(await g.post.get('')).toBeUndefined()
  })
})

describe('names inside JSON and maps', () => {
  const data = json().declared

  it('an undefined member is omitted, also one with an empty name', () => {
    expect(data.encode({ '': undefined, a: [{ '': undefined }] }, 'x')).toEqual({ M: { a: { L: [{ M: {} }] } } })
  })

  it('a name with half a surrogate pair is rejected, because it would be stored as a different name', () => {
    const code = 'value.text'
    expect(() => data.encode({ a: { '\ud800': 1 } }, 'post.data')).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ path: 'post.data.a' }) }),
    )
    expect(data.encode({ '\u{1f600}': 1, '\udc00': undefined }, 'x')).toEqual({ M: { '\u{1f600}': { N: '1' } } })
  })

  it('a declared member or stored name with half a surrogate pair is rejected', () => {
    for (const declare of [() => map({ '\udfff': string() }), () => string().stored('a\ud800')])
      expect(declare).toThrow(expect.objectContaining({ code: 'name.invalid' }))
  })
})

it('a native order at an end with at most one edge is rejected', () => {
  const by = { user: { as: 'native', order: ['at'] } } as const
  expect(() => edge('wrote', { user, post }, { at: integer() }, { one: 'user', by })).toThrow(
    expect.objectContaining({ code: 'path.way', message: expect.stringContaining(`drop 'order'`) }),
  )
})
