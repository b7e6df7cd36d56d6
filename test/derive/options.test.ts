import { expect, it } from 'vitest'
import { changes, consumer, deadLetters, follow, lambdaHandler, replay } from '../../src/derive/index.js'
import { memory } from '../../src/engine/memory.js'
import { graph, node, open, string } from '../../src/index.js'

const notes = graph('notes', [node('note', { id: string() }, { id: 'id' })])

it.each([null, { pol: 5 }])('unknown and invalid options are rejected: %o', async given => {
  const store = memory()
  await open(notes, store)
  const options = given as never
  const calls = [
    async () => consumer(notes, store, options),
    async () => changes(notes, [], options),
    async () => lambdaHandler(consumer(notes, store), options),
    () => follow(notes, store, options),
    () => follow(consumer(notes, store), store, options),
    () => replay(notes, store, options),
    async () => {
      for await (const letter of deadLetters(notes, store, options)) expect(letter).toBeUndefined()
    },
  ]
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({ code: given ? 'option.unknown' : 'call.argument' })
  expect((await store.listTables({})).TableNames).toEqual(['notes'])
})

it.each([
  [null, 'call.argument'],
  [{ attempt: 1 }, 'option.unknown'],
])('a consumer rejects the retry options %o', (retry, code) => {
  expect(() => consumer(notes, memory(), { retry: retry as never })).toThrow(expect.objectContaining({ code }))
})

it('callbacks, lists and signals are checked before any record is handled', async () => {
  const store = memory()
  const refused: readonly [() => unknown, string][] = [
    [() => consumer(notes, store, { clock: 5 as never }), 'clock: the value is not a function; give a function.'],
    [
      () => lambdaHandler(consumer(notes, store), { onFailure: 'warn' as never }),
      'onFailure: the value is not a function; give a function.',
    ],
    [() => follow(notes, store, { records: [] as never }), 'records: the value is not a function; give a function.'],
    [() => follow(notes, store, { heal: null as never }), 'heal: the value is not a function; give a function.'],
    [
      () => follow(notes, store, { signal: new AbortController() as never }),
      'signal: the value is not an AbortSignal; give the signal of an AbortController.',
    ],
    [
      () => replay(notes, store, { ids: 'abc' as never }),
      'ids: the value is not an array; give an array of dead letter ids.',
    ],
    [
      () => replay(notes, store, { ids: null as never }),
      'ids: the value is not an array; give an array of dead letter ids.',
    ],
  ]
  for (const [call, message] of refused)
    await expect((async () => call())()).rejects.toMatchObject({ code: 'call.argument', message })
})

it('undefined options have their defaults', async () => {
  const store = memory()
  await open(notes, store)
  const none = { table: undefined, clock: undefined, random: undefined }
  expect(consumer(notes, store, { ...none, retry: undefined }).layout.design.name).toBe('notes')
  expect(changes(notes, [], { derived: undefined })).toEqual([])
  expect(await lambdaHandler(consumer(notes, store), { onFailure: undefined })({})).toEqual({ batchItemFailures: [] })
})

it.each([5, undefined, { Records: [] }, 'abc'])('%j is rejected as the list of records', records => {
  expect(() => changes(notes, records as never)).toThrow(
    expect.objectContaining({
      code: 'call.argument',
      message: 'changes(): the records are not an array; give an array of stream records.',
    }),
  )
})

it("the option 'derived' accepts only 'mark' and 'leave-out'", () => {
  expect(() => changes(notes, [], { derived: 'leave' as never })).toThrow(
    expect.objectContaining({
      code: 'call.argument',
      message: expect.stringMatching(/^derived: .* is not a valid value; give 'mark' or 'leave-out'\.$/),
    }),
  )
})
