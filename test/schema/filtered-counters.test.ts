import { describe, expect, it } from 'vitest'
import { counter } from '../../src/schema/attributes/counter.js'
import { date } from '../../src/schema/attributes/date.js'
import { integer } from '../../src/schema/attributes/integer.js'
import { json } from '../../src/schema/attributes/json.js'
import { string } from '../../src/schema/attributes/string.js'
import { edge } from '../../src/schema/edge/edge.js'
import { node } from '../../src/schema/node.js'
import { codeOf } from './error-code.js'

const a = node('a', { id: string(), n: counter() }, { id: 'id' })
const b = node('b', { id: string() }, { id: 'id' })
const ends = { a, b }
const q = { q: string(), j: json(), w: integer(), until: date() }
// Untyped, because the tests make mistakes that do not compile, as a JavaScript program can.
const loosely = edge as unknown as (name: string, ends: object, attributes: object, options: object) => unknown

describe('a filtered counter', () => {
  it('a filtered counter has the values in their stored form', () => {
    const where = { w: 3, until: [new Date(0)] }
    const { declared } = edge('e', ends, q, { count: { a: { into: 'n', by: 'stream', where } } })
    expect(declared.count).toEqual([
      { end: 'a', into: 'n', by: 'stream', where: { w: [{ N: '3' }], until: [{ S: '1970-01-01T00:00:00.000Z' }] } },
    ])
  })

  it('an edge is rejected if a counter filters by an invalid value', () => {
    const codeOfWhere = (where: object) => codeOf(() => loosely('e', ends, q, { count: { a: { into: 'n', where } } }))
    expect(codeOfWhere({ w: 3, q: ['x', 'y'], until: new Date(0) })).toBeUndefined()
    expect(codeOfWhere({ w: 'three' })).toBe('value.type')
    expect(codeOfWhere({ w: [3, 3.5] })).toBe('value.type')
    expect(codeOfWhere({ j: {} })).toBe('option.attribute')
    expect(codeOfWhere({ other: 1 })).toBe('option.attribute')
  })
})
