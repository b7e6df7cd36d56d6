import { describe, expect, test } from 'vitest'
import {
  checkedEarly,
  checkedLate,
  enumConstraint,
  exemptingArns,
  isSatisfiedBy,
  keys,
  max,
  min,
  pattern,
  values,
} from '../../src/dynamodb/model/constraints.js'
import { javaMapOrder } from '../../src/dynamodb/model/java-map-order.js'
import { listConstraints } from '../../src/dynamodb/model/list.js'
import { MODEL, OPERATION_NAMES } from '../../src/dynamodb/model/operations.js'
import { MemberPath } from '../../src/dynamodb/model/path.js'

describe('the model', () => {
  test.each(OPERATION_NAMES)('the members of %s are ordered by names that exist, each once', operation => {
    const { order, members } = MODEL[operation]
    expect([...order].sort()).toEqual(Object.keys(members).sort())
  })

  test('the model lists each constraint once, under its own id', () => {
    const ids = listConstraints().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('TransactWriteItems TransactItems.[].Put.TableName pattern')
    expect(ids).toContain('BatchGetItem RequestItems.*.Keys max 100')
    expect(ids).toContain('BatchWriteItem RequestItems keys')
    expect(ids).toContain('PutItem Item.*.SS.[] type')
  })
})

describe('a constraint', () => {
  test('a constraint limits the length of strings, lists and maps, and the value of numbers', () => {
    for (const two of ['ab', ['a', 'b'], { a: 1, b: 2 }, 2, 2.9]) {
      expect(isSatisfiedBy(min(2), two)).toBe(true)
      expect(isSatisfiedBy(min(3), two)).toBe(false)
      expect(isSatisfiedBy(max(2), two)).toBe(true)
      expect(isSatisfiedBy(max(1), two)).toBe(false)
    }
    expect(isSatisfiedBy(min(1), Number.NaN)).toBe(false)
  })

  test('a pattern constraint applies to the whole text', () => {
    expect(isSatisfiedBy(pattern('[a-z]+'), 'abc')).toBe(true)
    expect(isSatisfiedBy(pattern('[a-z]+'), 'abc!')).toBe(false)
    expect(isSatisfiedBy(pattern('[a-z]+'), 'abc\n')).toBe(false)
  })

  test('a constraint on the keys or values of a map applies to each of them', () => {
    expect(isSatisfiedBy(keys(min(2)), { ab: 1, c: 1 })).toBe(false)
    expect(isSatisfiedBy(values(min(1)), { ab: [1], c: [] })).toBe(false)
    expect(isSatisfiedBy(values(min(1)), { ab: [1], c: [2] })).toBe(true)
  })

  test('a constraint can exempt ARNs', () => {
    const [rule] = exemptingArns(pattern('[a-z]+'))
    expect(isSatisfiedBy(rule!, 'arn:aws:x')).toBe(true)
    expect(isSatisfiedBy(rule!, 'arm:aws:x')).toBe(false)
  })

  test('a constraint keeps its limits when its stage is set', () => {
    expect(checkedEarly(min(3))).toEqual([{ kind: 'min', limit: 3, stage: 'early' }])
    expect(checkedLate(enumConstraint('A'))).toEqual([{ kind: 'enum', values: ['A'], stage: 'late' }])
  })
})

test('a path has the spelling of the request and a camel case spelling', () => {
  const path = MemberPath.root.member('RequestItems').entry('Table').element(0).member('SSEType')
  expect(path.camelCase).toBe('requestItems.Table.member.1.member.sSEType')
  expect(path.asSpelled).toBe('RequestItems.Table.member.1.member.SSEType')
})

test("the order of a Java map follows its buckets, whose number depends on the map's size", () => {
  expect(javaMapOrder(['bsol', 'byko', 'bvrn', 'btgp', 'pk'])).toEqual(['bsol', 'pk', 'btgp', 'byko', 'bvrn'])
  expect(javaMapOrder(['#bsol', '#byko', '#bvrn', '#btgp', '#pk'])).toEqual(['#bvrn', '#bsol', '#btgp', '#byko', '#pk'])
  expect(javaMapOrder([])).toEqual([])
})
