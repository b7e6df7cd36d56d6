import { expect, test } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { edge, type GraphError, graph, integer, metered, node, open, string } from '../../src/index.js'
import { moveSubtree, verify } from '../../src/jobs/index.js'

const folder = node('folder', { id: string() }, { id: 'id' })
const ends = { parent: folder, child: folder }
const contains = edge('contains', ends, { since: string().optional() }, { one: 'child', tree: true })
const within = edge('within', ends, { depth: integer() }, { closureOf: contains })
const types = [folder, contains, within] as const
const files = graph('files', types)

/** Two roots, and a subtree of one of them: `a` contains `m`, which contains three folders with two folders each. */
async function opened() {
  const { store, meter } = metered(memory())
  const g = await open(files, store, { create: true, follow: false })
  const put = (child: string, parent: string) => moveSubtree(g, 'contains', { parent, child })
  await put('m', 'a')
  for (const middle of ['m1', 'm2', 'm3']) {
    await put(middle, 'm')
    for (const leaf of ['x', 'y']) await put(middle + leaf, middle)
  }
  await put('b', 'c')
  meter.reset()
  const above = async (id: string) =>
    (await g.within.by.child(id).all()).map(row => `${row.parent} ${row.depth}`).sort()
  const closureFaults = async () =>
    Object.keys((await verify(g)).faults).filter(code => code.startsWith('closure') || code.startsWith('mirror'))
  return { g, meter, above, closureFaults }
}

const usage = (meter: Awaited<ReturnType<typeof opened>>['meter']) => {
  const { requests, tables } = meter.snapshot()
  const sum = Object.values(requests).reduce((total, count) => total + (count ?? 0), 0)
  return { requests: sum, read: tables.files!.read, write: tables.files!.write }
}

test('a moved subtree is below its new ancestors only, at the price that was estimated', async () => {
  const { g, meter, above, closureFaults } = await opened()
  const row = { parent: 'b', child: 'm', since: '2026' }
  const price = await moveSubtree(g, 'contains', row, { dryRun: true })
  const pricing = usage(meter)
  expect(pricing.write).toBe(0)
  expect(await above('m1x')).toEqual(['a 3', 'm 2', 'm1 1'])
  meter.reset()
  const progress: unknown[] = []
  expect(await moveSubtree(g, 'contains', row, { progress: each => void progress.push(each) })).toEqual(price)
  expect(progress.at(-1)).toEqual({ done: 10, nodes: 10 })
  const { requests, read, write } = usage(meter)
  expect(price).toMatchObject({
    nodes: 10,
    requests: requests - pricing.requests,
    readUnits: read - pricing.read,
    writeUnits: write,
  })
  expect(await above('m1x')).toEqual(['b 3', 'c 4', 'm 2', 'm1 1'])
  expect(await g.within.by.parent('a').count()).toBe(0)
  expect(await g.within.by.parent('c').count()).toBe(11)
  expect(await g.contains.get({ parent: 'b', child: 'm' })).toEqual(row)
  expect(await closureFaults()).toEqual([])
})

test('a move that was stopped is continued by the same call, which writes only what is left', async () => {
  const { g, meter, above, closureFaults } = await opened()
  const row = { parent: 'b', child: 'm' }
  const stop = new AbortController()
  const progress = ({ done }: { readonly done: number }) => {
    if (done === 4) stop.abort()
  }
  await expect(moveSubtree(g, 'contains', row, { signal: stop.signal, progress })).rejects.toThrow('aborted')
  expect(await above('m1')).toEqual(['b 2', 'c 3', 'm 1'])
  expect(await above('m1x')).toEqual(['a 3', 'm 2', 'm1 1'])
  meter.reset()
  await moveSubtree(g, 'contains', row)
  expect(meter.snapshot().requests.transactWriteItems).toBe(1 + 6)
  expect(await above('m3y')).toEqual(['b 3', 'c 4', 'm 2', 'm3 1'])
  expect(await closureFaults()).toEqual([])
})

test('trees of tenants with the same ids are moved apart', async () => {
  const g = await open(graph('files', types, { tenant: true }), memory(), { follow: false })
  for (const tenant of ['acme', 'umbrella'])
    for (const [child, parent] of [
      ['m', 'a'],
      ['n', 'm'],
    ] as const)
      await moveSubtree(g, 'contains', { parent, child }, { tenant })
  await moveSubtree(g, 'contains', { parent: 'b', child: 'm' }, { tenant: 'acme' })
  const below = async (tenant: string, id: string) =>
    (await g.$tenant(tenant).within.by.parent(id).all()).map(({ child }) => child)
  expect([await below('acme', 'a'), await below('acme', 'b')]).toEqual([[], ['m', 'n']])
  expect([await below('umbrella', 'a'), await below('umbrella', 'b')]).toEqual([['m', 'n'], []])
  expect((await verify(g)).faults).toEqual({ 'edge.dangling': expect.any(Number) })
})

test('a move is rejected before anything is written if it cannot be made', async () => {
  const { g, meter } = await opened()
  const codeOf = (move: Promise<unknown>) => move.catch((error: GraphError) => error.code)
  expect(await codeOf(moveSubtree(g, 'within', { parent: 'b', child: 'm' }))).toBe('call.argument')
  expect(await codeOf(moveSubtree(g, 'folder', { id: 'b' }))).toBe('call.argument')
  expect(await codeOf(moveSubtree(g, 'contains', { parent: 'b', child: 'm' }, { tenant: 'acme' }))).toBe(
    'call.argument',
  )
  expect(await codeOf(moveSubtree(g, 'contains', { parent: 'm1x', child: 'm' }))).toBe('tree.cycle')
  expect(await codeOf(moveSubtree(g, 'contains', { child: 'm' }))).toBe('key.missing')
  expect(meter.snapshot().requests.transactWriteItems).toBe(undefined)
})
