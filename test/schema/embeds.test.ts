import { expect, it } from 'vitest'
import { embedded } from '../../src/schema/attributes/embedded.js'
import { integer } from '../../src/schema/attributes/integer.js'
import { list } from '../../src/schema/attributes/list.js'
import { map } from '../../src/schema/attributes/map.js'
import { string } from '../../src/schema/attributes/string.js'
import { edge } from '../../src/schema/edge/edge.js'
import { node } from '../../src/schema/node.js'
import { codeOf } from './error-code.js'

// Untyped, because the types do not know stored names.
const loosely = edge as unknown as (name: string, ends: object, attributes: object, options: object) => unknown

it.each([
  ['another name', map({ city: string().stored('c') }), map({ city: string() }), 'edge.embed'],
  ['its own name', map({ city: string() }), map({ city: string().stored('c') }), 'edge.embed'],
  ['another name, in a list', list(map({ x: string().stored('c') })), list(map({ x: string() })), 'edge.embed'],
  ['another kind', map({ x: map({ y: string() }) }), map({ x: map({ y: integer() }) }), 'edge.embed'],
  ['no name', map({ x: string() }), map({ y: string().optional() }), 'edge.embed'],
  ['the same', map({ x: string().stored('c') }), map({ x: string().stored('c') }), undefined],
  ['more than is needed', map({ x: string().optional() }), map({ x: string(), y: string() }), undefined],
  ['less than may be', map({ x: string(), y: string().optional() }), map({ x: string() }), undefined],
])(
  'an embedded member that the edge stores under %s is rejected if the two stored forms differ',
  (_, member, q, code) => {
    const holder = node('a', { id: string(), list: embedded({ q: member.stored('r') }) }, { id: 'id' })
    const embed = { a: { into: 'list', max: 3 } }
    expect(codeOf(() => loosely('e', { a: holder, b: holder }, { q }, { embed }))).toBe(code)
  },
)
