import type { Item, Key } from '../../../src/dynamodb/attribute-value.js'
import { type Layout, layout } from '../../../src/layout/layout.js'
import { counter, date, edge, embedded, graph, integer, node, string } from '../../layout/declarations.js'
import { opened } from './cinema.js'

const user = node('user', { id: string(), name: string(), rated: counter(), stars: counter() }, { id: 'id' })
const movie = node(
  'movie',
  { id: string(), title: string().optional(), fans: counter(), cast: embedded({ stars: integer(), name: string() }) },
  { id: 'id' },
)

/** An edge with all kinds of stream data at both ends. */
const rates = edge(
  'rates',
  { user, movie },
  { stars: integer(), at: date() },
  {
    carry: {
      name: { from: 'user.name', sync: 'eventual' },
      title: { from: 'movie.title', sync: 'mirror', deleted: 'remove' },
    },
    count: { user: { into: 'rated', by: 'stream' }, movie: { into: 'fans', by: 'stream', where: { stars: [4, 5] } } },
    sum: { user: { into: 'stars', of: 'stars', by: 'stream' } },
    embed: { movie: { into: 'cast', max: 60 } },
    by: { movie: { order: ['at'] } },
  },
)
export const streamed = layout(graph('streamed', [user, movie, rates]))

export const MAY = new Date('2026-05-01T00:00:00.000Z')
export const JUNE = new Date('2026-06-01T00:00:00.000Z')
export const rating = { user: 'ann', movie: 'jaws', stars: 5, at: MAY }
export const identity = { user: 'ann', movie: 'jaws' }
export const OWN: Key = { PK: { S: 'user#ann' }, SK: { S: 'rates#jaws' } }
export const mirrorAt = (at: Date): Key => ({
  PK: { S: 'movie#jaws' },
  SK: { S: `rates.movie#${at.toISOString()}#ann` },
})

export const counted = (tag: string, of: Record<string, number> = { rated: 1 }) => ({
  M: {
    life: { S: 'l' },
    tag: { S: tag },
    of: { M: Object.fromEntries(Object.entries(of).map(([name, n]) => [name, { N: String(n) }])) },
  },
})

/** A table with functions that inspect it and change it like the consumer of the stream. */
export async function streaming(made: Layout) {
  const { store, send } = await opened(made)
  const TableName = made.design.name
  const at = async (key: Key) => (await store.getItem({ TableName, Key: key })).Item
  const all = async () => (await store.scan({ TableName })).Items!
  const set = async (key: Key, name: string, value: Item[string]) => {
    await store.updateItem({
      TableName,
      Key: key,
      UpdateExpression: 'SET #n = :v',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':v': value },
    })
  }
  const remove = async (key: Key) => void (await store.deleteItem({ TableName, Key: key }))
  const tombstones = async () => (await all()).filter(item => item._type?.S === '$gone')
  return { store, send, at, all, set, remove, tombstones }
}
