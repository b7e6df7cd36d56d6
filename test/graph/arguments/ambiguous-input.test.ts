import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, node, open, string } from '../../../src/index.js'

const movie = node(
  'movie',
  {
    name: string(),
    year: integer(),
    country: string().optional(),
    state: string().optional(),
    city: string().optional(),
  },
  {
    id: 'name',
    by: { year: { in: ['year'], order: ['name'] }, place: { in: ['country'], order: ['state', 'city'] } },
  },
)
const actor = node('actor', { first: string(), last: string() }, { id: ['first', 'last'] })
const role = edge('role', { movie, actor }, { minutes: integer() })
const who = { first: 'Tom', last: 'Hanks' }

async function openCinema() {
  const g = await open(graph('cinema', [movie, actor, role]), memory())
  await g.$batch([
    g.movie.put({ name: 'Big', year: 1988 }),
    g.movie.put({ name: 'Cast Away', year: 2000 }),
    g.actor.put(who),
    g.role.put({ movie: 'Big', actor: who, minutes: 90 }),
  ])
  return g
}

type Cinema = Awaited<ReturnType<typeof openCinema>>
type Loose = { all(): PromiseLike<unknown> }
type ByYear = { where(where: object): Loose }
type Ends = { nodes(): Loose }

/** Input that a compiler would reject. Without the check, each case would read too much or the wrong rows. */
const CASES: readonly (readonly [what: string, code: string, call: (g: Cinema) => PromiseLike<unknown>])[] = [
  [
    'a range by a name that it does not have',
    'read.part',
    g =>
      g.movie.by
        .year({ year: 1988 })
        .where({ name: { form: 'C' } } as never)
        .all(),
  ],
  [
    'a range of nothing',
    'read.part',
    g =>
      g.movie.by
        .year({ year: 1988 })
        .where({ name: {} } as never)
        .all(),
  ],
  [
    'a range and a beginning',
    'read.part',
    g =>
      g.movie.by
        .year({ year: 1988 })
        .where({ name: { from: 'A', startsWith: 'B' } } as never)
        .all(),
  ],
  [
    'a range of an id of several parts',
    'read.part',
    g =>
      g.role.by
        .movie('Big')
        .where({ actor: { from: who } } as never)
        .all(),
  ],
  ['a path by a value without its name', 'read.part', g => g.movie.by.year(1988 as never).all()],
  [
    'a part of the order among those of the partition',
    'read.part',
    g => g.movie.by.place({ country: 'us', city: 'Rome' } as never).all(),
  ],
  [
    'a part of a collection from another node',
    'call.argument',
    g => g.movie.collect('Big', { roles: () => g.role.by.movie('Cast Away') }),
  ],
  [
    'a part of a collection in place of the node',
    'call.argument',
    g => g.movie.collect('Big', { node: g.role.by.movie } as never),
  ],
  ['a part of a path of a scan', 'call.argument', g => (g.movie.scan() as never as ByYear).where({ year: 2000 }).all()],
  ['the nodes of a scan', 'call.argument', g => (g.role.scan() as never as Ends).nodes().all()],
  ['no etag', 'call.argument', async g => g.movie.update('Big', { year: 1 }).ifEtag(undefined as never)],
  [
    'a row in place of its etag',
    'call.argument',
    async g => g.movie.update('Big', { year: 1 }).ifEtag((await g.movie.get('Big')) as never),
  ],
  ['no item', 'call.argument', async g => g.movie.decode(undefined as never)],
]

describe('ambiguous input is rejected', () => {
  it.each(CASES)('%s', async (_, code, call) => {
    const g = await openCinema()
    await expect((async () => call(g))()).rejects.toMatchObject({ code })
    expect((await g.movie.get('Big'))?.year).toBe(1988)
  })

  it('a part of a collection may repeat the id', async () => {
    const g = await openCinema()
    const { roles } = await g.actor.collect(who, { roles: ({ first, last }) => g.role.by.actor({ last, first }) })
    expect(roles).toEqual([{ movie: 'Big', actor: who, minutes: 90 }])
  })
})
