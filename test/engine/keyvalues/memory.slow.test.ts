import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newMemoryKeyValues } from '../../../src/engine/keyvalues/memory-key-values.js'
import type { KeyRange } from '../../../src/engine/keyvalues/port.js'
import { expectAlike, follow, keysUpTo } from './random-steps.js'

const { range, step } = keysUpTo(6)
/** In order; enough keys for three levels of the tree. */
const MANY = Array.from({ length: 6_000 }, (_, i) => `k${String(i).padStart(4, '0')}`)
const ALL: KeyRange = { from: '', to: undefined, reverse: false }

describe('spaces in memory', () => {
  it('a space holds its puts and visits ranges in byte order in both directions', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), range, (steps, one) => {
        const space = newMemoryKeyValues<number>().space('one')
        const model = new Map<string, number>()
        follow(space, model, steps)
        expectAlike(space, model, [one])
      }),
    )
  })

  it('a tree of three levels stays correct when long stretches are removed and added again', () => {
    const keys: string[] = []
    for (const first of ['', 'a', '\u00ff'])
      for (let i = 0; i < 4_000; i++) keys.push(`${first}${String.fromCharCode(i % 251, i % 256)}abc${i}`)
    const space = newMemoryKeyValues<number>().space('one')
    const model = new Map<string, number>()
    const done = (steps: Parameters<typeof follow>[2]) => {
      follow(space, model, steps)
      fc.assert(
        fc.property(range, one => expectAlike(space, model, [one])),
        { numRuns: 10 },
      )
    }
    done(keys.map((put, value) => ({ put, value })))
    done(keys.filter(key => key.startsWith('a') || key.length % 2 === 0).map(remove => ({ remove })))
    done(keys.flatMap((put, i) => (i % 3 === 0 ? [{ put, value: -i }] : [])))
    done(keys.map(remove => ({ remove })))
    done([{ put: 'k', value: 1 }])
    expectAlike(space, new Map([['k', 1]]), [ALL, { ...ALL, reverse: true }])
  })

  it.each([
    ['in order', (i: number) => i],
    ['from the last to the first', (i: number) => 999 - i],
    ['in no order', (i: number) => (i * 617) % 1_000],
  ])('a space is empty after keys that were added %s are removed', (_, at) => {
    const space = newMemoryKeyValues<number>().space('one')
    const keys = Array.from({ length: 1_000 }, (_, i) => `k${String(at(i)).padStart(3, '0')}`)
    for (const key of keys) space.put(key, 1)
    const model = new Map(keys.map(key => [key, 1]))
    for (const key of keys) {
      space.remove(key)
      model.delete(key)
      if (model.size % 100 === 0) expectAlike(space, model, [ALL, { ...ALL, reverse: true }])
    }
  })

  it('a range stops when the visitor returns false, in both directions and across three levels', () => {
    const space = newMemoryKeyValues<number>().space('one')
    const values = MANY.map((_, i) => i)
    for (const value of values) space.put(MANY[value]!, value)
    const first = (most: number, reverse: boolean) => {
      const seen: number[] = []
      space.range({ ...ALL, reverse }, value => seen.push(value) < most)
      return seen
    }
    for (const most of [1, 3, 100, 3_000]) {
      expect(first(most, false)).toEqual(values.slice(0, most))
      expect(first(most, true)).toEqual(values.toReversed().slice(0, most))
    }
  })

  it('a dropped space is empty', () => {
    const keyValues = newMemoryKeyValues<number>()
    keyValues.space('one').put('k', 1)
    keyValues.space('two').put('k', 2)
    keyValues.drop('one')
    expect(keyValues.space('one').get('k')).toBeUndefined()
    expect(keyValues.space('two').get('k')).toBe(2)
  })

  it('a copied space is equal and independent of the original', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.array(step, { maxLength: 20 }), range, (steps, more, one) => {
        const keyValues = newMemoryKeyValues<number>()
        const model = new Map<string, number>()
        follow(keyValues.space('one'), model, steps)
        keyValues.copy('one', 'two')
        const copied = new Map(model)
        follow(keyValues.space('one'), model, more)
        expectAlike(keyValues.space('two'), copied, [one])
        follow(keyValues.space('two'), copied, more.toReversed())
        expectAlike(keyValues.space('one'), model, [one])
      }),
    )
  })

  it('a copied tree of three levels is equal and independent of the original', () => {
    const keyValues = newMemoryKeyValues<number>()
    const model = new Map<string, number>()
    follow(
      keyValues.space('one'),
      model,
      MANY.map((put, value) => ({ put, value })),
    )
    keyValues.copy('one', 'two')
    const copied = new Map(model)
    follow(
      keyValues.space('one'),
      model,
      MANY.flatMap(key => [{ put: `${key}a`, value: -1 }, { remove: key }]),
    )
    expectAlike(keyValues.space('two'), copied, [ALL, { ...ALL, reverse: true }])
    follow(
      keyValues.space('two'),
      copied,
      MANY.flatMap(key => [{ put: `${key}b`, value: -2 }, { remove: key }]),
    )
    expectAlike(keyValues.space('one'), model, [ALL, { ...ALL, reverse: true }])
    expectAlike(keyValues.space('two'), copied, [ALL, { ...ALL, reverse: true }])
  })
})
