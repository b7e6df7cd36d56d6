import { describe, expect, test } from 'vitest'
import { enumConstraint, keys, max, min, pattern, values } from '../../src/dynamodb/model/constraints.js'
import {
  attributeMapShape,
  booleanShape,
  listShape,
  type ModelShape,
  mapShape,
  requiredShape,
  structureShape,
  textShape,
} from '../../src/dynamodb/model/shapes.js'
import type { ServiceModel, ServiceShape } from '../../tools/model/service-model.js'
import { differences } from './differences.js'

const attributeValue: ServiceShape = {
  type: 'structure',
  members: Object.fromEntries(
    ['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL'].map(name => [name, { shape: 'Text' }]),
  ),
}

/** A service with one operation, `Do`, whose input has one member, `Member`. */
function service(member: ServiceShape, more: Record<string, ServiceShape> = {}): ServiceModel {
  return {
    operations: { Do: { input: { shape: 'DoInput' } } },
    shapes: {
      DoInput: { type: 'structure', members: { Member: { shape: 'Member' } } },
      Member: member,
      Text: { type: 'string' },
      AttributeValue: attributeValue,
      ...more,
    },
  }
}

const compare = (member: ServiceShape, ours: ModelShape, more?: Record<string, ServiceShape>) =>
  differences(service(member, more), 'Do', structureShape('DoInput', { Member: ours }))

describe('differences between the model and the description of a service', () => {
  test('equal descriptions have no differences', () => {
    expect(
      compare({ type: 'string', min: 1, max: 3, pattern: 'a+' }, textShape(pattern('a+'), max(3), min(1))),
    ).toEqual([])
    expect(compare({ type: 'string', enum: ['B', 'A'] }, textShape(enumConstraint('A', 'B')))).toEqual([])
    expect(
      compare({ type: 'map', key: { shape: 'Text' }, value: { shape: 'AttributeValue' } }, attributeMapShape),
    ).toEqual([])
  })

  test('a constraint that only one description has is a difference', () => {
    expect(compare({ type: 'string', min: 1, enum: ['A'] }, textShape(min(2)))).toEqual([
      'Do Member: only ours has min 2',
      'Do Member: only theirs has min 1',
      'Do Member: only theirs has enum A',
    ])
    expect(compare({ type: 'boolean' }, requiredShape(booleanShape))).toEqual(['Do Member: only ours has required'])
  })

  test('a member that only one description has is a difference', () => {
    const inner = structureShape('Inner', { A: textShape() })
    expect(compare({ type: 'structure', members: { B: { shape: 'Text' } } }, inner)).toEqual([
      'Do Member members: only ours has A',
      'Do Member members: only theirs has B',
    ])
  })

  test('a different type is a difference', () => {
    expect(compare({ type: 'integer' }, textShape())).toEqual(['Do Member: ours is text, theirs integer'])
  })

  test('differences are found in lists, and in the keys and values of maps', () => {
    const lists = { type: 'list', member: { shape: 'Short' } }
    const more = { Short: { type: 'string', max: 1 }, Lists: { ...lists, max: 2 } }
    expect(compare(lists, listShape(textShape(max(2))), more)).toEqual([
      'Do Member.[]: only ours has max 2',
      'Do Member.[]: only theirs has max 1',
    ])
    const maps = { type: 'map', key: { shape: 'Short' }, value: { shape: 'Lists' } }
    expect(compare(maps, mapShape(listShape(textShape(max(1))), keys(max(1)), values(max(2))), more)).toEqual([])
    expect(compare(maps, mapShape(listShape(textShape(max(1)))), more)).toEqual([
      'Do Member keys: only theirs has max 1',
      'Do Member.*: only theirs has max 2',
    ])
  })

  test('an operation without a description is a difference', () => {
    expect(differences(service({ type: 'string' }), 'Undo', textShape())).toEqual([
      "Undo: not in the service's description",
    ])
  })
})
