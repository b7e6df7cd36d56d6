import { expect, it, vi } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { add, etagOf, graph, integer, node, open, string } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'

const cinema = graph('cinema', [node('movie', { name: string(), year: integer() }, { id: 'name' })])

/** A second copy of the package, as in a project that installs it twice. */
async function otherCopy(): Promise<typeof import('../../../src/index.js')> {
  vi.resetModules()
  return import('../../../src/index.js')
}

it('a patch operation of another copy of the package is applied like one of this copy', async () => {
  const other = await otherCopy()
  expect(other.add).not.toBe(add)
  const g = await open(cinema, memory())
  await g.movie.create({ name: 'Big', year: 1988 })
  await g.movie.update('Big', { year: other.add(1) })
  expect(await g.movie.get('Big')).toMatchObject({ year: 1989 })
})

it('the etag of a row is readable by another copy of the package', async () => {
  const other = await otherCopy()
  const g = await open(cinema, memory())
  await g.movie.create({ name: 'Big', year: 1988 })
  const row = await g.movie.get('Big')
  expect(other.etagOf(row!)).toBe(etagOf(row!))
})

it('a job reports that a graph was opened by another copy of the package', async () => {
  const other = await otherCopy()
  const g = await other.open(cinema, memory())
  await expect(verify(g)).rejects.toThrow('graph: another copy of edgewise opened this graph; install only one copy')
})
