import { expect, test, vi } from 'vitest'
import { withoutLmdbOutput } from '../../../src/engine/keyvalues/lmdb/quiet-console.js'

/** Creates an error like the package lmdb: with the number of the system error and its own path in the stack. */
function lmdbError(): Error {
  const error = Object.assign(new Error('Input/output error'), { code: 5 })
  error.stack = 'Error: Input/output error\n    at /app/node_modules/lmdb/dist/index.cjs:677:7'
  return error
}

test("LMDB's errors are not printed during a commit, and all other output is", async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const other = new Error('mine')
  await withoutLmdbOutput(async () => {
    console.error(lmdbError())
    console.error(other)
    console.error('text', lmdbError())
  })
  expect(printed.mock.calls).toEqual([[other], ['text', expect.any(Error)]])
  console.error(lmdbError())
  expect(printed).toHaveBeenCalledTimes(3)
  printed.mockRestore()
})

test('a console spy that is created during a commit does not cause recursion', async () => {
  const before = console.error
  const printed: unknown[] = []
  console.error = (...given) => void printed.push(...given)
  let spy: ReturnType<typeof vi.spyOn> | undefined
  await withoutLmdbOutput(async () => {
    spy = vi.spyOn(console, 'error')
  })
  spy!.mockRestore()
  await withoutLmdbOutput(async () => console.error('once'))
  console.error('after')
  expect(printed).toEqual(['once', 'after'])
  console.error = before
})
