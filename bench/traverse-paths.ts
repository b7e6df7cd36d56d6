import { memory } from '../src/embedded.js'
import { edge, graph, node, open, string } from '../src/index.js'
import { sequence } from './measure.js'
import { peer } from './peers.js'

const NODES = 100_000
/** Each person gets to know so many of those before, rather those whom many know, in both directions: 1,000,000 edges. */
const MET = 5
const PAIRS = 60
const BATCH = 5_000

type Pairs = readonly (readonly [from: number, to: number])[]

const name = (at: number) => `u${at}`

/** A social graph with preferential attachment: people with many contacts get more. */
function friendships(): Pairs {
  const random = sequence(1)
  const ends: number[] = [0]
  const pairs: [number, number][] = []
  for (let at = 1; at < NODES; at++)
    for (let i = 0; i < MET; i++) {
      const other = ends[random(ends.length)]!
      if (other === at) continue
      pairs.push([at, other], [other, at])
      ends.push(at, other)
    }
  return pairs
}

export interface PathFigures {
  readonly edges: number
  readonly requests: readonly number[]
  readonly millis: readonly number[]
  readonly lengths: readonly number[]
  /** Milliseconds of the peers for the same searches, by name. */
  readonly peers: readonly (readonly [name: string, millis: readonly number[], isSame: boolean])[]
}

/** Measures searches between random people: requests, time, and the time of peers. */
export async function searches(): Promise<PathFigures> {
  const pairs = friendships()
  const user = node('user', { id: string() }, { id: 'id' })
  const follow = edge('follow', { follower: user, followee: user })
  const g = await open(graph('paths', [user, follow]), memory())
  for (let at = 0; at < pairs.length; at += BATCH)
    await g.$batch(
      distinct(pairs.slice(at, at + BATCH)).map(([from, to]) =>
        g.follow.put({ follower: name(from), followee: name(to) }),
      ),
    )
  const random = sequence(7)
  const asked: Pairs = Array.from({ length: PAIRS }, () => [random(NODES), random(NODES)] as const)
  const requests: number[] = []
  const millis: number[] = []
  const lengths: number[] = []
  for (const [from, to] of asked) {
    const start = performance.now()
    const budget = { requests: 100_000 }
    const found = await g.user.shortestPath(name(from), name(to), g.follow.by.follower, { maxDepth: 12, budget }).run()
    millis.push(performance.now() - start)
    requests.push(found.requests)
    lengths.push(found.value?.weight ?? -1)
  }
  const peers = await Promise.all([sqlite(pairs, asked, lengths), graphology(pairs, asked, lengths)])
  return { edges: pairs.length, requests, millis, lengths, peers: peers.flatMap(each => (each ? [each] : [])) }
}

/** Removes duplicate edges, because a batch must not contain them. */
const distinct = (pairs: Pairs): Pairs => [...new Map(pairs.map(pair => [pair.join(), pair])).values()]

type Peer = PathFigures['peers'][number] | undefined

function timed(
  label: string,
  asked: Pairs,
  lengths: readonly number[],
  search: (from: number, to: number) => number,
): Peer {
  const millis: number[] = []
  let isSame = true
  for (const [i, [from, to]] of asked.entries()) {
    const start = performance.now()
    isSame &&= search(from, to) === lengths[i]
    millis.push(performance.now() - start)
  }
  return [label, millis, isSame]
}

interface Sqlite {
  new (
    path: string,
  ): {
    exec(sql: string): void
    prepare(sql: string): { get(...of: unknown[]): unknown; run(...of: unknown[]): unknown }
    transaction(work: () => void): () => void
  }
}

/** A recursive query reads from one end, level by level, and stops at the first level with the other end. */
async function sqlite(pairs: Pairs, asked: Pairs, lengths: readonly number[]): Promise<Peer> {
  const Database = await peer<Sqlite>('better-sqlite3', Sqlite => new Sqlite(':memory:'))
  if (!Database) return undefined
  const db = new Database(':memory:')
  db.exec('CREATE TABLE edges (follower INTEGER, followee INTEGER, PRIMARY KEY (follower, followee)) WITHOUT ROWID')
  const insert = db.prepare('INSERT OR IGNORE INTO edges VALUES (?, ?)')
  db.transaction(() => {
    for (const [from, to] of pairs) insert.run(from, to)
  })()
  const search = db.prepare(
    `WITH RECURSIVE reached(id, depth) AS (
       SELECT ?, 0 UNION SELECT followee, depth + 1 FROM reached JOIN edges ON follower = id WHERE depth < ?
     ) SELECT depth FROM reached WHERE id = ? LIMIT 1`,
  )
  // SQLite removes duplicate pairs of node and depth, not duplicate nodes. Deep searches take seconds, so few run.
  const few = asked.slice(0, 10)
  return timed('better-sqlite3, recursive', few, lengths, (from, to) => {
    const found = search.get(from, 6, to) as { depth: number } | undefined
    return found?.depth ?? -1
  })
}

interface Graphology {
  readonly DirectedGraph: new () => {
    mergeNode(name: string): void
    mergeEdge(from: string, to: string): void
    forEachOutNeighbor(name: string, each: (name: string) => void): void
  }
}

/** The same search over graphology's lists, from one end: it comes without searches. */
async function graphology(pairs: Pairs, asked: Pairs, lengths: readonly number[]): Promise<Peer> {
  const module = await peer<Graphology>('graphology')
  if (!module) return undefined
  const held = new module.DirectedGraph()
  for (let at = 0; at < NODES; at++) held.mergeNode(name(at))
  for (const [from, to] of pairs) held.mergeEdge(name(from), name(to))
  return timed('graphology, breadth first', asked, lengths, (from, to) => {
    const distance = new Map([[name(from), 0]])
    for (const [at, depth] of distance) {
      if (at === name(to)) return depth
      held.forEachOutNeighbor(at, next => {
        if (!distance.has(next)) distance.set(next, depth + 1)
      })
    }
    return -1
  })
}
