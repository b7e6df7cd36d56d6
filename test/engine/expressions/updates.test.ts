import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import { read, toStored } from './read-expressions.js'

const n = (value: number | string) => ({ N: String(value) })
const l = (...elements: AttributeValue[]) => ({ L: elements })

const item = toStored({
  n: n(5),
  s: { S: 't' },
  l: l(n(1), n(2), n(3)),
  lm: l({ M: { x: n(1) } }, { M: { x: n(2) } }, n(7)),
  ls: l({ SS: ['a'] }, { S: 'y' }, { S: 'z' }),
  m: { M: { a: n(1), deep: { M: { b: n(2) } } } },
  ss: { SS: ['a', 'b'] },
  ns: { NS: ['1', '2'] },
  bs: { BS: [new Uint8Array([1]), new Uint8Array([2])] },
})

const update = (text: string, value?: AttributeValue) =>
  read('UpdateExpression', text, value && { ':v': value }).update!

/** Returns the attributes that an update changes. */
function changes(text: string, value?: AttributeValue): Item {
  const after = update(text, value).apply(item)
  const removed = Object.keys(item).filter(name => !Object.hasOwn(after, name))
  const changed = Object.entries(after).filter(([name, part]) => part !== item[name])
  return Object.fromEntries([...changed, ...removed.map(name => [name, undefined])])
}

describe('SET', () => {
  it.each<[string, Item, AttributeValue?]>([
    ['SET zz = :v', { zz: n('1.5') }, { N: '1.50' }],
    ['SET zz = n', { zz: n(5) }],
    ['SET n = n + :n', { n: n(6) }],
    ['SET n = :n - n', { n: n(-4) }],
    ['SET n = (n + n)', { n: n(10) }],
    ['SET n = ((n)+(m.deep.b))', { n: n(7) }],
    [
      'SET n = n + :v',
      { n: n('5.00000000000000000000000000000000001') },
      { N: '0.00000000000000000000000000000000001' },
    ],
    ['SET n = if_not_exists(n, :v)', {}, { N: '9' }],
    ['SET zz = if_not_exists(zz, :n) + :n', { zz: n(2) }],
    ['SET zz = if_not_exists(m.zz.y, s)', { zz: { S: 't' } }],
    ['SET zz = if_not_exists(a, if_not_exists(b, (:n)))', { zz: n(1) }],
    ['SET l = list_append(l, :l)', { l: l(n(1), n(2), n(3), n(1)) }],
    ['SET l = list_append(:l, l)', { l: l(n(1), n(1), n(2), n(3)) }],
    ['SET zz = list_append(if_not_exists(zz, :v), :l)', { zz: l(n(1)) }, { L: [] }],
    ['SET m.deep.b = :s', { m: { M: { a: n(1), deep: { M: { b: { S: 'x' } } } } } }],
    ['SET m.c = :n, m.a = :s', { m: { M: { a: { S: 'x' }, deep: { M: { b: n(2) } }, c: n(1) } } }],
    ['SET l[1] = :s', { l: l(n(1), { S: 'x' }, n(3)) }],
    ['SET l[9] = :s', { l: l(n(1), n(2), n(3), { S: 'x' }) }],
    ['SET l[11] = :s, l[10] = :n2', { l: l(n(1), n(2), n(3), n(0), { S: 'x' }) }],
    ['SET lm[1].x = :s', { lm: l({ M: { x: n(1) } }, { M: { x: { S: 'x' } } }, n(7)) }],
    ['SET n = s, s = n', { n: { S: 't' }, s: n(5) }],
    ['SET #dot = :n', { 'a.b': n(1) }],
  ])('%s has the expected result', (text, expected, value) => {
    expect(changes(text, value)).toEqual(expected)
  })
})

describe('REMOVE', () => {
  it.each<[string, Item]>([
    ['REMOVE n, zz', { n: undefined as never }],
    ['REMOVE m.deep.b', { m: { M: { a: n(1), deep: { M: {} } } } }],
    ['REMOVE l[0], l[1]', { l: l(n(3)) }],
    ['REMOVE l[1], l[0]', { l: l(n(3)) }],
    ['REMOVE lm[0], lm[1].x', { lm: l({ M: {} }, n(7)) }],
    ['REMOVE l[0], l[2], l[1]', { l: l() }],
  ])('%s has the expected result', (text, expected) => {
    expect(changes(text)).toEqual(expected)
  })

  it.each(['REMOVE m.zz', 'REMOVE l[9]', 'REMOVE zz'])('%s changes nothing', text => {
    expect(update(text).apply(item)).toEqual(item)
  })
})

