import fc from 'fast-check'
import { expect } from 'vitest'
import type { KeyRange, Space } from '../../../src/engine/keyvalues/port.js'

/** Generates similar keys, ranges of them and steps on them. */
export function keysUpTo(maxLength: number) {
  const key = fc.string({ unit: fc.constantFrom('\u0000', 'a', 'b', '\u00ff'), maxLength })
  return {
    range: fc.record({ from: key, to: fc.option(key, { nil: undefined }), reverse: fc.boolean() }),
    step: fc.oneof(fc.record({ put: key, value: fc.nat() }), fc.record({ remove: key })),
  }
}

type Step = { readonly put: string; readonly value: number } | { readonly remove: string }

/** Applies steps to a space and its model. */
export function follow(space: Space<number>, model: Map<string, number>, steps: readonly Step[]): void {
  for (const step of steps) {
    if ('put' in step) {
      space.put(step.put, step.value)
      model.set(step.put, step.value)
    } else {
      space.remove(step.remove)
      model.delete(step.remove)
    }
  }
}

/** Expects a space to visit the content of its model in byte order in both directions, and to find each key. */
export function expectAlike(space: Space<number>, model: ReadonlyMap<string, number>, ranges: readonly KeyRange[]) {
  for (const range of ranges) {
    const seen: [string, number][] = []
    space.range(range, (value, key) => seen.push([key, value]) > 0)
    expect(seen).toEqual(entriesIn(model, range))
  }
  for (const [key, value] of model) expect(space.get(key)).toBe(value)
}

function entriesIn(model: ReadonlyMap<string, number>, { from, to, reverse }: KeyRange) {
  const entries = [...model].filter(([key]) => key >= from && (to === undefined || key < to))
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return reverse ? entries.reverse() : entries
}
