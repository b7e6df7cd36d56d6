import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  bigint,
  binary,
  boolean,
  counter,
  date,
  day,
  decimal,
  edge,
  fixedText,
  graph,
  integer,
  json,
  layout,
  list,
  map,
  node,
  number,
  oneOf,
  open,
  type Store,
  set,
  string,
  yearMonth,
} from '../../../src/index.js'
import { dump } from '../../../src/jobs/dump/dump.js'
import { csvTexts, jsonTexts } from '../../../src/jobs/dump/row-texts.js'
import { verify } from '../../../src/jobs/index.js'
import { load } from '../../../src/jobs/load/load.js'
import type { LoadSource } from '../../../src/jobs/load/source.js'
import { itemToJson } from '../../../src/jobs/rows/item-json.js'
import type { Layout } from '../../../src/layout/layout.js'
import { anyNumberText } from '../../arbitraries.js'
import { itemsIn } from '../../derive/simulator/check-table.js'
import { difference, isOurs } from '../../graph/model/runner/table-state.js'
import { runs } from '../../graph/model/suite.js'
import { source } from '../load/sources.js'

const inner = {
  text: string().optional(),
  amount: decimal().optional(),
  bytes: binary().optional(),
  whole: bigint().optional().stored('w'),
  day: date().optional(),
  tags: set(string()).optional(),
}
const thing = node(
  'thing',
  {
    id: string(),
    at: date(),
    text: string().optional(),
    number: number().optional(),
    whole: bigint().optional(),
    amount: decimal().optional(),
    is: boolean().optional(),
    on: day().optional(),
    month: yearMonth().optional(),
    code: fixedText(' ,"0').optional(),
    kind: oneOf('', 'null', ' x', '1').optional(),
    bytes: binary().optional(),
    any: json().optional(),
    map: map({ ...inner, of: map(inner).optional() }).optional(),
    lists: list(list(string())).optional(),
    amounts: list(decimal()).optional(),
    maps: list(map(inner)).optional(),
    texts: set(string()).optional(),
    numbers: set(decimal()).optional(),
    wholes: set(bigint()).optional(),
    blobs: set(binary()).optional(),
    type: string().optional(),
    links: counter(),
    weight: counter(),
  },
  { id: ['id', 'at'] },
)
const tag = node('tag', { no: decimal(), born: string().immutable() }, { id: 'no' })
const link = edge(
  'link',
  { thing, tag },
  { is: boolean(), note: json().optional(), weight: integer() },
  {
    key: ['is'],
    count: { thing: 'links' },
    sum: { thing: { into: 'weight', of: 'weight' } },
    carry: { born: 'tag.born' },
  },
)
const everything = graph('everything', [thing, tag, link], { tenant: true })

/** Characters that are special in quotes, lines, JSON and encodings. */
const pieces = fc.constantFrom(
  '',
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '"',
  '""',
  ',',
  ';',
  '\ufeff',
  'null',
  'true',
  '\\',
  '\\"',
  '\u2028',
  '\u0000',
  '\u{1f600}',
  '#',
  '$',
  '{',
  '[',
  "'",
  '0',
  '-',
)
const text = fc.oneof(fc.string({ unit: pieces, maxLength: 6 }), fc.string({ unit: 'binary', maxLength: 6 }))
const moment = fc.date({
  min: new Date('0000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const storable = anyNumberText.filter(
  each => Math.abs(Number(each)) < 1e125 && (Number(each) === 0 || Math.abs(Number(each)) > 1e-129),
)
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e125, max: 1e125 })
  .map(each => (Math.abs(each) < 1e-129 ? 0 : each))
const whole = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
const bytes = fc.uint8Array({ maxLength: 9 })
const name = text.filter(each => each !== '')
const setOf = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 4 }).map(all => new Set(all))
const { any } = fc.letrec<{ any: unknown }>(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.constant(null),
    double,
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.oneof(name, fc.constantFrom('__proto__', 'constructor', 'toString')), tie('any')), {
        maxLength: 3,
      })
      .map(all => Object.fromEntries(all)),
  ),
}))
const some = (of: Readonly<Record<string, fc.Arbitrary<unknown>>>, requiredKeys: string[] = []) =>
  fc.record<Record<string, unknown>>(of as never, { requiredKeys, noNullPrototype: true } as never)
