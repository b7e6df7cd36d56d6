import { memory } from '../src/embedded.js'
import { edge, graph, integer, node, open, string } from '../src/index.js'
import type { Work } from './measure.js'
import { peer } from './peers.js'

/** An embedded graph store with the same follow graph. */
export interface Embedded {
  readonly name: string
  readonly neighbours: Work
  readonly twoHops: Work
  readonly get: Work
  readonly put: Work
}

export const PEOPLE = 5_000
export const DEGREE = 50

export const person = (at: number) => `user${String(at % PEOPLE).padStart(5, '0')}`
/** Each person follows 50 others with a different stride, so that no two lists are equal. */
export const followees = (at: number) => Array.from({ length: DEGREE }, (_, i) => person(at * 7 + i * 13 + 1))
export const sinceOf = (at: number, i: number) =>
  `2026-01-${String(((at + i) % 28) + 1).padStart(2, '0')}T10:00:00.000Z`

export async function ours(): Promise<Embedded> {
  const user = node('user', { name: string(), city: string(), level: integer() }, { id: 'name' })
  const follow = edge('follow', { follower: user, followee: user }, { since: string(), weight: integer() })
  const g = await open(graph('bench', [user, follow]), memory())
  for (let at = 0; at < PEOPLE; at++) {
    await g.user.put({ name: person(at), city: 'Atlanta', level: at })
    for (const [i, followee] of followees(at).entries())
      await g.follow.put({ follower: person(at), followee, since: sinceOf(at, i), weight: i })
  }
  return {
    name: 'edgewise',
    neighbours: at => g.follow.by.follower(person(at)).all(),
    twoHops: async at => {
      const first = await g.follow.by.follower(person(at)).all()
      return Promise.all(first.map(({ followee }) => g.follow.by.follower(followee).all()))
    },
    get: at => g.user.get(person(at)),
    put: at => g.user.put({ name: person(at), city: 'Athens', level: at }),
  }
}

interface Sqlite {
  new (
    path: string,
  ): {
    exec(sql: string): void
    prepare(sql: string): {
      all(...of: unknown[]): unknown[]
      get(...of: unknown[]): unknown
      run(...of: unknown[]): unknown
    }
    transaction(work: () => void): () => void
  }
}

export async function sqlite(): Promise<Embedded | undefined> {
  const Database = await peer<Sqlite>('better-sqlite3', Sqlite => new Sqlite(':memory:'))
  if (!Database) return undefined
  const db = new Database(':memory:')
  db.exec(
    'CREATE TABLE users (name TEXT PRIMARY KEY, city TEXT, level INTEGER) WITHOUT ROWID;' +
      'CREATE TABLE edges (follower TEXT, followee TEXT, since TEXT, weight INTEGER, PRIMARY KEY (follower, followee)) WITHOUT ROWID;' +
      'CREATE INDEX inverse ON edges (followee, follower);',
  )
  const user = db.prepare('INSERT OR REPLACE INTO users VALUES (?, ?, ?)')
  const edgeOf = db.prepare('INSERT OR REPLACE INTO edges VALUES (?, ?, ?, ?)')
  db.transaction(() => {
    for (let at = 0; at < PEOPLE; at++) {
      user.run(person(at), 'Atlanta', at)
      for (const [i, followee] of followees(at).entries()) edgeOf.run(person(at), followee, sinceOf(at, i), i)
    }
  })()
  const neighbours = db.prepare('SELECT * FROM edges WHERE follower = ? ORDER BY followee')
  const twoHops = db.prepare(
    'SELECT second.* FROM edges first JOIN edges second ON second.follower = first.followee WHERE first.follower = ?',
  )
  const get = db.prepare('SELECT * FROM users WHERE name = ?')
  return {
    name: 'better-sqlite3',
    neighbours: at => neighbours.all(person(at)),
    twoHops: at => twoHops.all(person(at)),
    get: at => get.get(person(at)),
    put: at => user.run(person(at), 'Athens', at),
  }
}

interface Graphology {
  readonly DirectedGraph: new () => {
    mergeNode(name: string, attributes?: object): void
    mergeEdge(from: string, to: string, attributes: object): void
    mapOutEdges(
      from: string,
      map: (key: string, attributes: object, follower: string, followee: string) => object,
    ): { followee: string }[]
    getNodeAttributes(name: string): object
  }
}

export async function graphology(): Promise<Embedded | undefined> {
  const module = await peer<Graphology>('graphology')
  if (!module) return undefined
  const held = new module.DirectedGraph()
  for (let at = 0; at < PEOPLE; at++) held.mergeNode(person(at), { city: 'Atlanta', level: at })
  for (let at = 0; at < PEOPLE; at++)
    for (const [i, followee] of followees(at).entries())
      held.mergeEdge(person(at), followee, { since: sinceOf(at, i), weight: i })
  const neighbours = (name: string) =>
    held.mapOutEdges(name, (_, attributes, follower, followee) => ({ follower, followee, ...attributes }))
  return {
    name: 'graphology',
    neighbours: at => neighbours(person(at)),
    twoHops: at => neighbours(person(at)).map(({ followee }) => neighbours(followee)),
    get: at => ({ ...held.getNodeAttributes(person(at)) }),
    put: at => held.mergeNode(person(at), { city: 'Athens', level: at }),
  }
}

interface Ladybug {
  readonly Database: new (path: string) => object
  readonly Connection: new (
    db: object,
  ) => {
    query(text: string): Promise<{ getAll(): Promise<unknown[]> }>
    prepare(text: string): Promise<object>
    execute(statement: object, of: object): Promise<{ getAll(): Promise<unknown[]> }>
  }
}

export async function ladybug(): Promise<Embedded | undefined> {
  const module = await peer<Ladybug>('@ladybugdb/core')
  if (!module) return undefined
  const connection = new module.Connection(new module.Database(':memory:'))
  await connection.query('CREATE NODE TABLE user(name STRING, city STRING, level INT64, PRIMARY KEY (name))')
  await connection.query('CREATE REL TABLE follow(FROM user TO user, since STRING, weight INT64)')
  const run = async (statement: object, of: object) => (await connection.execute(statement, of)).getAll()
  const user = await connection.prepare('MERGE (u:user {name: $name}) SET u.city = $city, u.level = $level')
  for (let at = 0; at < PEOPLE; at++) await run(user, { name: person(at), city: 'Atlanta', level: at })
  const many = await connection.prepare(
    'MATCH (a:user {name: $name}) UNWIND $edges AS e MATCH (b:user {name: e.followee}) CREATE (a)-[:follow {since: e.since, weight: e.weight}]->(b)',
  )
  for (let at = 0; at < PEOPLE; at++)
    await run(many, {
      name: person(at),
      edges: followees(at).map((followee, i) => ({ followee, since: sinceOf(at, i), weight: i })),
    })
  const neighbours = await connection.prepare(
    'MATCH (:user {name: $name})-[f:follow]->(b:user) RETURN b.name AS followee, f.since AS since, f.weight AS weight',
  )
  const twoHops = await connection.prepare(
    'MATCH (:user {name: $name})-[:follow]->(a:user)-[f:follow]->(b:user) RETURN a.name AS follower, b.name AS followee, f.since AS since, f.weight AS weight',
  )
  const get = await connection.prepare('MATCH (u:user {name: $name}) RETURN u.*')
  return {
    name: 'ladybug',
    neighbours: at => run(neighbours, { name: person(at) }),
    twoHops: at => run(twoHops, { name: person(at) }),
    get: at => run(get, { name: person(at) }),
    put: at => run(user, { name: person(at), city: 'Athens', level: at }),
  }
}
