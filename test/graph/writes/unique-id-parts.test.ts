import { expect, test } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { graph, integer, layout, node, open, string } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import { proveLayout } from '../../../src/layout/index.js'

const account = node('account', { id: string() }, { id: 'id' })
const contact = node(
  'contact',
  { email: string(), calls: integer().optional() },
  { id: 'email', within: account, unique: ['email'] },
)
const flat = node('flat', { no: integer(), key: string() }, { id: ['no', 'key'], unique: ['key'] })
const town = graph('town', [account, contact, flat])

test('the local id of an owned node can be unique among all owners', async () => {
  const g = await open(town, memory())
  for (const id of ['a#b', 'other']) await g.account.put({ id })
  await g.contact.create({ account: 'a#b', email: 'x#y' })
  await expect(g.contact.create({ account: 'other', email: 'x#y' })).rejects.toMatchObject({ code: 'unique.taken' })
  await g.contact.put({ account: 'a#b', email: 'x#y', calls: 1 })
  await g.contact.update({ account: 'a#b', email: 'x#y' }, { calls: 2 })
  expect(await g.contact.by.email('x#y')).toEqual({ account: 'a#b', email: 'x#y', calls: 2 })
  await g.contact.delete({ account: 'a#b', email: 'x#y' })
  await g.contact.create({ account: 'other', email: 'x#y' })
  expect((await verify(g)).faults).toEqual({})
})

test('one part of an id can be unique on its own', async () => {
  const g = await open(town, memory())
  await g.flat.create({ no: 1, key: 'brass' })
  await expect(g.flat.create({ no: 2, key: 'brass' })).rejects.toMatchObject({ code: 'unique.taken' })
  expect(await g.flat.by.key('brass')).toEqual({ no: 1, key: 'brass' })
})

test('raw keys can hold the sentinel of a part of an id', async () => {
  const raw = layout(town, {
    raw: true,
    keys: {
      account: { PK: 'A#{id}', SK: 'A' },
      contact: { PK: 'A#{account}', SK: 'C#{email}', 'unique.email': { PK: 'M#{email}', SK: 'M' } },
      flat: { PK: 'F#{no}', SK: 'F#{key}', 'unique.key': { PK: 'K#{key}', SK: 'K' } },
    },
  })
  expect(proveLayout(raw)).toEqual([])
  const g = await open(raw, memory())
  await g.account.put({ id: 'a' })
  await g.contact.create({ account: 'a', email: 'x' })
  await expect(g.contact.create({ account: 'b', email: 'x' })).rejects.toMatchObject({ code: 'unique.taken' })
  expect(await g.contact.by.email('x')).toEqual({ account: 'a', email: 'x' })
  expect((await verify(g)).faults).toEqual({})
})

test('backfill adds uniqueness to an existing part of an id', async () => {
  const plain = node('contact', { email: string(), calls: integer().optional() }, { id: 'email', within: account })
  const store = memory()
  await (await open(graph('town', [account, plain, flat]), store)).contact.put({ account: 'a', email: 'x' })
  await backfill(town, store)
  const g = await open(town, store)
  await g.account.put({ id: 'a' })
  expect(await g.contact.by.email('x')).toEqual({ account: 'a', email: 'x' })
  expect((await verify(g)).faults).toEqual({})
})
