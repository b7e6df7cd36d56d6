import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/embedded.js'
import { append, edge, embedded, graph, layout, list, map, node, open, string, within } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import { computed, type EncryptedOptions, encrypted, mapped, Secret } from '../../../src/schema/transformed/index.js'

const keys = { one: new Uint8Array(32).fill(1), two: new Uint8Array(32).fill(2) }
const secret = (context: string, more?: Partial<EncryptedOptions>) =>
  encrypted(string(), { keys, current: 'one', context, ...more })

const person = node('person', { id: string(), tax: secret('tax'), note: secret('tax').optional() }, { id: 'id' })
const people = graph('people', [person])

type Store = ReturnType<typeof memory>

const keyOf = (type: string, id: string) => ({ PK: { S: `${type}#${id}` }, SK: { S: '#' } })

async function itemOf(store: Store, table: string, Key: Item): Promise<Item> {
  return (await store.getItem({ TableName: table, Key })).Item!
}

/** Overwrites an attribute as someone with access to the table and without the key could. */
const overwrite = (store: Store, table: string, Key: Item, name: string, value: Item[string]) =>
  store.updateItem({
    TableName: table,
    Key,
    UpdateExpression: 'SET #n = :v',
    ExpressionAttributeNames: { '#n': name },
    ExpressionAttributeValues: { ':v': value! },
  })

const moved = { code: 'stored.type', message: expect.stringContaining('encrypted for another row or attribute') }

/** The stored form before values were bound to rows. */
const unbound = (text: string, context = 'tax') => secret(context).declared.encode(text, 'value')

