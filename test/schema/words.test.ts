import { describe, expect, it } from 'vitest'
import { counter, edge, graph, integer, layout, node, string } from '../../src/index.js'

const movie = node('movie', { name: string(), cast: counter() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = (options: object) => edge('role', { movie, actor }, {}, options as never)

describe('a word that there is not is refused, also where no compiler looks', () => {
  it.each([
    ['what becomes of edges', { onDelete: { movie: 'restrict' } }, "'onDelete' as one of leave, cascade, refuse"],
    ['what becomes of edges, which is no word', { onDelete: { movie: false } }, 'instead of false'],
    ['a way', { by: { actor: { as: 'miror' } } }, "'as' as one of adjacent, index, inverted, mirror"],
    ['who counts', { count: { movie: { into: 'cast', by: 'strem' } } }, "'by' as one of transaction, stream"],
    [
      'how a copy follows',
      { carry: { born: { from: 'actor.born', sync: 'soon' } } },
      "'sync' as one of mirror, eventual",
    ],
    [
      'what is left of a copy',
      { carry: { born: { from: 'actor.born', sync: 'eventual', deleted: 'drop' } } },
      "'deleted' as one of keep, remove",
    ],
  ])('%s', (_, options, words) => {
    expect(() => role(options)).toThrow(
      expect.objectContaining({ code: 'call.given', message: expect.stringContaining(words) }),
    )
  })

  it('of what a validator is', () => {
    const check = ((text: string) => text.length > 3) as never
    expect(() => string().check(check)).toThrow(expect.objectContaining({ code: 'attribute.unknown' }))
  })

  it.each([
    { raw: { seperator: '|' } },
    { table: { key: ['a', 'b'] } },
    { type: { atribute: 't' } },
    { indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'], projct: 'keys' } } },
  ])('of what a layout is told: %o', options => {
    const made = () => layout(graph('cinema', [movie, actor]), options as never)
    expect(made).toThrow(expect.objectContaining({ code: 'option.unknown' }))
  })
})
