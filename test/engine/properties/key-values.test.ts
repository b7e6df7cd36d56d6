import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryKeyValues } from '../../../src/engine/keyvalues/memory.js'
import type { KeyRange, Space } from '../../../src/engine/keyvalues/port.js'

const key = fc.string({ unit: fc.constantFrom('\u0000', 'a', 'b', '\u00ff'), maxLength: 6 })
const bounds = fc.record({ from: key, to: fc.option(key, { nil: undefined }), reverse: fc.boolean() })
const step = fc.oneof(fc.record({ put: key, value: fc.nat() }), fc.record({ remove: key }))

/** The keys that a range visits, after a look that each comes with its value. */
function keysIn(space: Space<number>, range: KeyRange): string[] {
  const seen: string[] = []
  space.range(range, (value, key) => {
    expect(value).toBe(space.get(key))
    return seen.push(key) > 0
  })
  return seen
}

function modelled(keys: Iterable<string>, { from, to, reverse }: KeyRange): string[] {
  const within = [...keys].filter(key => key >= from && (to === undefined || key < to)).sort()
  return reverse ? within.reverse() : within
}

describe('a space in memory', () => {
  it('holds what was put and not removed, and ranges over it in byte order either way', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), bounds, (steps, range) => {
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
        expect(keysIn(space, range)).toEqual(modelled(model.keys(), range))
        for (const [key, value] of model) expect(space.get(key)).toBe(value)
      }),
    )
  })

  it('holds many: three levels of its tree, of which whole stretches go and come again', () => {
    const keys: string[] = []
    for (const first of ['', 'a', '\u00ff'])
      for (let i = 0; i < 4_000; i++) keys.push(`${first}${String.fromCharCode(i % 251, i % 256)}abc${i}`)
    const space = memoryKeyValues<number>().space('one')
    const model = new Map<string, number>()
    const put = (key: string, value: number) => {
      space.put(key, value)
      model.set(key, value)
    }
    const check = () =>
      fc.assert(
        fc.property(bounds, range => void expect(keysIn(space, range)).toEqual(modelled(model.keys(), range))),
        { numRuns: 30 },
      )
    for (const [i, key] of keys.entries()) put(key, i)
    check()
    for (const key of keys) {
      if (key.startsWith('a') || key.length % 2 === 0) {
        space.remove(key)
        model.delete(key)
      }
    }
    check()
    for (const [i, key] of keys.entries()) if (i % 3 === 0) put(key, -i)
    check()
    for (const key of keys) space.remove(key)
    expect(keysIn(space, { from: '', to: undefined, reverse: false })).toEqual([])
    space.put('k', 1)
    expect(keysIn(space, { from: '', to: undefined, reverse: true })).toEqual(['k'])
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