describe('ADD', () => {
  it.each<[string, Item, AttributeValue?]>([
    ['ADD n :n', { n: n(6) }],
    ['ADD n :v', { n: n('-4.5') }, { N: '-9.5' }],
    ['ADD zz :n', { zz: n(1) }],
    ['ADD m.a :n, m.z :n', { m: { M: { a: n(2), deep: { M: { b: n(2) } }, z: n(1) } } }],
    ['ADD ss :v', { ss: { SS: ['a', 'b', 'c'] } }, { SS: ['b', 'c'] }],
    ['ADD ns :v', { ns: { NS: ['1', '2', '3'] } }, { NS: ['2.0', '3'] }],
    [
      'ADD bs :v',
      { bs: { BS: [1, 2, 3].map(byte => new Uint8Array([byte])) } },
      { BS: [new Uint8Array([2]), new Uint8Array([3])] },
    ],
    ['ADD l[7] :n', { l: l(n(1), n(2), n(3), n(1)) }],
  ])('%s has the expected result', (text, expected, value) => {
    expect(changes(text, value)).toEqual(expected)
  })
})

describe('DELETE', () => {
  it.each<[string, Item, AttributeValue?]>([
    ['DELETE ss :ss', { ss: { SS: ['b'] } }],
    ['DELETE ss :v', { ss: undefined as never }, { SS: ['b', 'a', 'q'] }],
    ['DELETE ns :v', { ns: { NS: ['1'] } }, { NS: ['2.0'] }],
    ['DELETE bs :v', { bs: { BS: [new Uint8Array([2])] } }, { BS: [new Uint8Array([1])] }],
    ['DELETE ls[0] :ss', { ls: l({ S: 'y' }, { S: 'z' }) }],
    ['DELETE ls[0] :ss REMOVE ls[1]', { ls: l({ S: 'z' }) }],
    ['DELETE ls[0] :ss SET ls[1] = :s', { ls: l({ S: 'x' }, { S: 'z' }) }],
  ])('%s has the expected result', (text, expected, value) => {
    expect(changes(text, value)).toEqual(expected)
  })

  it.each(['DELETE zz :ss', 'DELETE m.zz :ss', 'DELETE l[9] :ss'])('%s changes nothing', text => {
    expect(update(text).apply(item)).toEqual(item)
  })
})

describe('updates that read what they write', () => {
  it.each<[string, Item]>([
    ['SET n = :n, zz = n', { n: n(1), zz: n(5) }],
    ['REMOVE n SET zz = n', { n: undefined as never, zz: n(5) }],
    ['ADD n :n SET zz = n', { n: n(6), zz: n(5) }],
    ['REMOVE lm[0] ADD lm[1].x :n', { lm: l({ M: { x: n(3) } }, n(7)) }],
    ['SET l[5] = :s REMOVE l[0]', { l: l(n(2), n(3), { S: 'x' }) }],
    ['SET l[10] = :s REMOVE l[3]', { l: l(n(1), n(2), n(3), { S: 'x' }) }],
    ['SET l[10] = :s ADD l[3] :n', { l: l(n(1), n(2), n(3), n(1), { S: 'x' }) }],
    ['SET l[10] = :ss DELETE l[3] :ss', { l: l(n(1), n(2), n(3), { SS: ['a'] }) }],
  ])('all paths and values refer to the item before the update: %s', (text, expected) => {
    expect(changes(text)).toEqual(expected)
  })
})

