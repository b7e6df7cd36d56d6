import { expect, it } from 'vitest'
import { forEachConcurrently } from '../../../src/graph/run/concurrency.js'

it('after a failure, forEachConcurrently starts no further work and waits for the work in progress', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = async (each: number) => {
    begun.push(each)
    await new Promise(resolve => setTimeout(resolve, each === 2 ? 1 : 20))
    if (each === 2) throw new Error('two')
    ended.push(each)
  }
  await expect(forEachConcurrently([0, 1, 2, 3, 4, 5, 6], 4, work)).rejects.toThrow('two')
  expect(begun).toEqual([0, 1, 2, 3])
  expect(ended).toEqual([0, 1, 3])
})
