import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { memory } from '../../../src/embedded.js'
import {
  bigint,
  boolean,
  counter,
  date,
  decimal,
  edge,
  graph,
  integer,
  json,
  list,
  map,
  node,
  number,
  oneOf,
  open,
  set,
  string,
  ulid,
} from '../../../src/index.js'

/** More reads than the number before compilation. */
const OFTEN = 300

const text = fc.string({ unit: 'binary', maxLength: 12 }).filter(each => each.isWellFormed())
const filled = text.filter(each => each !== '')

const thing = node(
  'thing',
  {
    id: string(),
    quoted: string().stored('it\'s "quoted"\n'),
    count: integer(),
    ratio: number(),
    isOpen: boolean(),
    made: date(),
    kind: oneOf('a', 'b'),
    maybe: string().optional(),
    big: bigint().optional(),
    exact: decimal().optional(),
    any: json().optional(),
    list: list(string()).optional(),
    map: map({ x: number().optional() }).optional(),
    set: set(string()).optional(),
    refs: counter(),
    // A required member after an optional one.
    last: string(),
  },
  { id: 'id' },
)
const pair = node('pair', { id: string(), n: integer() }, { id: 'id' })
const tag = node('tag', { owner: string(), name: string() }, { id: ['owner', 'name'] })
const marks = edge(
  'marks',
  { thing, tag },
  { note: string().optional(), key: ulid() },
  { key: ['key'], count: { thing: 'refs' } },
)
const likes = edge('likes', { from: thing, to: thing }, { weight: integer(), why: string() }, { key: ['why'] })
const all = graph('rows', [thing, tag, marks, likes])

const things = fc.record(
  {
    id: filled,
    quoted: text,
    count: fc.maxSafeInteger(),
    ratio: fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 })
      .filter(each => each === 0 || Math.abs(each) > 1e-100)
      .map(each => (Object.is(each, -0) ? 0 : each)),
    isOpen: fc.boolean(),
    made: fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
    kind: fc.constantFrom('a' as const, 'b' as const),
    maybe: text,
    big: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    exact: fc.constantFrom('1.1', '-0.5', '12345678901234567890.5'),
    any: fc.constantFrom({ a: [1, null] }, [], 'text'),
    list: fc.array(text),
    map: fc.record({ x: fc.integer() }, { requiredKeys: [] }),
    set: fc.uniqueArray(filled, { minLength: 1, maxLength: 3 }).map(each => new Set(each)),
    last: text,
  },
  { requiredKeys: ['id', 'quoted', 'count', 'ratio', 'isOpen', 'made', 'kind', 'last'] },
)

/** Reads repeatedly and expects each result to equal the first, which the uncompiled reader returned. */
async function sameForEver(read: () => PromiseLike<unknown>): Promise<unknown> {
  const first = await read()
  for (let i = 0; i < OFTEN; i++) {
    const again = await read()
    if (i < OFTEN - 2) continue
    expect(again).toEqual(first)
    expect(JSON.stringify(again, shown)).toBe(JSON.stringify(first, shown))
  }
  return first
}

const shown = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

afterEach(() => vi.unstubAllGlobals())

describe('a row that is read for the three hundredth time', () => {
  it('a compiled reader returns the same members in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(things, { minLength: 2, maxLength: 4, selector: ({ id }) => id }), async rows => {
        const g = await open(all, memory())
        for (const row of rows) await g.thing.put(row)
        for (const row of rows) {
          const found = await sameForEver(() => g.thing.get(row.id))
          expect(found).toMatchObject(row)
        }
        const [one, other] = rows as [(typeof rows)[0], (typeof rows)[0]]
        await g.likes.put({ from: one.id, to: other.id, weight: 3, why: other.last })
        await g.likes.put({ from: one.id, to: one.id, weight: -4, why: one.last })
        await g.marks.put({ thing: one.id, tag: { owner: other.id, name: 'x' } })
        expect(await sameForEver(() => g.likes.by.from(one.id).all())).toHaveLength(2)
        expect(await sameForEver(() => g.likes.by.to(other.id).all())).toHaveLength(1)
        expect(await sameForEver(() => g.marks.by.thing(one.id).all())).toHaveLength(1)
        expect(await sameForEver(() => g.likes.by.from(one.id).withNodes().all())).toHaveLength(2)
        await g.$close()
      }),
      { numRuns: 15 },
    )
  })

  it('a reader is compiled for its kind when the process allows it', async () => {
    const made: string[] = []
    const Real = Function
    vi.stubGlobal(
      'Function',
      class {
        constructor(...texts: string[]) {
          made.push(texts.at(-1)!)
          // biome-ignore lint/correctness/noConstructorReturn: it stands for Function, which returns another object
          return Real(...texts)
        }
      },
    )
    const g = await open(graph('made', [pair]), memory())
    await g.pair.put({ id: 'a', n: 1 })
    expect(await sameForEver(() => g.pair.get('a'))).toEqual({ id: 'a', n: 1 })
    expect(made).toHaveLength(1)
    expect(made[0]).toContain('item["n"]')
  })

  it('rows are the same when the process forbids creating functions from text', async () => {
    class Refused {
      constructor() {
        throw new EvalError('Code generation from strings disallowed for this context')
      }
    }
    vi.stubGlobal('Function', Refused)
    const g = await open(graph('plain', [pair]), memory())
    await g.pair.put({ id: 'a', n: 1 })
    expect(await sameForEver(() => g.pair.get('a'))).toEqual({ id: 'a', n: 1 })
  })

  it('a compiled reader rejects an item that no longer has the declared type', async () => {
    const store = memory()
    const g = await open(graph('broken', [pair]), store)
    await g.pair.put({ id: 'a', n: 1 })
    await sameForEver(() => g.pair.get('a'))
    const { Items = [] } = await store.scan({ TableName: 'broken' })
    const { PK, SK } = Items.find(({ n }) => n)!
    const Key = { PK: PK!, SK: SK! }
    const write = (n: object) =>
      store.updateItem({
        TableName: 'broken',
        Key,
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': n as never },
      })
    await write({ S: 'one' })
    await expect(g.pair.get('a')).rejects.toMatchObject({ code: 'stored.type' })
    await write({ N: '0.5' })
    await expect(g.pair.get('a')).rejects.toMatchObject({ code: 'stored.type' })
    await write({ N: '12345678901234567890' })
    await expect(g.pair.get('a')).rejects.toMatchObject({ code: 'stored.inexact' })
    await store.updateItem({ TableName: 'broken', Key, UpdateExpression: 'REMOVE n' })
    expect(await g.pair.get('a')).toEqual({ id: 'a' })
  })
})
