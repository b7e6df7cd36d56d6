import { describe, expect, it } from 'vitest'
import { binary } from '../../src/schema/attributes/binary.js'
import { counter } from '../../src/schema/attributes/counter.js'
import { date } from '../../src/schema/attributes/date.js'
import { integer } from '../../src/schema/attributes/integer.js'
import { json } from '../../src/schema/attributes/json.js'
import { set } from '../../src/schema/attributes/set.js'
import { string } from '../../src/schema/attributes/string.js'
import { node } from '../../src/schema/node.js'
import { codeOf } from './error-code.js'
import { shortText } from './validator.js'

const owner = node('owner', { id: string() }, { id: 'id' })
// Untyped, because the tests make mistakes that do not compile, as a JavaScript program can.
const loosely = node as unknown as (name: string, attributes: object, options: object) => typeof owner

describe('a node', () => {
  it('a node declaration is normalized', () => {
    const { declared } = node(
      'shop',
      { id: string(), country: string(), zip: integer(), until: date(), mail: string() },
      {
        id: ['country', 'id'],
        within: owner,
        by: { place: { in: ['country'], order: ['zip'], shards: 4 } },
        expires: 'until',
      },
    )
    expect(declared).toMatchObject({ kind: 'node', name: 'shop', id: ['country', 'id'], unique: [], expires: 'until' })
    expect(declared.within).toBe(owner.declared)
    expect(declared.paths).toEqual([{ name: 'place', in: ['country'], order: ['zip'], as: undefined, shards: 4 }])
    expect(owner.declared).toMatchObject({ id: ['id'], within: undefined, paths: [], expires: undefined })
  })

  it('a node has paths by its owner and by attributes', () => {
    const { declared } = node(
      'order',
      { no: string(), status: string() },
      {
        id: 'no',
        within: owner,
        by: { status: { in: ['owner', 'status'], order: ['no'] }, all: { order: ['owner'] } },
      },
    )
    expect(declared.paths).toMatchObject([
      { in: ['owner', 'status'], order: ['no'] },
      { in: [], order: ['owner'] },
    ])
  })

  it('a node has a path by the members of a set, served by items', () => {
    const { declared } = node(
      'p',
      { id: string(), skills: set(string()) },
      { id: 'id', by: { skill: { in: ['skills'], as: 'item' } } },
    )
    expect(declared.paths[0]).toMatchObject({ in: ['skills'], order: [], as: 'item', shards: 1 })
  })
})

const id = { id: string() }

