import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { read, toStored } from './read-expressions.js'

const item = toStored({
  n: { N: '5' },
  s: { S: 't' },
  l: { L: [{ N: '1' }, { M: { x: { N: '1' } } }, { SS: ['a', 'b'] }] },
  m: { M: { a: { N: '1' }, deep: { M: { b: { N: '2' } } } } },
  ss: { SS: ['a', 'b'] },
})

const path = fc.constantFrom(
  ...['n', 's', 'l', 'l[0]', 'l[1]', 'l[1].x', 'l[2]', 'l[7]', 'l[9]', 'm', 'm.a', 'm.deep', 'm.deep.b', 'm.q', 'ss'],
  ...['zz', 'zz.a', '#a', '#proto'],
)
const value = fc.constantFrom(':s', ':n', ':l', ':m', ':ss')
const operand = fc.oneof(
  path,
  value,
  fc.tuple(path, value).map(([at, other]) => `if_not_exists(${at}, ${other})`),
)
const set = fc.oneof(
  operand,
  fc.tuple(operand, fc.constantFrom('+', '-'), operand).map(parts => parts.join(' ')),
  fc.tuple(operand, operand).map(([a, b]) => `list_append(${a}, ${b})`),
)
const section = (keyword: string, action: fc.Arbitrary<string>) =>
  fc.array(action, { minLength: 1, maxLength: 3 }).map(actions => `${keyword} ${actions.join(', ')}`)
const text = fc
  .shuffledSubarray(
    [
      section(
        'SET',
        fc.tuple(path, set).map(([at, to]) => `${at} = ${to}`),
      ),
      section('REMOVE', path),
      section(
        'ADD',
        fc.tuple(path, fc.constantFrom(':n', ':ss')).map(parts => parts.join(' ')),
      ),
      section(
        'DELETE',
        path.map(at => `${at} :ss`),
      ),
    ],
    { minLength: 1 },
  )
  .chain(sections => fc.tuple(...sections))
  .map(sections => sections.join(' '))

function isDeeplyFrozen(part: unknown): boolean {
  if (typeof part !== 'object' || part === null || part instanceof Uint8Array) return true
  return Object.isFrozen(part) && Object.values(part).every(isDeeplyFrozen)
}

/** Returns the updated item, or undefined if the update is rejected. */
function afterUpdate(expression: string) {
  try {
    return read('UpdateExpression', expression).update!.apply(item)
  } catch (error) {
    expect((error as Error).name).toBe('ValidationException')
    return undefined
  }
}

describe('properties of updates', () => {
  it('an update leaves its input unchanged and freezes the parts of its result', () => {
    const before = JSON.stringify(item)
    let applied = 0
    fc.assert(
      fc.property(text, expression => {
        const result = afterUpdate(expression)
        expect(JSON.stringify(item)).toBe(before)
        if (result === undefined) return
        applied++
        expect(Object.isFrozen(result)).toBe(false)
        expect(Object.values(result).every(isDeeplyFrozen)).toBe(true)
        expect(toStored(result)).toEqual(result)
      }),
      { numRuns: 4000 },
    )
    expect(applied).toBeGreaterThan(200)
  })

  it('the order of sections does not change the result of an update', () => {
    fc.assert(
      fc.property(text, expression => {
        const sections = expression.split(/ (?=SET|REMOVE|ADD|DELETE)/)
        const [one, other] = [afterUpdate(expression), afterUpdate(sections.toReversed().join(' '))]
        expect(one).toEqual(other)
      }),
      { numRuns: 2000 },
    )
  })

  it('a condition reads the value that SET wrote to the same path', () => {
    const nested = fc.constantFrom('n', 'm.a', 'm.q', 'm.deep.b', 'l[0]', 'l[1].x', 'zz', '#proto')
    const values = fc.oneof(
      fc.string().map((S): AttributeValue => ({ S })),
      fc.integer().map((N): AttributeValue => ({ N: String(N) })),
      fc.array(fc.string().map(S => ({ S }))).map((L): AttributeValue => ({ L })),
    )
    fc.assert(
      fc.property(nested, values, (at, given) => {
        const updated = read('UpdateExpression', `SET ${at} = :v`, { ':v': given }).update!.apply(item)
        expect(read('ConditionExpression', `${at} = :v`, { ':v': given }).condition!.test(updated)).toBe(true)
      }),
    )
  })
})
