import type { Access } from '../access/access.js'
import type { KeyTemplate } from '../keys/template.js'
import type { Kind } from '../kinds.js'
import type { Layout } from '../layout.js'
import { requireLayout } from '../require-layout.js'
import { referenceSlots } from '../slots.js'
import { type KeyQuery, type KeySpace, type ProofFinding, proveKeySpaces } from './prove.js'

/** Whether the keys of a layout can be told apart in its table and in every index, and no read sees what is not its own. */
export function proveLayout(layout: Layout): ProofFinding[] {
  return proveKeySpaces(keySpacesOf(requireLayout(layout)))
}

/** Throws the first finding, if there is one. */
export function assertLayout(layout: Layout): void {
  const [finding] = proveLayout(layout)
  if (finding) throw finding
}

function keySpacesOf(layout: Layout): KeySpace[] {
  const { keys, indexes } = layout.design
  return [
    keySpaceOf(layout, undefined, keys.partition, keys.sort),
    // The keys of a native index are attributes, which no template makes.
    ...indexes.map(({ name, partition, sort }) => keySpaceOf(layout, name, partition[0]!, sort[0])),
  ]
}

function keySpaceOf(
  { kinds: allKinds, accesses, names }: Layout,
  index: string | undefined,
  partition: string,
  sort: string | undefined,
): KeySpace {
  // An inverted index takes in every item, as its reads know.
  const isInverted = partition === names.sort && (sort ?? names.partition) === names.partition
  const second = sort ?? partition
  const kinds = allKinds
    .filter(kind => !isInverted && kind.keys[partition] && kind.keys[second] && !isMirrorHalf(kind, allKinds))
    .map(kind => ({ kind: kind.name, partition: kind.keys[partition]!, sort: kind.keys[second]! }))
  return {
    name: index === undefined ? 'the table' : `the index ${index}`,
    unique: index === undefined,
    kinds,
    queries: accesses
      .filter(access => access.index === index)
      .flatMap(access => keyQueriesOf(access, allKinds, accesses)),
  }
}

/**
 * Both items of an undirected edge have the same keys, and never meet: one begins with the lesser of its ends. Where they
 * are given keys that differ, the mirror is as any other kind.
 */
function isMirrorHalf({ role, type, keys }: Kind, all: readonly Kind[]): boolean {
  if (role !== 'mirror' || type.kind !== 'edge' || !type.undirected) return false
  const edgeKind = all.find(({ name }) => name === type.name)!
  const [one, other] = type.ends.map(referenceSlots) as [string[], string[]]
  const swapEnd = (slot: string) => other[one.indexOf(slot)] ?? one[other.indexOf(slot)] ?? slot
  const shape = ({ literals, slots }: KeyTemplate, nameOf = (slot: string) => slot) =>
    JSON.stringify([literals, slots.map(({ name }) => nameOf(name))])
  return Object.entries(keys).every(([attribute, key]) => {
    const ownTemplate = edgeKind.keys[attribute]
    return ownTemplate !== undefined && shape(ownTemplate) === shape(key, swapEnd)
  })
}

function keyQueriesOf(access: Access, all: readonly Kind[], accesses: readonly Access[]): KeyQuery[] {
  const { type, name, kind, index, partition, sort, sortSlots } = access
  if (!partition || !sort) return []
  // What is found from both ends is read together, unless it lies apart: then each read leaves the other's half out.
  const isApart =
    type.kind === 'edge' && type.undirected && accesses.some(each => each.type === type && each.index !== index)
  const kinds = isMirrorHalf(kind, all) ? [type.name] : isApart ? [type.name, kind.name] : [kind.name]
  return [{ path: `${type.name}.by.${name}`, kinds, partition, sort, slotCount: countLeadingSlots(sort, sortSlots) }]
}

/** Whoever reads is a tenant: an inverted index has it before the sort key as well. */
function countLeadingSlots({ slots }: KeyTemplate, parts: readonly string[]): number {
  const first = slots.findIndex(({ name }) => parts.includes(name))
  return first < 0 ? slots.length : first
}