describe('invalid node declarations', () => {
  it.each([
    ['without a name', 'name.invalid', '', id, { id: 'id' }],
    ['with a dot in its name', 'name.invalid', 'a.b', id, { id: 'id' }],
    ['with the separator of keys in its name', 'name.invalid', 'a#b', id, { id: 'id' }],
    ['named like what belongs to edgewise', 'name.reserved', '$transact', id, { id: 'id' }],
    ["named 'then', which would make its graph a promise", 'name.reserved', 'then', id, { id: 'id' }],
    ['with an attribute named like a verb', 'name.reserved', 'a', { id: string(), by: string() }, { id: 'id' }],
    [
      'with an attribute named like what objects have',
      'name.reserved',
      'a',
      { ...id, valueOf: string() },
      { id: 'id' },
    ],
    ['named like what objects have', 'name.reserved', 'toString', id, { id: 'id' }],
    ['with a dot in the name of an attribute', 'name.invalid', 'a', { id: string(), 'b.c': string() }, { id: 'id' }],
    [
      'with two attributes stored as one',
      'name.duplicate',
      'a',
      { id: string(), b: string().stored('id') },
      { id: 'id' },
    ],
    ['with a string in place of an attribute', 'attribute.unknown', 'a', { id: 'string' }, { id: 'id' }],
    ['without an id', 'node.id', 'a', id, {}],
    ['without options', 'node.id', 'a', id, undefined as never],
    ['with an empty list as its id', 'node.id', 'a', id, { id: [] }],
    ['with an unknown id', 'option.attribute', 'a', id, { id: 'no' }],
    ['with a part of its id twice', 'name.duplicate', 'a', id, { id: ['id', 'id'] }],
    ['with an optional id', 'option.attribute', 'a', { id: string().optional() }, { id: 'id' }],
    ['with a counter as its id', 'option.attribute', 'a', { id: counter() }, { id: 'id' }],
    ['with a set as its id', 'option.attribute', 'a', { id: set(string()) }, { id: 'id' }],
    ['with bytes as its id', 'option.attribute', 'a', { id: binary() }, { id: 'id' }],
    ['with a validator as its id', 'option.attribute', 'a', { id: shortText }, { id: 'id' }],
    ['with an unknown unique attribute', 'option.attribute', 'a', id, { id: 'id', unique: ['mail'] }],
    ['with its id declared unique', 'option.attribute', 'a', id, { id: 'id', unique: ['id'] }],
    ['with unique JSON', 'option.attribute', 'a', { ...id, j: json() }, { id: 'id', unique: ['j'] }],
    ['with a path by an unknown attribute', 'option.attribute', 'a', id, { id: 'id', by: { p: { order: ['no'] } } }],
    ['with a path by JSON', 'option.attribute', 'a', { ...id, j: json() }, { id: 'id', by: { p: { order: ['j'] } } }],
    [
      'with a path by a set that is not served by items',
      'option.attribute',
      'a',
      { ...id, s: set(string()) },
      { id: 'id', by: { p: { in: ['s'] } } },
    ],
    ['with a path without parts', 'path.parts', 'a', id, { id: 'id', by: { p: {} } }],
    ['with a part of a path twice', 'path.parts', 'a', id, { id: 'id', by: { p: { in: ['id'], order: ['id'] } } }],
    ['with a fraction of a shard', 'path.shards', 'a', id, { id: 'id', by: { p: { order: ['id'], shards: 0.5 } } }],
    ['with a local path and no owner', 'path.way', 'a', id, { id: 'id', by: { p: { order: ['id'], as: 'local' } } }],
    [
      'with a local path that has a partition attribute',
      'path.way',
      'a',
      { ...id, s: string() },
      { id: 'id', within: owner, by: { p: { in: ['s'], order: ['id'], as: 'local' } } },
    ],
    [
      'with a local path that lists its owner in its partition',
      'path.way',
      'a',
      id,
      { id: 'id', within: owner, by: { p: { in: ['owner'], order: ['id'], as: 'local' } } },
    ],
    [
      'with a local path sorted by its owner',
      'path.way',
      'a',
      id,
      { id: 'id', within: owner, by: { p: { order: ['owner', 'id'], as: 'local' } } },
    ],
    [
      'with a path by an owner but without an owner',
      'option.attribute',
      'a',
      id,
      { id: 'id', by: { p: { in: ['owner'] } } },
    ],
    [
      'with its owner twice in a path',
      'path.parts',
      'a',
      id,
      { id: 'id', within: owner, by: { p: { in: ['owner'], order: ['owner'] } } },
    ],
    [
      'with a path by a set and its owner',
      'option.attribute',
      'a',
      { ...id, s: set(string()) },
      { id: 'id', within: owner, by: { p: { in: ['owner', 's'], as: 'item' } } },
    ],
    ['with a dot in the name of a path', 'name.invalid', 'a', id, { id: 'id', by: { 'p.q': { order: ['id'] } } }],
    [
      'with a path named like a unique attribute',
      'node.shadow',
      'a',
      { ...id, m: string() },
      { id: 'id', unique: ['m'], by: { m: { order: ['id'] } } },
    ],
    [
      'with a path named like its owner',
      'node.shadow',
      'a',
      id,
      { id: 'id', within: owner, by: { owner: { order: ['id'] } } },
    ],
    [
      'with an attribute named like its owner',
      'node.shadow',
      'a',
      { ...id, owner: string() },
      { id: 'id', within: owner },
    ],
    ['with an unknown option', 'option.unknown', 'a', id, { id: 'id', wihtin: owner }],
    ['with an unknown option of a path', 'option.unknown', 'a', id, { id: 'id', by: { p: { order: ['id'], sa: 1 } } }],
    ['that expires by an unknown attribute', 'option.attribute', 'a', id, { id: 'id', expires: 'until' }],
    ['that expires by a text', 'option.attribute', 'a', id, { id: 'id', expires: 'id' }],
    [
      'that expires and has unique attributes',
      'option.expires',
      'a',
      { ...id, u: date(), m: string() },
      { id: 'id', expires: 'u', unique: ['m'] },
    ],
  ])('a node is rejected %s', (_, code, name, attributes, options) => {
    expect(codeOf(() => loosely(name, attributes, options))).toBe(code)
  })

  it('the error for an unknown option of a node lists the valid options', () => {
    const words = "a: there is no option 'wihtin'; use only id, within, onDelete, unique, by, expires."
    expect(() => loosely('a', id, { id: 'id', wihtin: owner })).toThrow(words)
    const path = "a.by.p: there is no option 'sa'; use only in, order, as, shards."
    expect(() => loosely('a', id, { id: 'id', by: { p: { order: ['id'], sa: 1 } } })).toThrow(path)
  })

  it('the error for a path without parts asks for one', () => {
    expect(() => loosely('a', id, { id: 'id', by: { p: {} } })).toThrow(
      /: its parts are missing or duplicate; give each part once in 'in' or 'order'\.$/,
    )
  })
})
