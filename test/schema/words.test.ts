import { describe, expect, it } from 'vitest'
import { counter, edge, integer, node, string } from '../../src/index.js'

const movie = node('movie', { name: string(), cast: counter() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = (options: object) => edge('role', { movie, actor }, {}, options as never)

describe('a word that there is not is refused, also where no compiler looks', () => {
  it.each([
    ['what becomes of edges', { onDelete: { movie: 'restrict' } }, "not 'restrict'"],
    ['what becomes of edges, which is no word', { onDelete: { movie: false } }, "say 'leave', 'cascade' or 'refuse'"],
  ])('%s', (_, options, words) => {
    expect(() => role(options)).toThrow(
      expect.objectContaining({ code: 'call.given', message: expect.stringContaining(words) }),
    )
  })

  it('of what a validator is', () => {
    const check = ((text: string) => text.length > 3) as never
    expect(() => string().check(check)).toThrow(expect.objectContaining({ code: 'attribute.unknown' }))
  })
})