const inside = { text, amount: storable, bytes, whole, day: moment, tags: setOf(text) }
const tenants = fc.constantFrom(' a', '"b,', 'null')
const things = some(
  {
    id: name,
    at: moment,
    text,
    number: double,
    whole,
    amount: storable,
    is: fc.boolean(),
    on: moment.map(at => at.toISOString().slice(0, 10)),
    month: moment.map(at => at.toISOString().slice(0, 7)),
    code: fc.constantFrom(' ,"0', ' ,"9'),
    kind: fc.constantFrom('', 'null', ' x', '1'),
    bytes,
    any,
    map: some({ ...inside, of: some(inside) }),
    lists: fc.array(fc.array(text, { maxLength: 2 }), { maxLength: 3 }),
    amounts: fc.array(storable, { maxLength: 3 }),
    maps: fc.array(some(inside), { maxLength: 2 }),
    texts: setOf(text),
    numbers: setOf(storable),
    wholes: setOf(whole),
    blobs: setOf(bytes),
    type: text,
  },
  ['id', 'at'],
)
const tags = fc.record({ no: storable, born: text })
const links = some({ is: fc.boolean(), note: any, weight: fc.integer() }, ['is', 'weight'])
const filling: fc.Arbitrary<Filling> = fc.record({
  tenant: tenants,
  things: fc.array(things, { minLength: 1, maxLength: 4 }),
  tags: fc.array(tags, { minLength: 1, maxLength: 3 }),
  links: fc.array(fc.tuple(fc.nat(), fc.nat(), links), { maxLength: 6 }),
})
const made = layout(everything) as unknown as Layout

type Rows = readonly Readonly<Record<string, unknown>>[]

interface Filling {
  readonly tenant: string
  readonly things: Rows
  readonly tags: Rows
  readonly links: readonly (readonly [number, number, object])[]
}

/** The rows are random, so their types are erased. */
type Put = Readonly<Record<'thing' | 'tag' | 'link', { put(row: object): PromiseLike<unknown> }>>

async function filledWith(fillings: readonly Filling[]): Promise<Store> {
  const store = memory()
  const all = await open(everything, store)
  for (const { tenant, things, tags, links } of fillings) {
    const g = all.$tenant(tenant) as unknown as Put
    for (const each of things) await g.thing.put(each)
    for (const each of tags) await g.tag.put(each)
    for (const [a, b, rest] of links) {
      const { id, at } = things[a % things.length]!
      await g.link.put({ thing: { id, at }, tag: tags[b % tags.length]!.no, ...rest })
    }
  }
  return store
}

/** Every item without its etag. Sets have no order. */
async function stateOf(store: Store): Promise<string[]> {
  const items = await itemsIn(store, made.design.name)
  const sorted = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return entries.map(([name, each]) => [
      name,
      /^[SNB]S$/.test(name) ? (sorted(each) as string[]).sort() : sorted(each),
    ])
  }
  return items
    .filter(item => !isOurs(made, item))
    .map(({ [made.names.etag]: _, ...item }) => JSON.stringify(sorted(item)))
    .sort()
}

async function sourcesOf(store: Store, format: LoadSource['format'], chunkBytes: number): Promise<LoadSource[]> {
  const files = new Map<string, string>()
  const texts = format === 'json' ? jsonTexts(made) : csvTexts(made)
  await dump(await open(everything, store), ({ rows, items, failed }) => {
    expect(failed).toEqual([])
    const add = (to: string, more: string) => files.set(to, (files.get(to) ?? '') + more)
    if (format === 'dynamodb') for (const item of items) add('items', `{"Item":${itemToJson(item)}}\n`)
    else
      for (const row of rows) {
        if (!files.has(row.type.name)) add(row.type.name, texts.header(row.type))
        add(row.type.name, texts.line(row))
      }
  })
  return [...files].map(([name, all]) =>
    source(name, format, all, { chunkBytes, ...(format === 'csv' && { type: name }) }),
  )
}

it.each(['json', 'csv', 'dynamodb'] as const)(
  'any value of any kind is restored by %s, with aggregates of edges',
  { timeout: 120_000 },
  async format => {
    const holds = async (fillings: readonly Filling[], chunkBytes: number) => {
      const store = await filledWith(fillings)
      const again = memory()
      const g = await open(everything, again)
      const failed: unknown[] = []
      await load(g, await sourcesOf(store, format, chunkBytes), { failed: rows => void failed.push(...rows) })
      expect(failed).toEqual([])
      expect(difference(await stateOf(again), await stateOf(store))).toBe('')
      const faults: unknown[] = []
      await verify(g, { onFault: fault => void faults.push(fault) })
      expect(faults).toEqual([])
    }
    await fc.assert(
      fc.asyncProperty(fc.array(filling, { minLength: 1, maxLength: 2 }), fc.integer({ min: 1, max: 300 }), holds),
      { numRuns: runs(30) },
    )
  },
)
