import {
  Entity,
  GetItemCommand,
  item,
  number,
  PutItemCommand,
  QueryCommand,
  Table,
  string as text,
} from 'dynamodb-toolbox'
import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { date, decimal, edge, graph, integer, node, string } from '../declarations.js'
import { type Adopted, adopt, described, readOf } from './adopted-table.js'

/** The attributes that dynamodb-toolbox adds to every item: the times of its creation and of its last change. */
const times = { created: date(), modified: date() }
const movie = node('movie', { name: string(), year: integer(), ...times }, { id: 'name' })
const actor = node('actor', { name: string(), ...times }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string(), ...times })
const stored = { created: '_ct', modified: '_md' }

/** A table of dynamodb-toolbox: keys as a program computes them, and the marks `_et`, `_ct` and `_md`. */
const made = layout(graph('cinema', [movie, actor, role]), {
  table: { keys: ['pk', 'sk'] },
  indexes: { byActor: { keys: ['actorKey', 'movieKey'] } },
  raw: true,
  type: { attribute: '_et', values: { movie: 'Movie', actor: 'Actor', role: 'Role' } },
  names: { movie: stored, actor: stored, role: { ...stored, character: 'char' } },
  keys: {
    movie: { pk: 'MOVIE#{name}', sk: 'MOVIE' },
    actor: { pk: 'ACTOR#{name}', sk: 'ACTOR' },
    role: { pk: 'MOVIE#{movie}', sk: 'ACTOR#{actor}', actorKey: 'ACTOR#{actor}', movieKey: 'MOVIE#{movie}' },
  },
})

function entitiesIn({ client, table: name }: Adopted) {
  const table = new Table({
    name,
    documentClient: client,
    partitionKey: { name: 'pk', type: 'string' },
    sortKey: { name: 'sk', type: 'string' },
    indexes: {
      byActor: {
        type: 'global',
        partitionKey: { name: 'actorKey', type: 'string' },
        sortKey: { name: 'movieKey', type: 'string' },
      },
    },
  })
  const movies = new Entity({
    name: 'Movie',
    table,
    schema: item({ name: text().key(), year: number() }),
    computeKey: ({ name }) => ({ pk: `MOVIE#${name}`, sk: 'MOVIE' }),
  })
  const actors = new Entity({
    name: 'Actor',
    table,
    schema: item({ name: text().key() }),
    computeKey: ({ name }) => ({ pk: `ACTOR#${name}`, sk: 'ACTOR' }),
  })
  const roles = new Entity({
    name: 'Role',
    table,
    schema: item({ movie: text().key(), actor: text().key(), character: text().savedAs('char') }).and(before => ({
      actorKey: text().link<typeof before>(({ actor }) => `ACTOR#${actor}`),
      movieKey: text().link<typeof before>(({ movie }) => `MOVIE#${movie}`),
    })),
    computeKey: ({ movie, actor }) => ({ pk: `MOVIE#${movie}`, sk: `ACTOR#${actor}` }),
  })
  return { table, movies, actors, roles }
}

