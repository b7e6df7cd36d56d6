import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { disk } from '../../../src/engine/disk.js'
import { memory } from '../../../src/engine/memory.js'
import { graph, node, open, string } from '../../../src/index.js'
import type { Service } from '../../../src/store/port.js'

// A unique attribute makes each put a separate request.
const item = node('item', { id: string(), name: string() }, { id: 'id', unique: ['name'] })
const things = graph('things', [item])

async function answersUntilHeard(store: Service): Promise<number> {
  const g = await open(things, store)
  await g.item.put({ id: 'a', name: 'a' })
  let isHeard = false
  setImmediate(() => {
    isHeard = true
  })
  let answers = 0
  while (!isHeard && answers < 10_000) {
    await g.item.get('a')
    answers++
  }
  return answers
}

test('a loop over awaited calls lets other work of the process run', async () => {
  expect(await answersUntilHeard(memory())).toBeLessThan(1_100)
})

test('a loop over awaited calls on disk lets other work of the process run', async () => {
  const path = await mkdtemp(join(tmpdir(), 'edgewise-'))
  const store = disk(path)
  expect(await answersUntilHeard(store)).toBeLessThan(1_100)
  await store.close()
  await rm(path, { recursive: true })
})

test('a rejected call rejects in every turn of the event loop', async () => {
  const path = await mkdtemp(join(tmpdir(), 'edgewise-'))
  const store = disk(path)
  const g = await open(things, store)
  await g.item.create({ id: 'a', name: 'a' })
  const { Items } = await store.scan({ TableName: 'things' })
  const Item = Items!.find(({ _type }) => _type?.S === 'item')!
  const put = { TableName: 'things', Item, ConditionExpression: 'attribute_not_exists(PK)' }
  const told = await Promise.allSettled(Array.from({ length: 2_100 }, () => store.putItem(put)))
  expect(new Set(told.map(each => each.status === 'rejected' && each.reason.name))).toEqual(
    new Set(['ConditionalCheckFailedException']),
  )
  await store.close()
  await rm(path, { recursive: true })
})

test('a deadline ends a batch of many thousands of calls', async () => {
  const g = await open(things, memory())
  const calls = Array.from({ length: 4_000 }, (_, i) => g.item.create({ id: String(i), name: String(i) }))
  const error = await g
    .$batch(calls)
    .run({ deadlineMs: 1 })
    .catch((each: unknown) => each)
  expect(error).toMatchObject({ code: 'call.deadline' })
})

test('a clock that was replaced before the package was loaded delays no call', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'queueMicrotask'] })
  vi.resetModules()
  try {
    const freshModule = await import('../../../src/engine/memory.js')
    expect(await answersUntilHeard(freshModule.memory())).toBe(10_000)
  } finally {
    vi.useRealTimers()
  }
})
