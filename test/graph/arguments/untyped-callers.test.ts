import { describe, expect, it } from 'vitest'
import { changes, consumer, follow } from '../../../src/derive/index.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, GraphError, graph, layout, node, open, string } from '../../../src/index.js'
import { backfill, deploy, dump, load } from '../../../src/jobs/index.js'
import { assertLayout, itemsOf, proveLayout } from '../../../src/layout/index.js'
import { cloudFormation, diff, findings } from '../../../src/table/index.js'

// Input that a compiler would reject, as untyped callers write it. Each mistake is reported with advice.
const movie = node('movie', { name: string() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const cinema = graph('cinema', [movie, actor, edge('role', { movie, actor })])
const store = memory()
const handle = await open(cinema, store)
const loose = <Given extends unknown[], Made>(of: (...given: Given) => Made) => of as (...given: unknown[]) => Made
const where = (given: unknown) => handle.role.by.movie('x').where(given as never)
const role = (options: object) => loose(edge)('role', { movie, actor }, { on: string(), at: string() }, options)
const film = (options: object) => loose(node)('film', { id: string(), name: string() }, { id: 'id', ...options })

/** The form of a message: the subject, the problem and the advice. */
const ADVICE = /^[^:;]+: .+; .+\.$/s

const SLIPS: Record<string, (() => unknown)[]> = {
  'a graph without a name': [() => loose(graph)([movie, actor])],
  'types that are no list': [
    () => loose(graph)('g', { movie }),
    () => loose(graph)('g', movie),
    () => loose(graph)('g'),
  ],
  'what is no type': [() => loose(graph)('g', [string()]), () => loose(graph)('g', [undefined])],
  'no attributes': [() => loose(node)('film'), () => loose(node)('film', null, { id: 'id' })],
  'no ends': [() => loose(edge)('role'), () => loose(edge)('role', null)],
  'null for nothing': [() => role({ count: null }), () => loose(graph)('g', [movie], null)],
  'a text for a list': [
    () => role({ key: 'on' }),
    () => role({ by: { movie: { order: 'on' } } }),
    () => film({ unique: 'name' }),
    () => film({ by: { name: { in: 'name' } } }),
  ],
  'keys of a layout by another name': [() => loose(layout)(cinema, { key: {} }), () => loose(layout)(cinema, 'x')],
  'an owner by its name': [() => film({ within: 'movie' })],
  'a counter without its end': [() => role({ count: true }), () => role({ embed: 3 }), () => role({ carry: true })],
  'a counter of nothing': [() => role({ count: { movie: null } }), () => role({ sum: { movie: true } })],
  'a copy of nothing': [() => role({ carry: { born: null } }), () => role({ carry: { born: {} } })],
  'no graph': [
    () => loose(layout)([movie]),
    () => loose(layout)(),
    () => loose(layout)(handle),
    () => loose(open)([movie], store),
    () => loose(open)(store, cinema),
    () => loose(backfill)(handle, store),
    () => loose(deploy)(handle, store),
    () => loose(follow)(handle, store),
    () => loose(follow)(undefined, store),
    () => loose(consumer)(handle, store),
    () => loose(changes)(handle, []),
  ],
  'how requests are tried again by another name': [
    () => loose(open)(cinema, store, { retry: { attempst: 1 } }),
    () => loose(open)(cinema, store, { retry: 5 }),
  ],
  'no store': [
    () => loose(open)(cinema),
    () => loose(backfill)(cinema),
    () => loose(deploy)(cinema, memory),
    () => loose(follow)(cinema),
    () => loose(consumer)(cinema),
  ],
  'no layout': [
    () => loose(itemsOf)(cinema, {}),
    () => loose(proveLayout)(cinema),
    () => loose(assertLayout)(undefined),
  ],
  'no design': [
    () => loose(cloudFormation)(cinema),
    () => loose(findings)(cinema),
    () => loose(diff)(layout(cinema), {}),
  ],
  'a where that is no object, which would read everything': [
    ...[(r: { actor: { is(value: string): unknown } }) => r.actor.is('x'), 5, 'x', []].map(
      given => () => where(given).all(),
    ),
    () => where(undefined),
    () => where(null),
  ],
  'calls one by one': [
    () => loose(handle.$transact)(handle.movie.get('x'), handle.movie.get('y')),
    () => loose(handle.$batch)(handle.movie.get('x'), handle.movie.get('y')),
  ],
  'a beginning that is no text': [
    ...[1, null, []].map(startsWith => () => where({ actor: { startsWith } }).all().explain()),
  ],
  'nothing to load, nowhere to dump': [() => loose(load)(handle), () => loose(dump)(handle)],
}

describe('mistakes of callers without a compiler', () => {
  it.each(Object.entries(SLIPS))('%s', async (_, slips) => {
    for (const slip of slips) {
      const refused = await (async () => slip())().catch((error: unknown) => error)
      expect(refused, String(slip)).toBeInstanceOf(GraphError)
      expect((refused as GraphError).message, String(slip)).toMatch(ADVICE)
    }
  })
})
