import { Entity, Service } from 'electrodb'
import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { edge, graph, integer, node, string } from '../declarations.js'
import { type Adopted, adopt, described, readOf } from './adopted-table.js'

const movie = node(
  'movie',
  { movie: string(), year: integer() },
  { id: 'movie', by: { year: { in: ['year'], order: ['movie'] } } },
)
const actor = node('actor', { actor: string() }, { id: 'actor' })
const role = edge('role', { movie, actor }, { character: string().optional() })

/** A table of ElectroDB. Its lower-case keys contain the service, the collection, entities and attributes. */
const made = layout(graph('cinema', [movie, actor, role]), {
  table: { keys: ['pk', 'sk'] },
  indexes: { gsi1: { keys: ['gsi1pk', 'gsi1sk'] } },
  raw: { fold: 'lower' },
  type: '__edb_e__',
  marks: { movie: { __edb_v__: '1' }, actor: { __edb_v__: '1' }, role: { __edb_v__: '2' } },
  keys: {
    movie: {
      pk: '$cinema#movie_{movie}',
      sk: '$cast#movie_1',
      gsi1pk: '$cinema#year_{year}',
      gsi1sk: '$movie_1#movie_{movie}',
    },
    actor: { pk: '$cinema#actor_{actor}', sk: '$actor_1' },
    role: {
      pk: '$cinema#movie_{movie}',
      sk: '$cast#role_2#actor_{actor}',
      gsi1pk: '$cinema#actor_{actor}',
      gsi1sk: '$role_2#movie_{movie}',
    },
  },
})

function entitiesIn({ client, table }: Adopted) {
  const text = { type: 'string', required: true } as const
  const key = <const P extends string, const S extends string = never>(
    prefix: string,
    partition: P[],
    sort: S[] = [],
  ) => ({
    pk: { field: `${prefix}pk`, composite: partition },
    sk: { field: `${prefix}sk`, composite: sort },
  })
  const movies = new Entity(
    {
      model: { service: 'cinema', entity: 'movie', version: '1' },
      attributes: { movie: text, year: { type: 'number', required: true } },
      indexes: {
        own: { collection: 'cast', ...key('', ['movie']) },
        byYear: { index: 'gsi1', ...key('gsi1', ['year'], ['movie']) },
      },
    },
    { client, table },
  )
  const actors = new Entity(
    {
      model: { service: 'cinema', entity: 'actor', version: '1' },
      attributes: { actor: text },
      indexes: { own: key('', ['actor']) },
    },
    { client, table },
  )
  const roles = new Entity(
    {
      model: { service: 'cinema', entity: 'role', version: '2' },
      attributes: { movie: text, actor: text, character: { type: 'string' } },
      indexes: {
        own: { collection: 'cast', ...key('', ['movie'], ['actor']) },
        byActor: { index: 'gsi1', ...key('gsi1', ['actor'], ['movie']) },
      },
    },
    { client, table },
  )
  return { movies, actors, roles, cinema: new Service({ movies, roles }, { client, table }) }
}

const example = {
  movie: [
    { movie: 'Toy Story', year: 1995 },
    { movie: 'Big', year: 1988 },
  ],
  actor: [{ actor: 'Tom Hanks' }],
  role: [
    { movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' },
    { movie: 'Big', actor: 'Tom Hanks' },
  ],
}

describe('a table written by ElectroDB', () => {
  it('has the items that the layout describes, its marks and index keys included', async () => {
    const adopted = await adopt(made)
    const { movies, actors, roles } = entitiesIn(adopted)
    for (const row of example.movie) await movies.put(row).go()
    for (const row of example.actor) await actors.put(row).go()
    for (const row of example.role) await roles.put(row).go()
    expect(await adopted.items()).toEqual(described(made, example))
  })

  it('can be written by the layout and read by ElectroDB, which does not see the etag', async () => {
    const adopted = await adopt(made)
    const { movies, roles, cinema } = entitiesIn(adopted)
    await adopted.write(example)
    expect((await movies.get({ movie: 'Big' }).go()).data).toEqual(example.movie[1])
    expect((await roles.query.byActor({ actor: 'Tom Hanks' }).go()).data).toEqual([example.role[1], example.role[0]])
    expect((await cinema.collections.cast({ movie: 'Toy Story' }).go()).data).toEqual({
      movies: [example.movie[0]],
      roles: [example.role[0]],
    })
  })

  it('a table of ElectroDB is read by the same keys', async () => {
    const { movies, roles } = entitiesIn(await adopt(made))
    const theirs = (params: { IndexName?: string; ExpressionAttributeValues: Record<string, unknown> }) => ({
      index: params.IndexName,
      partition: params.ExpressionAttributeValues[':pk'],
      sort: { beginning: params.ExpressionAttributeValues[':sk1'] },
    })
    expect(readOf(made, 'role.by.movie', { movie: { S: 'Toy Story' } })).toEqual(
      theirs(roles.query.own({ movie: 'Toy Story' }).params()),
    )
    expect(readOf(made, 'role.by.actor', { actor: { S: 'Tom Hanks' } })).toEqual(
      theirs(roles.query.byActor({ actor: 'Tom Hanks' }).params()),
    )
    expect(readOf(made, 'movie.by.year', { year: { N: '1995' } })).toEqual(
      theirs(movies.query.byYear({ year: 1995 }).params()),
    )
  })

  it('the proof accepts the keys of ElectroDB', () => {
    expect(proveLayout(made)).toEqual([])
  })
})
