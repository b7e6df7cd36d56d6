import type { Access } from '../access.js'
import { givenLayout } from '../given-layout.js'
import type { Kind } from '../kinds.js'
import type { Layout } from '../layout.js'
import { referenceSlots } from '../slots.js'
import type { Template } from '../template.js'
import { type Finding, type KeyQuery, type KeySpace, prove } from './prove.js'

/** Whether the keys of a layout can be told apart in its table and in every index, and no read sees what is not its own. */
export function proveLayout(layout: Layout): Finding[] {
  return prove(spacesOf(givenLayout(layout)))
}

/** Throws the first finding, if there is one. */
export function assertLayout(layout: Layout): void {
  const [finding] = proveLayout(layout)
  if (finding) throw finding
}

function spacesOf(layout: Layout): KeySpace[] {
  const { keys, indexes } = layout.design
  return [
    spaceOf(layout, undefined, keys.partition, keys.sort),
    // The keys of a native index are attributes, which no template makes.
    ...indexes.map(({ name, partition, sort }) => spaceOf(layout, name, partition[0]!, sort[0])),
  ]
}

function spaceOf(
  { kinds: all, accesses, names }: Layout,
  index: string | undefined,
  partition: string,
  sort: string | undefined,
): KeySpace {
  // An inverted index takes in every item, as its reads know.
  const isInverted = partition === names.sort && (sort ?? names.partition) === names.partition
  const second = sort ?? partition
  const kinds = all
    .filter(kind => !isInverted && kind.keys[partition] && kind.keys[second] && !isOtherHalf(kind, all))
    .map(kind => ({ kind: kind.name, partition: kind.keys[partition]!, sort: kind.keys[second]! }))
  return {
    name: index === undefined ? 'the table' : `the index ${index}`,
    unique: index === undefined,
    kinds,
    queries: accesses.filter(access => access.index === index).flatMap(access => queryOf(access, all, accesses)),
  }
}

/**
 * Both items of an undirected edge have the same keys, and never meet: one begins with the lesser of its ends. Where they
 * are given keys that differ, the mirror is as any other kind.
 */
function isOtherHalf({ role, type, keys }: Kind, all: readonly Kind[]): boolean {
  if (role !== 'mirror' || type.kind !== 'edge' || !type.undirected) return false
  const own = all.find(({ name }) => name === type.name)!
  const [one, other] = type.ends.map(referenceSlots) as [string[], string[]]
  const turned = (slot: string) => other[one.indexOf(slot)] ?? one[other.indexOf(slot)] ?? slot
  const shape = ({ literals, slots }: Template, nameOf = (slot: string) => slot) =>
    JSON.stringify([literals, slots.map(({ name }) => nameOf(name))])
  return Object.entries(keys).every(([attribute, key]) => {
    const same = own.keys[attribute]
    return same !== undefined && shape(same) === shape(key, turned)
  })
}

function queryOf(access: Access, all: readonly Kind[], accesses: readonly Access[]): KeyQuery[] {
  const { type, name, kind, index, partition, sort, parts } = access
  if (!partition || !sort) return []
  // What is found from both ends is read together, unless it lies apart: then each read leaves the other's half out.
  const isApart =
    type.kind === 'edge' && type.undirected && accesses.some(each => each.type === type && each.index !== index)
  const kinds = isOtherHalf(kind, all) ? [type.name] : isApart ? [type.name, kind.name] : [kind.name]
  return [{ by: `${type.name}.by.${name}`, kinds, partition, sort, given: leading(sort, parts) }]
}

/** Whoever reads is a tenant: an inverted index has it before the sort key as well. */
function leading({ slots }: Template, parts: readonly string[]): number {
  const first = slots.findIndex(({ name }) => parts.includes(name))
  return first < 0 ? slots.length : first
}