describe('an encrypted value', () => {
  it('an encrypted value is rejected in another row and in another attribute of its row', async () => {
    const store = memory()
    const g = await open(people, store)
    await g.person.put({ id: 'ann', tax: '1' })
    await g.person.put({ id: 'bob', tax: '2', note: 'n' })
    const ann = await itemOf(store, 'people', keyOf('person', 'ann'))
    const bob = await itemOf(store, 'people', keyOf('person', 'bob'))
    await overwrite(store, 'people', keyOf('person', 'bob'), 'tax', ann.tax!)
    for (const read of [
      () => g.person.get('bob'),
      () => g.person.many(['bob']),
      () => g.person.scan().all(),
      () => g.person.scan().only('tax').all(),
    ])
      await expect(read()).rejects.toMatchObject(moved)
    expect(await g.person.scan().only('id').all()).toHaveLength(2)
    await overwrite(store, 'people', keyOf('person', 'bob'), 'tax', bob.note!)
    await expect(g.person.get('bob')).rejects.toMatchObject(moved)
    expect((await g.person.get('ann'))!.tax.value).toBe('1')
  })

  it('an encrypted value has different bytes in two rows, and the same bytes when its row is written again', async () => {
    const store = memory()
    const g = await open(people, store)
    const taxOf = async (id: string) => (await itemOf(store, 'people', keyOf('person', id))).tax
    for (const id of ['ann', 'bob']) await g.person.put({ id, tax: '1' })
    const before = await taxOf('ann')
    expect(before).not.toEqual(await taxOf('bob'))
    await g.person.put({ id: 'ann', tax: '1' })
    expect(await taxOf('ann')).toEqual(before)
    await g.person.update('ann', { tax: new Secret('1') })
    expect(await taxOf('ann')).toEqual(before)
  })

  it('an encrypted value stored without binding is readable, and its next write binds it', async () => {
    const store = memory()
    const g = await open(people, store)
    await g.person.put({ id: 'ann', tax: '1' })
    const bound = (await itemOf(store, 'people', keyOf('person', 'ann'))).tax
    await overwrite(store, 'people', keyOf('person', 'ann'), 'tax', unbound('1'))
    expect((await g.person.get('ann'))!.tax.value).toBe('1')
    // A condition matches either form.
    await g.person.update('ann', { note: 'x' }).if(r => r.tax.is(new Secret('1')))
    await g.person.put({ ...(await g.person.get('ann'))! })
    expect((await itemOf(store, 'people', keyOf('person', 'ann'))).tax).toEqual(bound)
    await g.person
      .update('ann', { tax: '2' })
      .if(r => r.tax.not(new Secret('3')).and(r.tax.in(new Secret('0'), new Secret('1'))))
    await expect(g.person.update('ann', { tax: '4' }).if(r => r.tax.is(new Secret('1')))).rejects.toMatchObject({
      code: 'write.condition',
    })
  })

  it('an encrypted value is rejected in a filter unless it is declared searchable', async () => {
    const g = await open(people, memory())
    expect(() => g.person.scan().filter(r => r.tax.is(new Secret('1')))).toThrow(
      expect.objectContaining({ code: 'condition.invalid', message: expect.stringContaining('searchable') }),
    )
    const found = node('person', { id: string(), tax: secret('tax', { searchable: true }) }, { id: 'id' })
    const store = memory()
    const s = await open(graph('people', [found]), store)
    for (const id of ['ann', 'bob']) await s.person.put({ id, tax: id === 'ann' ? '1' : '2' })
    const rows = await s.person
      .scan()
      .filter(r => r.tax.is(new Secret('1')))
      .all()
    expect(rows.map(({ id }) => id)).toEqual(['ann'])
  })

  it('an immutable encrypted value can be written again, also after a key rotation', async () => {
    const store = memory()
    const declaring = (current: string) =>
      graph('people', [node('person', { id: string(), tax: secret('tax', { current }).immutable() }, { id: 'id' })])
    const g = await open(declaring('one'), store)
    await g.person.put({ id: 'ann', tax: '1' })
    await g.person.put({ id: 'ann', tax: '1' })
    const rotated = await open(declaring('two'), store)
    for (const form of [undefined, unbound('1')]) {
      if (form) await overwrite(store, 'people', keyOf('person', 'ann'), 'tax', form)
      await rotated.person.put({ id: 'ann', tax: '1' })
      expect((await rotated.person.get('ann'))!.tax.value).toBe('1')
    }
    await expect(rotated.person.put({ id: 'ann', tax: '2' })).rejects.toMatchObject({ code: 'write.immutable' })
  })

  it('an encrypted value is readable under a former name of its attribute', async () => {
    const store = memory()
    const g = await open(people, store)
    await g.person.put({ id: 'ann', tax: '1' })
    const renamed = (formerly?: readonly string[]) =>
      open(
        graph('people', [
          node('person', { id: string(), iban: secret('tax', formerly && { formerly }).stored('tax') }, { id: 'id' }),
        ]),
        store,
        { drift: 'allow' },
      )
    await expect((await renamed()).person.get('ann')).rejects.toMatchObject(moved)
    expect((await (await renamed(['person.tax'])).person.get('ann'))!.iban.value).toBe('1')
  })

  it('an encrypted value is bound inside maps, lists and mapped attributes', async () => {
    const store = memory()
    const deep = node(
      'deep',
      {
        id: string(),
        profile: map({ tax: secret('p'), name: string().optional() }),
        all: list(secret('l')).optional(),
        upper: mapped(secret('m'), {
          write: (text: string) => text.toLowerCase(),
          read: each => each.value.toUpperCase(),
        }),
      },
      { id: 'id' },
    )
    const g = await open(graph('deeps', [deep]), store)
    for (const id of ['a', 'b']) await g.deep.put({ id, profile: { tax: id }, all: [id], upper: id })
    await g.deep.update('a', { profile: within({ tax: '2' }), all: append('3') })
    await g.deep.update('a', { all: within({ 0: '4' }) })
    const row = (await g.deep.get('a'))!
    expect([row.profile.tax.value, row.all!.map(({ value }) => value), row.upper]).toEqual(['2', ['4', '3'], 'A'])
    const [a, b] = [await itemOf(store, 'deeps', keyOf('deep', 'a')), await itemOf(store, 'deeps', keyOf('deep', 'b'))]
    for (const name of ['profile', 'all', 'upper']) {
      await overwrite(store, 'deeps', keyOf('deep', 'b'), name, a[name]!)
      await expect(g.deep.get('b')).rejects.toMatchObject(moved)
      await overwrite(store, 'deeps', keyOf('deep', 'b'), name, b[name]!)
    }
    expect((await g.deep.get('b'))!.upper).toBe('B')
  })
})

