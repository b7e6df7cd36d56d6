import { rankedBy } from '../layout/derived.js'
import { type Kind, ownSlots, slotsOf } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { Reference } from '../layout/members.js'
import { once } from '../layout/once.js'
import { type Fold, foldOf, rowBoundNames } from '../layout/row-bindings.js'
import { type DeclaredType, identityOf } from '../layout/slots.js'
import { isTallyName, talliedSums, tallyName } from '../layout/tally.js'
import type {
  DeclaredAttribute,
  DeclaredCount,
  DeclaredEdge,
  DeclaredEmbed,
  DeclaredEnd,
  DeclaredNode,
  DeclaredSum,
} from '../schema/declared.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { kindOf } from './identity.js'
import { referencesOf } from './members.js'

/** What writing a type takes, worked out once for each layout. */
export interface Traits {
  readonly type: DeclaredType
  readonly own: Kind
  /** Its other items: mirrors, facets, sentinels. */
  readonly sides: readonly Kind[]
  /** The slots that tell one from all others of the type. */
  readonly identity: readonly string[]
  /** Slots of the identity that are not in the key: what the one edge of a node leads to. */
  readonly far: readonly string[]
  readonly immutable: readonly string[]
  /** Attributes whose encrypted values are bound to the row, and whether keys ignore the case of its identity. */
  readonly bound: readonly string[]
  readonly fold: Fold
  /** What a row may give; and its attributes, but for those that are derived. */
  readonly writable: ReadonlySet<string>
  readonly given: readonly (readonly [name: string, attribute: DeclaredAttribute])[]
  /** The stored names of the slots that an item can have, and all names that a put decides. */
  readonly stored: readonly (readonly [slot: string, name: string])[]
  readonly managed: readonly string[]
  /** Whether its items can expire. */
  readonly timed: string | undefined
  /** Whether its item has attributes that its writer does not give: a put must leave them. */
  readonly derived: boolean
  /** Of an edge that the stream keeps something of: its mirrors, and the slots in their keys that can change. */
  readonly mirrors: readonly Kind[]
  readonly moving: readonly string[]
  /** Slots whose change shows in other items, so that what was there before has to be known; those that nodes keep. */
  readonly watched: readonly string[]
  readonly keptSlots: readonly string[]
  /** Of an edge: the ends from which it carries, and those whose nodes keep something of it. */
  readonly sources: readonly DeclaredEnd[]
  readonly keepers: readonly DeclaredEnd[]
  /** Of an edge that is put: the ends whose nodes must be there. */
  readonly checked: readonly DeclaredEnd[]
  /** Of a node: the ends of edges that lead to it, and what it keeps of them by stored name. */
  readonly ends: readonly { readonly edge: DeclaredEdge; readonly end: DeclaredEnd }[]
  readonly kept: ReadonlyMap<string, KeptAttribute>
  /** The stored names of the tallies that a new node starts with. */
  readonly tallies: readonly string[]
  /** Of a node: the types of nodes that it owns and that go with it, or keep it. */
  readonly owned: readonly DeclaredNode[]
  /** Of a node that goes with its owner, or keeps it: the owner, which must be there when it is written. */
  readonly owner: Reference | undefined
  /** Whether a deletion can mark it as going before it is gone. */
  readonly canBeGoing: boolean
  /** The stored names of counters that it has from the beginning. */
  readonly ranked: readonly string[]
}

export const traitsOf = (layout: Layout, type: string): Traits => compiled(kindOf(layout, type), layout)

/** What a node keeps of its edges in an attribute, and whether that says if it has any: a sum does not. */
export interface KeptAttribute {
  readonly kind: 'count' | 'sum' | 'tally' | 'entries'
  /** The most entries of a map; 0 of a number. */
  readonly max: number
}

/** What only edges have. */
type OfEdge = Pick<DeclaredEdge, 'carry' | 'count' | 'sum' | 'embed'> & {
  readonly ends: readonly DeclaredEnd[]
}

const NONE: OfEdge = { ends: [], carry: [], count: [], sum: [], embed: [] }

