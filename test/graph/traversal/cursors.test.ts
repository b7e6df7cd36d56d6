import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { bigint, date, edge, graph, integer, list, map, node, open, set, string } from '../../../src/index.js'
import type { StandardSchema } from '../../../src/schema/standard-schema.js'
import { validator } from '../../schema/validator.js'

/** A validator that does not accept its own output. */
const measured = validator<{ length: number }>(value =>
  typeof value === 'string' ? { value: { length: value.length } } : { issues: [{ message: 'not a text' }] },
) as StandardSchema as StandardSchema<string, { length: number }>
const shouted = validator<string>(value =>
  /^[a-z]+$/.test(String(value))
    ? { value: String(value).toUpperCase() }
    : { issues: [{ message: 'not in lower case' }] },
)

const page = node(
  'page',
  { id: bigint(), text: measured, loud: string().check(shouted), names: set(string()), at: date() },
  { id: 'id' },
)
const link = edge(
  'link',
  { from: page, to: page },
  { texts: list(measured), parts: map({ text: measured }), weight: integer() },
)
const site = graph('site', [page, link], { tenant: true })

const keyOf = (byte: number) => new Uint8Array(32).fill(byte)

async function openSite(cursorKey?: Uint8Array | readonly Uint8Array[], store = memory()) {
  const g = await open(site, store, { cursorKey })
  return { store, ann: g.$tenant('acme'), other: g.$tenant('other') }
}

async function filledSite(cursorKey?: Uint8Array | readonly Uint8Array[]) {
  const opened = await openSite(cursorKey)
  for (const tenant of [opened.ann, opened.other]) {
    for (const id of [1n, 2n, 3n, 4n])
      await tenant.page.put({ id, text: 'secret', loud: 'hidden', names: new Set(['x', 'y']), at: new Date(7) })
    for (const [from, to] of [
      [1n, 2n],
      [1n, 3n],
      [2n, 4n],
      [3n, 4n],
    ] as const)
      await tenant.link.put({ from, to, texts: ['ab', 'c'], parts: { text: 'abc' }, weight: 1 })
  }
  return opened
}

type Site = Awaited<ReturnType<typeof openSite>>['ann']

const around = (g: Site) => g.page.from(1n).hop(g.link.by.from).existing().hop(g.link.by.from)

const partOf = (g: Site) => around(g).budget({ requests: 2, onBudget: 'partial' })

/** The cursor of a partial traversal that has read one list and two nodes. */
const cursorOf = async (g: Site) => (await partOf(g).edges()).cursor!

async function resumeToEnd(g: Site) {
  let part = await partOf(g).nodes()
  for (let round = 0; part.cursor && round < 9; round++)
    part = await around(g).budget({ requests: 1 }).resume(part.cursor).nodes()
  return part
}

const decoded = (cursor: string) => Buffer.from(cursor, 'base64url').toString('latin1')
const bodyOf = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64').toString()) as unknown[]
const cursorFrom = (body: unknown) => Buffer.from(JSON.stringify(body)).toString('base64')

const isInvalid = { code: 'cursor.invalid' }

