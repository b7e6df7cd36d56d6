import type { Access } from '../access/access.js'
import type { KeyTemplate } from '../keys/template.js'
import type { Kind } from '../kinds.js'
import type { Layout } from '../layout.js'
import { requireLayout } from '../require-layout.js'
import { referenceSlots } from '../slots.js'
import { type KeyQuery, type KeySpace, type ProofFinding, proveKeySpaces } from './prove.js'

/**
 * Proves that the keys of a layout are distinguishable in its table and in every index, and that no read returns items
 * of another kind.
 *
 * @returns one error for each violation, with an example; an empty array if there is none
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { proveLayout } from 'edgewise/layout'
 *
 * const social = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * for (const { message } of proveLayout(social)) console.log(message)
 * ```
 */
export function proveLayout(layout: Layout): ProofFinding[] {
  return proveKeySpaces(keySpacesOf(requireLayout(layout)))
}

/**
 * Throws the first violation that `proveLayout` finds.
 *
 * @throws {key.ambiguous} if a key can be read in two ways
 * @throws {key.collision} if two kinds of items can have the same key
 * @throws {key.mixed} if a read can return items of another kind
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { assertLayout } from 'edgewise/layout'
 *
 * assertLayout(layout(graph('social', [node('user', { name: string() }, { id: 'name' })])))
 * ```
 */
export function assertLayout(layout: Layout): void {
  const [finding] = proveLayout(layout)
  if (finding) throw finding
}

function keySpacesOf(layout: Layout): KeySpace[] {
  const { keys, indexes } = layout.design
  return [
    keySpaceOf(layout, undefined, keys.partition, keys.sort),
    // Native indexes have no templates, because their keys are attributes.
    ...indexes.map(({ name, partition, sort }) => keySpaceOf(layout, name, partition[0]!, sort[0])),
  ]
}

function keySpaceOf(
  { kinds: allKinds, accesses, names }: Layout,
  index: string | undefined,
  partition: string,
  sort: string | undefined,
): KeySpace {
  // An inverted index contains every item, and its reads filter for their kind.
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
 * Whether a mirror has the same key templates as its undirected edge. The two items never collide, because one of them
 * begins with the lesser end. A mirror with different custom keys is treated like any other kind.
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
  // One read returns both halves of an undirected edge if they share an index; otherwise each read omits the other
  // half.
  const isApart =
    type.kind === 'edge' && type.undirected && accesses.some(other => other.type === type && other.index !== index)
  const kinds = isMirrorHalf(kind, all) ? [type.name] : isApart ? [type.name, kind.name] : [kind.name]
  return [{ path: `${type.name}.by.${name}`, kinds, partition, sort, slotCount: countLeadingSlots(sort, sortSlots) }]
}

/**
 * The number of sort key slots that every read gives: those before the first slot of the order. On an inverted index
 * this includes the tenant.
 */
function countLeadingSlots({ slots }: KeyTemplate, parts: readonly string[]): number {
  const first = slots.findIndex(({ name }) => parts.includes(name))
  return first < 0 ? slots.length : first
}