describe('updates that do not fit the item', () => {
  const PATH = 'The document path provided in the update expression is invalid for update'
  const MISSING = 'The provided expression refers to an attribute that does not exist in the item'
  const TYPE = 'An operand in the update expression has an incorrect data type'

  it.each([
    ['SET zz.a = :n', PATH],
    ['SET m.zz.a = :n', PATH],
    ['SET zz[0] = :n', PATH],
    ['SET s.a = :n', PATH],
    ['SET l.a = :n', PATH],
    ['SET m[0] = :n', PATH],
    ['SET l[9].a = :n', PATH],
    ['SET l[0].a = :n', PATH],
    ['REMOVE zz.a', PATH],
    ['REMOVE l[9].a', PATH],
    ['ADD m.zz.a :n', PATH],
    ['DELETE zz.a :ss', PATH],
    ['SET zz = zy', MISSING],
    ['SET n = zz + :n', MISSING],
    ['SET l = list_append(l, zz)', MISSING],
    ['SET zz = l[9]', MISSING],
    ['SET zz = if_not_exists(zz, zy)', MISSING],
    ['SET n = s + :n', TYPE],
    ['SET n = n - s', TYPE],
    ['SET l = list_append(n, l)', TYPE],
    ['SET n = if_not_exists(s, :n) + :n', TYPE],
    ['ADD s :n', TYPE],
    ['ADD ss :ns', TYPE],
    ['ADD n :ss', TYPE],
    ['DELETE s :ss', TYPE],
    ['DELETE ss :ns', TYPE],
    ['ADD s :n SET m.zz.a = :n', TYPE],
  ])('%s is rejected', (text, message) => {
    expect(() => update(text).apply(item)).toThrow(message)
  })

  it('a result that exceeds the range of numbers is rejected', () => {
    expect(() => update('SET zz = :v + :v', { N: '9e125' }).apply(item)).toThrow('Number overflow')
    expect(() => update('ADD n :v', { N: '1e-40' }).apply(item)).toThrow('Number overflow')
  })

  it('a result with more than 32 levels is rejected', () => {
    const nested = (levels: number): AttributeValue => (levels === 0 ? n(1) : { L: [nested(levels - 1)] })
    const tooDeep = 'Nesting Levels have exceeded supported limits'
    expect(update('SET zz = :v', nested(31)).apply(item).zz).toEqual(nested(31))
    expect(update('SET m.deep.b = :v', nested(29)).apply(item)).toHaveProperty('m.M.deep.M.b', nested(29))
    expect(() => update('SET m.deep.b = :v', nested(30)).apply(item)).toThrow(tooDeep)
    expect(() => update('SET l[0] = :v', nested(31)).apply(item)).toThrow(tooDeep)
  })
})

describe('properties of bound updates', () => {
  it('an update projects the values at its written paths', () => {
    const updated = (text: string) => update(text).projectUpdated(item)
    expect(updated('SET n = :n, zz = :n')).toEqual({ n: n(5) })
    expect(updated('SET m.deep.b = :n REMOVE m.a')).toEqual({ m: { M: { a: n(1), deep: { M: { b: n(2) } } } } })
    expect(updated('ADD m.deep.b :n')).toEqual({ m: { M: { deep: { M: { b: n(2) } } } } })
    expect(updated('SET l[2] = :n, l[0] = :n')).toEqual({ l: l(n(1), n(3)) })
    expect(updated('REMOVE zz')).toEqual({})
  })

  it('an update lists the attributes that it writes, and those with nested paths', () => {
    const { names, nestedNames } = update('SET #a.b = c.d, n = s REMOVE l[0] ADD zz :n')
    expect([...names].sort()).toEqual(['a', 'l', 'n', 'zz'])
    expect([...nestedNames].sort()).toEqual(['a', 'c', 'l'])
  })

  it('an update writes an attribute named __proto__ as an own member', () => {
    const after = update('SET #proto = :n').apply(item)
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype)
    expect(Object.getOwnPropertyDescriptor(after, '__proto__')?.value).toEqual(n(1))
    expect(Object.hasOwn(update('REMOVE #proto').apply(toStored(after)), '__proto__')).toBe(false)
  })

  it('an updated item shares unchanged parts with the old one', () => {
    const after = update('SET lm[1].x = :n').apply(item)
    expect(after.m).toBe(item.m)
    expect(after.lm!.L![0]).toBe(item.lm!.L![0])
    expect(Object.isFrozen(after)).toBe(false)
  })
})