describe('a cursor of a traversal without a key', () => {
  it('values that validators transformed go through a cursor unchanged', async () => {
    const { ann } = await filledSite()
    const { value, complete } = await resumeToEnd(ann)
    expect(complete).toBe(true)
    expect(value).toEqual(await around(ann).nodes())
    expect(value).toMatchObject([{ id: 4n, text: { length: 6 }, loud: 'HIDDEN' }])
    const edges = await around(ann)
      .resume(await cursorOf(ann))
      .edges()
    expect(edges.value).toEqual(await around(ann).edges())
    expect(edges.value[0]).toMatchObject({ texts: [{ length: 2 }, { length: 1 }], parts: { text: { length: 3 } } })
  })

  it.each<[string, (body: unknown[]) => unknown]>([
    ['no body', ([version, bound]) => [version, bound, null]],
    ['a body that is a text', ([version, bound]) => [version, bound, 'x']],
    ['no list', () => ({})],
    ['a version from later', ([, bound, body]) => [9, bound, body]],
    [
      'a list of another hop',
      ([version, bound]) => [version, bound, { lists: [{ hop: '{}', of: [[{}, []]] }], nodes: [] }],
    ],
    ['nodes of an unknown type', ([version, bound]) => [version, bound, { lists: [], nodes: [{ type: 'x', of: [] }] }]],
    [
      'nodes that are an edge',
      ([version, bound]) => [version, bound, { lists: [], nodes: [{ type: 'link', of: [[{}, 0]] }] }],
    ],
    [
      'a row without an id',
      ([version, bound]) => [version, bound, { lists: [], nodes: [{ type: 'page', of: [[{}, 0]] }] }],
    ],
    [
      'a value of another type',
      ([version, bound]) => [version, bound, { lists: [], nodes: [{ type: 'page', of: [[{ id: { S: 'a' } }, 0]] }] }],
    ],
  ])('a cursor is invalid with %s', async (_, change) => {
    const { ann } = await filledSite()
    const call = around(ann)
      .resume(cursorFrom(change(bodyOf(await cursorOf(ann)))))
      .ids()
    await expect(call).rejects.toMatchObject(isInvalid)
  })

  it('a forged cursor gives a result or is invalid, and never fails in another way', async () => {
    const { ann } = await filledSite()
    const body = JSON.stringify(bodyOf(await cursorOf(ann))[2])
    const [version, bound] = bodyOf(await cursorOf(ann))
    const places: unknown[][] = []
    const visit = (value: unknown, path: unknown[]) => {
      if (path.length > 0) places.push(path)
      if (Object(value) === value)
        for (const [key, inner] of Object.entries(value as object)) visit(inner, [...path, key])
    }
    visit(JSON.parse(body), [])
    const forged = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(null, 0, '', 'page', 'x', [], {}, [[]], { N: 'x' }, { S: 1 }, { N: '1' }, { M: {} }),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), forged, async (path, value) => {
        const changed = JSON.parse(body) as Record<string, never>
        let at: Record<string, unknown> = changed
        for (const key of path.slice(0, -1)) at = at[key as string] as Record<string, unknown>
        at[path.at(-1) as string] = value
        const call = around(ann)
          .resume(cursorFrom([version, bound, changed]))
          .nodes()
        const error = await call.then(
          () => undefined,
          each => each,
        )
        if (error) expect(error).toMatchObject(isInvalid)
      }),
      { numRuns: 300 },
    )
  })

  it('a text that is not a cursor is invalid', async () => {
    const { ann } = await filledSite()
    for (const text of ['', 'x', '%', btoa('[]'), btoa('null'), btoa('[1,2,3]')])
      await expect(around(ann).resume(text).ids()).rejects.toMatchObject(isInvalid)
  })

  it('a cursor belongs to its traversal and tenant', async () => {
    const { ann, other } = await filledSite()
    const cursor = await cursorOf(ann)
    for (const call of [
      around(other).resume(cursor).ids(),
      ann.page.from(1n).hop(ann.link.by.from).resume(cursor).ids(),
    ])
      await expect(call).rejects.toMatchObject({ code: 'cursor.mismatch' })
  })
})

describe('a cursor of a traversal under a cursorKey', () => {
  it('an encrypted cursor continues its traversal and shows nothing that was read', async () => {
    const { ann } = await filledSite(keyOf(1))
    const plain = await cursorOf((await filledSite()).ann)
    expect(decoded(plain)).toMatch(/HIDDEN/)
    const cursor = await cursorOf(ann)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(decoded(cursor)).not.toMatch(/HIDDEN|acme|page|link/)
    expect(await resumeToEnd(ann)).toMatchObject({ complete: true, value: await around(ann).nodes() })
  })

  it('an encrypted cursor is invalid for another traversal and another tenant', async () => {
    const { ann, other } = await filledSite(keyOf(1))
    const cursor = await cursorOf(ann)
    for (const call of [
      around(other).resume(cursor).ids(),
      ann.page.from(2n).hop(ann.link.by.from).existing().hop(ann.link.by.from).resume(cursor).ids(),
      around(ann).except('start').resume(cursor).ids(),
      around(ann)
        .resume(await cursorOf((await filledSite()).ann))
        .ids(),
      around((await filledSite()).ann)
        .resume(cursor)
        .ids(),
    ])
      await expect(call).rejects.toMatchObject(isInvalid)
    const { cursor: ofPage } = await ann.link.by.from(1n).page({ limit: 1 })
    await expect(around(ann).resume(ofPage).ids()).rejects.toMatchObject(isInvalid)
  })

  it('an encrypted cursor is invalid after a change of any bit or a truncation', async () => {
    const { ann } = await filledSite(keyOf(1))
    const bytes = Buffer.from(await cursorOf(ann), 'base64url')
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length * 8 - 1 }),
        fc.nat({ max: bytes.length - 1 }),
        async (bit, length) => {
          const flipped = Uint8Array.from(bytes)
          flipped[bit >> 3]! ^= 1 << (bit & 7)
          for (const changed of [flipped, bytes.subarray(0, length)]) {
            const call = around(ann).resume(Buffer.from(changed).toString('base64url')).ids()
            await expect(call).rejects.toMatchObject(isInvalid)
          }
        },
      ),
    )
  })

  it('an encrypted cursor works after a rotation while its key is listed, and not afterwards', async () => {
    const { store, ann } = await filledSite(keyOf(1))
    const cursor = await cursorOf(ann)
    const rotated = await openSite([keyOf(2), keyOf(1)], store)
    expect((await around(rotated.ann).resume(cursor).ids()).value).toEqual([4n])
    const after = await openSite([keyOf(2)], store)
    await expect(around(after.ann).resume(cursor).ids()).rejects.toMatchObject(isInvalid)
  })
})