describe('an encrypted value that is copied', () => {
  const team = node(
    'team',
    { id: string(), code: secret('code').immutable(), live: secret('live'), of: embedded({ token: secret('token') }) },
    { id: 'id' },
  )
  const member = edge(
    'member',
    { team, person },
    { token: secret('token') },
    {
      carry: { teamCode: 'team.code', teamLive: { from: 'team.live', sync: 'eventual' } },
      embed: { team: { into: 'of', max: 9 } },
      by: { person: { as: 'mirror' } },
    },
  )
  const teams = graph('teams', [team, person, member])

  it('an encrypted copy is read in edges, mirrors and embedded maps, and verified when its row is known', async () => {
    const store = memory()
    const g = await open(teams, store)
    await g.team.put({ id: 't', code: 'c', live: 'l' })
    await g.team.put({ id: 'u', code: 'd', live: 'm' })
    await g.person.put({ id: 'ann', tax: '1' })
    await g.member.put({ team: 't', person: 'ann', token: 'x' })
    await g.member.put({ team: 'u', person: 'ann', token: 'y' })
    await g.team.update('t', { live: 'new' })
    await g.$settled()
    for (const rows of [await g.member.by.team('t').all(), (await g.member.by.person('ann').all()).slice(0, 1)])
      expect(rows.map(({ token, teamCode, teamLive }) => [token, teamCode, teamLive].map(each => each!.value))).toEqual(
        [['x', 'c', 'new']],
      )
    const only = await g.member.by.person('ann').only('teamCode').all()
    expect(only.map(({ teamCode }) => teamCode.value)).toEqual(['c', 'd'])
    expect((await g.team.get('t'))!.of).toMatchObject({ ann: { token: new Secret('x') } })
    expect((await verify(g)).faults).toEqual({})
    // Swaps the codes of two teams.
    const { Items = [] } = await store.scan({ TableName: 'teams' })
    const [t, u] = Items.filter(({ _type }) => _type?.S === 'member').sort((a, b) => (a.PK!.S! < b.PK!.S! ? -1 : 1))
    await overwrite(store, 'teams', { PK: u!.PK!, SK: u!.SK! }, 'teamCode', t!.teamCode!)
    await expect(g.member.by.team('u').all()).rejects.toMatchObject(moved)
    await g.$close()
  })

  it('an encrypted copy stays readable for a backfill under other keys', async () => {
    const store = memory()
    const before = layout(people)
    const g = await open(before, store)
    await g.person.put({ id: 'ann', tax: '1' })
    const after = layout(people, { keys: { person: { PK: 'P#{id}', SK: 'SELF' } } })
    const h = await open(after, store, { drift: 'allow' })
    await backfill(after, store, { from: before })
    expect((await h.person.get('ann'))!.tax.value).toBe('1')
    expect((await verify(h)).faults).toEqual({})
  })
})

it('an encrypted value of one tenant is rejected for another', async () => {
  const store = memory()
  const g = await open(graph('people', [person], { tenant: true }), store)
  await g.$tenant('a').person.put({ id: 'ann', tax: '1' })
  await g.$tenant('b').person.put({ id: 'ann', tax: '2' })
  const { Items = [] } = await store.scan({ TableName: 'people' })
  const [a, b] = ['a', 'b'].map(tenant => Items.find(({ PK }) => PK!.S!.startsWith(`${tenant}#`))!)
  await overwrite(store, 'people', { PK: b!.PK!, SK: b!.SK! }, 'tax', a!.tax!)
  await expect(g.$tenant('b').person.get('ann')).rejects.toMatchObject(moved)
  expect((await g.$tenant('a').person.get('ann'))!.tax.value).toBe('1')
})

it('an encrypted value is computed, bound and verified in either form', async () => {
  const store = memory()
  const name = string()
  const from = node(
    'from',
    { id: string(), name, shown: computed(secret('s'), { name }, row => row.name) },
    { id: 'id' },
  )
  const g = await open(graph('froms', [from]), store)
  for (const id of ['a', 'b']) await g.from.put({ id, name: id })
  await g.from.update('a', { name: 'c' })
  expect((await g.from.get('a'))!.shown.value).toBe('c')
  const a = await itemOf(store, 'froms', keyOf('from', 'a'))
  expect((await verify(g)).faults).toEqual({})
  await overwrite(store, 'froms', keyOf('from', 'a'), 'shown', unbound('c', 's'))
  expect((await verify(g)).faults).toEqual({})
  await overwrite(store, 'froms', keyOf('from', 'b'), 'shown', a.shown!)
  await expect(g.from.get('b')).rejects.toMatchObject(moved)
})

it('an encrypted value is read where raw keys ignore the case of its id', async () => {
  const folded = layout(people, { raw: { separator: '#', fold: 'lower' }, keys: { person: { PK: 'P#{id}', SK: 'P' } } })
  const g = await open(folded, memory())
  await g.person.put({ id: 'Ann', tax: '1' })
  await g.person.update('ann', { tax: '2' })
  expect((await g.person.get('ANN'))!.tax.value).toBe('2')
})
