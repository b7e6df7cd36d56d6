import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryKeyValues } from '../../../src/engine/keyvalues/memory.js'

const key = fc.string({ unit: fc.constantFrom('\u0000', 'a', 'b', '\u00ff'), maxLength: 4 })
const step = fc.oneof(fc.record({ put: key, value: fc.nat() }), fc.record({ remove: key }))

describe('a space in memory', () => {
  it('holds what was put and not removed, and ranges over it in byte order either way', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        key,
        fc.option(key, { nil: undefined }),
        fc.boolean(),
        (steps, from, to, reverse) => {
          const space = memoryKeyValues<number>().space('one')
          const model = new Map<string, number>()
          for (const step of steps) {
            if ('put' in step) {
              space.put(step.put, step.value)
              model.set(step.put, step.value)
            } else {
              space.remove(step.remove)
              model.delete(step.remove)
            }
          }
          const seen: [string, number][] = []
          space.range({ from, to, reverse }, (value, key) => seen.push([key, value]) > 0)
          const expected = [...model]
            .filter(([key]) => key >= from && (to === undefined || key < to))
            .sort(([a], [b]) => (a < b ? -1 : 1))
          expect(seen).toEqual(reverse ? expected.reverse() : expected)
          for (const [key, value] of model) expect(space.get(key)).toBe(value)
        },
      ),
    )
  })

  it('stops where it is told to', () => {
    const space = memoryKeyValues<number>().space('one')
    for (let i = 0; i < 10; i++) space.put(`k${i}`, i)
    const seen: number[] = []
    space.range({ from: '', to: undefined, reverse: false }, value => seen.push(value) < 3)
    expect(seen).toEqual([0, 1, 2])
  })

  it('is empty again after it was dropped', () => {
    const keyValues = memoryKeyValues<number>()
    keyValues.space('one').put('k', 1)
    keyValues.space('two').put('k', 2)
    keyValues.drop('one')
    expect(keyValues.space('one').get('k')).toBeUndefined()
    expect(keyValues.space('two').get('k')).toBe(2)
  })
})
