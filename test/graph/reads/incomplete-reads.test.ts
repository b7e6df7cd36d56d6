import { expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { graph, integer, node, open, string } from '../../../src/index.js'

const movie = node(
  'movie',
  { name: string(), year: integer(), isan: string() },
  { id: 'name', by: { year: { in: ['year'] } }, unique: ['isan'] },
)
const cinema = graph('cinema', [movie])

it('a query that is awaited without a terminal method rejects', async () => {
  const g = await open(cinema, memory())
  const unfinished = async (read: unknown) => await read
  for (const [read, name] of [
    [g.movie.by.year({ year: 1995 }), 'movie.by.year()'],
    [g.movie.by.year({ year: 1995 }).reverse().limit(2), 'movie.by.year()'],
    [g.movie.scan(), 'movie.scan()'],
  ] as const)
    await expect(unfinished(read)).rejects.toMatchObject({
      code: 'read.unfinished',
      message: expect.stringContaining(`${name}: the read has no end, so it cannot be awaited; end it with all()`),
    })
})

it('a query with a terminal method, in a loop or passed on is served', async () => {
  const g = await open(cinema, memory())
  await g.movie.put({ name: 'Toy Story', year: 1995, isan: '1' })
  const read = g.movie.by.year({ year: 1995 })
  const found: string[] = []
  for await (const { name } of read) found.push(name)
  expect(found).toEqual(['Toy Story'])
  expect(await read.all()).toHaveLength(1)
  expect(await read.count()).toBe(1)
})

it('more than one argument of a read by a path is rejected', async () => {
  const g = await open(cinema, memory())
  const loosely = g.movie.by as unknown as Record<string, (...given: unknown[]) => unknown>
  for (const [path, given] of [
    ['year', [{ year: 1995 }, { limit: 5 }]],
    ['isan', ['1', '2']],
  ] as const)
    await expect(async () => await loosely[path]!(...given)).rejects.toMatchObject({
      code: 'call.argument',
      message: expect.stringContaining(`movie.by.${path}: the call has 2 arguments instead of one`),
    })
})