const compiled = once((own: Kind, layout: Layout): Traits => {
  const { names, kinds } = layout
  const { type } = own
  const { attributes, expires } = type
  const edge = type.kind === 'edge' ? type : NONE
  const sides = kinds.filter(kind => kind.type === type && kind !== own)
  const identity = identityOf(type)
  const inKey = ownSlots(own, names)
  const far = identity.filter(slot => !inKey.includes(slot))
  const given = Object.entries(attributes).filter(([, { derived }]) => !derived)
  const writable = given.map(([name]) => name)
  const free = writable.filter(name => !identity.includes(name))
  const references = referencesOf(type).map(({ name }) => name)
  const carried = edge.carry.map(({ as }) => as)
  const keepers = edge.ends.filter(end => keptAt(edge, end)[0])
  const keptSlots = keepers.flatMap(end =>
    keptAt(edge, end).flatMap(({ into, where, of }) => [
      ...Object.keys({ ...end.node.attributes[into]!.members, ...where }),
      ...(of ? [of] : []),
    ]),
  )
  const mirrors = keptByStream(edge) ? sides.filter(({ role }) => role === 'mirror') : []
  const moving = mirrors.flatMap(mirror => ownSlots(mirror, names))
  const sideSlots = sides.flatMap(side => [
    ...slotsOf(side),
    ...(side.role === 'mirror' ? free : expires ? [expires] : []),
  ])
  return {
    type,
    own,
    sides,
    identity,
    far,
    immutable: free.filter(name => attributes[name]!.immutable),
    bound: rowBoundNames(type),
    fold: foldOf(layout).fold,
    writable: new Set([...writable.filter(name => !attributes[name]!.renewed?.value), ...references]),
    given,
    stored: [...identity, ...free, ...carried].map(slot => [slot, names.of(type, slot)]),
    managed: [
      ...[...free, ...carried].map(slot => names.of(type, slot)),
      ...Object.keys(own.needs),
      ...((expires ?? names.timed) ? [names.expires] : []),
    ],
    timed: expires ?? names.timed,
    derived:
      type.kind === 'edge'
        ? keptByStream(type)
        : type.unique.length > 0 || Object.values(attributes).some(({ derived }) => derived),
    mirrors,
    moving: moving.filter(slot => !inKey.includes(slot)),
    watched: [...sideSlots, ...keptSlots],
    keptSlots,
    // A part of the end's id is known already.
    sources: edge.ends.filter(({ name, node }) =>
      edge.carry.some(({ end, attribute }) => end === name && !identityOf(node).includes(attribute)),
    ),
    keepers,
    checked: edge.ends.filter(end => keepers.includes(end) || end.onDelete !== 'leave'),
    ...nodeTraits(layout, type),
  }
})

/** What edges leave in the nodes at an end, in their own transactions: a count, the sum of something, or entries. */
export function keptAt({ count, sum, embed }: Pick<DeclaredEdge, 'count' | 'sum' | 'embed'>, at: DeclaredEnd) {
  const all: readonly (Pick<DeclaredCount, 'end' | 'into'> & Partial<DeclaredSum & DeclaredEmbed>)[] = [
    ...count,
    ...sum,
    ...embed,
  ]
  return all.filter(({ end, by }) => end === at.name && by !== 'stream')
}

/** Whether the sum into this attribute of a node has a tally. */
export const isTallied = (edge: DeclaredEdge, into: string): boolean => talliedSums(edge).some(sum => sum.into === into)

/** The stored names under which a node at an end keeps something that says whether it has edges there. */
export function guardsAt({ names }: Layout, edge: DeclaredEdge, end: DeclaredEnd): string[] {
  return keptAt(edge, end).flatMap(({ into, of }) => {
    const name = names.of(end.node, into)
    return isTallied(edge, into) ? [tallyName(name)] : of ? [] : [name]
  })
}

/** Whether an owned node goes with its owner, or keeps it. */
const isTied = ({ within, onDelete }: DeclaredNode): boolean => !!within && !!onDelete && onDelete !== 'leave'

function nodeTraits(
  { graph, names }: Layout,
  type: DeclaredType,
): Pick<Traits, 'ends' | 'kept' | 'tallies' | 'owned' | 'owner' | 'canBeGoing' | 'ranked'> {
  const ends = graph.declared.edges.flatMap(edge =>
    edge.ends.filter(({ node }) => node === type).map(end => ({ edge, end })),
  )
  const kept = new Map<string, KeptAttribute>()
  for (const { edge, end } of ends)
    for (const { into, max = 0, of } of keptAt(edge, end)) {
      const name = names.of(type, into)
      kept.set(name, { kind: max ? 'entries' : of ? 'sum' : 'count', max })
      if (isTallied(edge, into)) kept.set(tallyName(name), { kind: 'tally', max: 0 })
    }
  const tallies = [...kept.keys()].filter(isTallyName)
  const ranked = type.kind === 'node' ? rankedBy(type).map(name => names.of(type, name)) : []
  const owned = graph.declared.nodes.filter(node => node.within === type && isTied(node))
  const owner = type.kind === 'node' && isTied(type) ? referencesOf(type)[0] : undefined
  return { ends, kept, tallies, owned, owner, canBeGoing: ends.length + owned.length > 0, ranked }
}
