import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { add, counter, edge, embedded, GraphError, graph, integer, node, open, string } from '../../../src/index.js'

const a = node('a', { id: string(), n: counter(), list: embedded({ q: string() }) }, { id: 'id' })
const b = node('b', { id: string() }, { id: 'id' })

/** A declaration as untyped callers write it. */
const joined = (options: object) => edge('e', { a, b }, { q: string(), w: integer() }, options as object)

function refusal(declare: () => unknown): string {
  try {
    declare()
  } catch (error) {
    if (error instanceof GraphError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'taken'
}

describe('an option with a value that a compiler would reject', () => {
  it.each([
    [{ onDelete: 'cascade' }, "call.argument: e: 'onDelete' is not an object; give an object."],
    [{ one: ['a'] }, 'edge.end: e: Array is not one of its ends; give a or b.'],
    [{ one: true }, 'edge.end: e: true is not one of its ends; give a or b.'],
    [{ count: { a: { into: 'n', where: () => true } } }, "call.argument: e: 'where' is not an object; give an object."],
    [{ count: { a: { into: 'n', where: 'q' } } }, "call.argument: e: 'where' is not an object; give an object."],
    [{ sum: { a: 'n' } }, "edge.count: e: 'n' does not say what it sums; name a number() or an integer() as 'of'."],
    [{ embed: { a: 'list' } }, "edge.embed.max: e: 'list' has no maximum number of entries; give 'max'."],
  ])('the option %o is rejected', (options, says) => {
    expect(refusal(() => joined(options))).toBe(says)
  })

  it('types of a graph outside of a list are rejected', () => {
    const spread = () => graph('g', a as never, b as never)
    expect(refusal(spread)).toBe(
      'call.argument: g: its types are not a list of nodes and edges; give a list of node() and edge() values.',
    )
  })

  it('a function as a validator is rejected at the first write', async () => {
    for (const wrong of [(text: string) => text.length > 3, /x/, undefined]) {
      const c = node('c', { id: string(), q: string().check(wrong as never) }, { id: 'id' })
      const g = await open(graph('ggg', [c]), memory())
      const says = {
        code: 'value.check',
        message: 'c.q: the schema is not a Standard Schema validator; give a value that the validator accepts.',
      }
      await expect(g.c.put({ id: '1', q: 'x' })).rejects.toMatchObject(says)
    }
  })

  it('a rejected addend is reported as given, because the number 1 can be added and its text cannot', async () => {
    const c = node('c', { id: string(), w: integer() }, { id: 'id' })
    const g = await open(graph('ggg', [c]), memory())
    const one = g.c.update('1', { w: add('1') as never })
    await expect(one).rejects.toThrow("c.w: '1' cannot be added to integer(); give a number of that kind.")
  })
})
