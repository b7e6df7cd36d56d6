import type { DeclaredType } from '../../../../src/layout/slots.js'
import type { DeclaredAttribute, DeclaredNode } from '../../../../src/schema/declarations.js'
import { add, exclude, include, remove } from '../../../../src/schema/patch-operations.js'
import { isComputed } from '../reference/computed-values.js'
import { idOf, partsOfKey, type Row, textOf } from '../reference/identity.js'
import { Choice } from './random-choice.js'

/**
 * Small pools of values, so that they collide. They include separators, and texts whose UTF-16 order differs from
 * their UTF-8 order.
 */
const POOLS: Readonly<Record<string, readonly unknown[]>> = {
  id: ['a', 'b#', 'c'],
  no: [0, 12, -2],
  name: ['a', 'b#', '$', '\uff5e', '\u{1f600}', 'A'],
  size: [-2, 0, 12, 100],
  day: [new Date(0), new Date('2024-05-06T07:08:09.100Z')],
  mail: ['m', 'm#', 'n'],
  rank: [-9, 0, 50, 99],
  since: [new Date(0), new Date('2024-05-06T07:08:09.100Z')],
  // Zeros and values that cancel out, so that a sum does not show whether edges exist.
  weight: [-2, 0, 1, 2, 12],
  note: ['', 'x', 'b#'],
  made: [1, 2],
  kind: ['k', '#l'],
  lap: [1, 2],
}

/** Prefers a few ids, so that concurrent commands collide. */
export class Crowded extends Choice {
  override of<T>(choices: readonly T[]): T {
    const isId = (choices as unknown) === POOLS.id || (choices as unknown) === POOLS.no
    return isId && this.chance(0.7) ? choices[0]! : super.of(choices)
  }
}

/** Expected values of counters in conditions. */
const COUNTED = [-2, 0, 1, 2, 12]

const poolOf = (name: string): readonly unknown[] => POOLS[name] ?? COUNTED

const TAGS = ['x', 'y#', 'z']

function anyValue(name: string, attribute: DeclaredAttribute, choice: Choice): unknown {
  if (attribute.kind !== 'set') return choice.of(poolOf(name))
  return new Set([choice.of(TAGS), ...choice.some(TAGS, 0.3)])
}

export function elementOf(name: string, attribute: DeclaredAttribute, choice: Choice): unknown {
  return attribute.kind === 'set' ? choice.of(TAGS) : anyValue(name, attribute, choice)
}

/** All values of an attribute, or of the members of a set. */
export const allValues = (name: string, { kind }: DeclaredAttribute): readonly unknown[] =>
  kind === 'set' ? TAGS : poolOf(name)

export function anyId(node: DeclaredNode, choice: Choice): unknown {
  const parts = node.id.map(name => [name, anyValue(name, node.attributes[name]!, choice)] as const)
  const owner = node.within && { [node.within.name]: anyId(node.within, choice) }
  return idOf(node, { ...owner, ...Object.fromEntries(parts) })
}

/** All ids of a node type. */
export function allIds(node: DeclaredNode): unknown[] {
  const owners: Row[] = node.within ? allIds(node.within).map(id => ({ [node.within!.name]: id })) : [{}]
  const rows = node.id.reduce(
    (all, name) => all.flatMap(row => POOLS[name]!.map(value => ({ ...row, [name]: value }))),
    owners,
  )
  return rows.map(row => idOf(node, row))
}

/** The identity of a node or an edge. */
export function anyIdentity(type: DeclaredType, choice: Choice): Row {
  if (type.kind === 'node') return partsOfKey(type, anyId(type, choice))
  const ends = type.ends.map(({ name, node }) => [name, anyId(node, choice)] as const)
  const key = type.key.map(name => [name, anyValue(name, type.attributes[name]!, choice)] as const)
  return Object.fromEntries([...ends, ...key])
}

/** The immutable values of a node follow from its id, so that copies stay correct when the node is created again. */
function bornOf(type: DeclaredType, row: Row): Row {
  return type.kind === 'node' ? { ...row, born: textOf(partsOfKey(type, idOf(type, row))).length } : row
}

export function anyRow(type: DeclaredType, choice: Choice): Row {
  const identity = anyIdentity(type, choice)
  const rest = Object.entries(type.attributes).flatMap(([name, attribute]) => {
    if (attribute.derived || isComputed(attribute) || name in identity || name === 'born') return []
    return attribute.optional && choice.chance(0.4) ? [] : [[name, anyValue(name, attribute, choice)] as const]
  })
  return bornOf(type, { ...identity, ...Object.fromEntries(rest) })
}

export function anyPatch(type: DeclaredType, choice: Choice): Row {
  const key = type.kind === 'node' ? type.id : type.key
  const free = Object.entries(type.attributes).filter(
    ([name, attribute]) => !attribute.derived && !attribute.immutable && !isComputed(attribute) && !key.includes(name),
  )
  const changes = choice.some(free, 0.35).map(([name, attribute]) => [name, changeOf(name, attribute, choice)] as const)
  return Object.fromEntries(changes)
}

function changeOf(name: string, attribute: DeclaredAttribute, choice: Choice): unknown {
  const choices: (() => unknown)[] = [() => anyValue(name, attribute, choice), () => anyValue(name, attribute, choice)]
  if (attribute.optional) choices.push(() => remove())
  if (attribute.kind === 'integer') choices.push(() => add(choice.of([-2, -1, 1, 2])))
  if (attribute.kind === 'set')
    choices.push(
      () => include(choice.of(TAGS)),
      () => exclude(choice.of(TAGS)),
    )
  return choice.of(choices)()
}