describe('a table written by dynamodb-toolbox', () => {
  it('has the items that the layout describes, its times and index keys included', async () => {
    const adopted = await adopt(made)
    const { movies, actors, roles } = entitiesIn(adopted)
    await movies.build(PutItemCommand).item({ name: 'Toy Story', year: 1995 }).send()
    await actors.build(PutItemCommand).item({ name: 'Tom Hanks' }).send()
    await roles.build(PutItemCommand).item({ movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' }).send()
    const items = await adopted.items()
    // The times come from the clock of dynamodb-toolbox, so they are taken from its items.
    const timesOf = (mark: string) => {
      const { _ct, _md } = items.find(({ _et }) => _et?.S === mark)!
      return { created: new Date(_ct!.S!), modified: new Date(_md!.S!) }
    }
    expect(items).toEqual(
      described(made, {
        movie: [{ name: 'Toy Story', year: 1995, ...timesOf('Movie') }],
        actor: [{ name: 'Tom Hanks', ...timesOf('Actor') }],
        role: [{ movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody', ...timesOf('Role') }],
      }),
    )
  })

  it('can be written by the layout and read by dynamodb-toolbox, which does not see the etag', async () => {
    const adopted = await adopt(made)
    const { table, movies, roles } = entitiesIn(adopted)
    const at = { created: new Date(0), modified: new Date(1000) }
    const iso = { created: '1970-01-01T00:00:00.000Z', modified: '1970-01-01T00:00:01.000Z' }
    await adopted.write({
      movie: [{ name: 'Big', year: 1988, ...at }],
      role: [{ movie: 'Big', actor: 'Tom Hanks', character: 'Josh', ...at }],
    })
    const { Item } = await movies.build(GetItemCommand).key({ name: 'Big' }).send()
    expect(Item).toEqual({ name: 'Big', year: 1988, ...iso })
    const { index, partition } = readOf(made, 'role.by.actor', { actor: { S: 'Tom Hanks' } })
    expect(index).toBe('byActor')
    const { Items } = await table
      .build(QueryCommand)
      .entities(roles)
      .query({ index: 'byActor', partition, range: { beginsWith: 'MOVIE#' } })
      .send()
    expect(Items).toMatchObject([{ movie: 'Big', actor: 'Tom Hanks', character: 'Josh', ...iso }])
  })

  it('the proof accepts the keys of dynamodb-toolbox', () => {
    expect(proveLayout(made)).toEqual([])
  })
})

/** A table without a sort key, with a numeric key and an index of two numbers. */
const numbered = layout(
  graph('numbered', [
    node(
      'film',
      { no: integer(), year: integer(), rating: decimal(), ...times },
      { id: 'no', by: { year: { in: ['year'], order: ['rating'] } } },
    ),
  ]),
  {
    table: { keys: ['no'] },
    indexes: { byYear: { keys: ['year', 'rating'] } },
    raw: true,
    type: { attribute: '_et', values: { film: 'Film' } },
    names: { film: stored },
    keys: { film: { no: '{no}', year: '{year}', rating: '{rating}' } },
  },
)

describe('a table of numbers without a sort key, written by dynamodb-toolbox', () => {
  const partitionKey = { name: 'no', type: 'number' } as const
  const filmsIn = ({ client, table: name }: Adopted) => {
    const byYear = {
      type: 'global',
      partitionKey: { name: 'year', type: 'number' },
      sortKey: { name: 'rating', type: 'number' },
    } as const
    const table = new Table({ name, documentClient: client, partitionKey, indexes: { byYear } })
    const schema = item({ no: number().key(), year: number(), rating: number() })
    return { table, films: new Entity({ name: 'Film', table, schema }) }
  }

  it('has the items that the layout describes', async () => {
    const adopted = await adopt(numbered)
    const { films } = filmsIn(adopted)
    await films.build(PutItemCommand).item({ no: 7, year: 1995, rating: 8.3 }).send()
    const items = await adopted.items()
    const { _ct, _md } = items[0]!
    const at = { created: new Date(_ct!.S!), modified: new Date(_md!.S!) }
    expect(items).toEqual(described(numbered, { film: [{ no: 7, year: 1995, rating: '8.3', ...at }] }))
  })

  it('can be written by the layout and read by dynamodb-toolbox', async () => {
    const adopted = await adopt(numbered)
    const { table, films } = filmsIn(adopted)
    const at = { created: new Date(0), modified: new Date(0) }
    const rows = ['10', '9.5'].map((rating, no) => ({ no, year: 1995, rating, ...at }))
    await adopted.write({ film: rows })
    expect((await films.build(GetItemCommand).key({ no: 0 }).send()).Item).toMatchObject({ no: 0, rating: 10 })
    const query = { index: 'byYear', partition: 1995, range: { gte: 9 } } as const
    const { Items } = await table.build(QueryCommand).entities(films).query(query).send()
    expect(Items?.map(({ rating }) => rating)).toEqual([9.5, 10])
  })
})
