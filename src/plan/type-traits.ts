import { rankingCountersOf } from '../layout/items/derived-values.js'
import { type CaseFolding, caseFoldingOf, rowBoundAttributes } from '../layout/items/row-bindings.js'
import { isTallyName, talliedSumsOf, tallyName } from '../layout/items/tally.js'
import { type Kind, keySlotsOf, tableKeySlots } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { memoize } from '../layout/memoize.js'
import type { Reference } from '../layout/row-members.js'
import { type DeclaredType, identitySlotsOf } from '../layout/slots.js'
import type {
  DeclaredAttribute,
  DeclaredCount,
  DeclaredEdge,
  DeclaredEmbed,
  DeclaredEnd,
  DeclaredNode,
  DeclaredSum,
} from '../schema/declarations.js'
import { hasStreamDerivedData } from '../schema/edge/stream-derived-data.js'
import { ownKindByName } from './identity.js'
import { referencesOf } from './members.js'

/** What writing a type takes, worked out once for each layout. */
export interface TypeTraits {
  readonly type: DeclaredType
  readonly ownKind: Kind
  /** Its other items: mirrors, facets, sentinels. */
  readonly sideKinds: readonly Kind[]
  /** The slots that tell one from all others of the type. */
  readonly identitySlots: readonly string[]
  /** Slots of the identity that are not in the key: what the one edge of a node leads to. */
  readonly replaceableEnds: readonly string[]
  readonly immutableSlots: readonly string[]
  /** Attributes whose encrypted values are bound to the row, and whether keys ignore the case of its identity. */
  readonly rowBoundSlots: readonly string[]
  readonly fold: CaseFolding
  /** What a row may give; and its attributes, but for those that are derived. */
  readonly writableNames: ReadonlySet<string>
  readonly inputAttributes: readonly (readonly [name: string, attribute: DeclaredAttribute])[]
  /** The stored names of the slots that an item can have, and all names that a put decides. */
  readonly storedNames: readonly (readonly [slot: string, name: string])[]
  readonly managedNames: readonly string[]
  /** Whether its items can expire. */
  readonly expiryName: string | undefined
  /** Whether its item has attributes that its writer does not give: a put must leave them. */
  readonly hasDerived: boolean
  /** Of an edge that the stream keeps something of: its mirrors, and the slots in their keys that can change. */
  readonly countedMirrors: readonly Kind[]
  readonly changeableMirrorSlots: readonly string[]
  /** Slots whose change shows in other items, so that what was there before has to be known; those that nodes keep. */
  readonly watchedSlots: readonly string[]
  readonly aggregateInputs: readonly string[]
  /** Of an edge: the ends from which it carries, and those whose nodes keep something of it. */
  readonly carrySources: readonly DeclaredEnd[]
  readonly aggregateOwners: readonly DeclaredEnd[]
  /** Of an edge that is put: the ends whose nodes must be there. */
  readonly requiredEnds: readonly DeclaredEnd[]
  /** Of a node: the ends of edges that lead to it, and what it keeps of them by stored name. */
  readonly incomingEnds: readonly { readonly edge: DeclaredEdge; readonly end: DeclaredEnd }[]
  readonly aggregates: ReadonlyMap<string, AggregateAttribute>
  /** The stored names of the tallies that a new node starts with. */
  readonly tallyNames: readonly string[]
  /** Of a node: the types of nodes that it owns and that go with it, or keep it. */
  readonly ownedTypes: readonly DeclaredNode[]
  /** Of a node that goes with its owner, or keeps it: the owner, which must be there when it is written. */
  readonly owner: Reference | undefined
  /** Whether a deletion can mark it as going before it is gone. */
  readonly canBeDeleting: boolean
  /** The stored names of counters that it has from the beginning. */
  readonly rankedCounters: readonly string[]
}

export const traitsOf = (layout: Layout, type: string): TypeTraits => compileTraits(ownKindByName(layout, type), layout)

/** What a node keeps of its edges in an attribute, and whether that says if it has any: a sum does not. */
export interface AggregateAttribute {
  readonly kind: 'count' | 'sum' | 'tally' | 'entries'
  /** The most entries of a map; 0 of a number. */
  readonly max: number
}

/** What only edges have. */
type EdgeParts = Pick<DeclaredEdge, 'carry' | 'count' | 'sum' | 'embed'> & {
  readonly ends: readonly DeclaredEnd[]
}

const NO_EDGE_PARTS: EdgeParts = { ends: [], carry: [], count: [], sum: [], embed: [] }

const compileTraits = memoize((ownKind: Kind, layout: Layout): TypeTraits => {
  const { names, kinds } = layout
  const { type } = ownKind
  const { attributes, expires } = type
  const edge = type.kind === 'edge' ? type : NO_EDGE_PARTS
  const sideKinds = kinds.filter(kind => kind.type === type && kind !== ownKind)
  const identitySlots = identitySlotsOf(type)
  const inKey = tableKeySlots(ownKind, names)
  const replaceableEnds = identitySlots.filter(slot => !inKey.includes(slot))
  const inputAttributes = Object.entries(attributes).filter(([, { derived }]) => !derived)
  const writable = inputAttributes.map(([name]) => name)
  const patchable = writable.filter(name => !identitySlots.includes(name))
  const references = referencesOf(type).map(({ name }) => name)
  const carried = edge.carry.map(({ copyName }) => copyName)
  const aggregateOwners = edge.ends.filter(end => aggregatesAt(edge, end)[0])
  const aggregateInputs = aggregateOwners.flatMap(end =>
    aggregatesAt(edge, end).flatMap(({ into, where, of }) => [
      ...Object.keys({ ...end.node.attributes[into]!.members, ...where }),
      ...(of ? [of] : []),
    ]),
  )
  const countedMirrors = hasStreamDerivedData(edge) ? sideKinds.filter(({ role }) => role === 'mirror') : []
  const moving = countedMirrors.flatMap(mirror => tableKeySlots(mirror, names))
  const sideSlots = sideKinds.flatMap(side => [
    ...keySlotsOf(side),
    ...(side.role === 'mirror' ? patchable : expires ? [expires] : []),
  ])
  return {
    type,
    ownKind,
    sideKinds,
    identitySlots,
    replaceableEnds,
    immutableSlots: patchable.filter(name => attributes[name]!.immutable),
    rowBoundSlots: rowBoundAttributes(type),
    fold: caseFoldingOf(layout).fold,
    writableNames: new Set([...writable.filter(name => !attributes[name]!.recomputation?.compute), ...references]),
    inputAttributes,
    storedNames: [...identitySlots, ...patchable, ...carried].map(slot => [slot, names.attributeOf(type, slot)]),
    managedNames: [
      ...[...patchable, ...carried].map(slot => names.attributeOf(type, slot)),
      ...Object.keys(ownKind.indexKeySlots),
      ...((expires ?? names.configuredExpires) ? [names.expires] : []),
    ],
    expiryName: expires ?? names.configuredExpires,
    hasDerived:
      type.kind === 'edge'
        ? hasStreamDerivedData(type)
        : type.unique.length > 0 || Object.values(attributes).some(({ derived }) => derived),
    countedMirrors,
    changeableMirrorSlots: moving.filter(slot => !inKey.includes(slot)),
    watchedSlots: [...sideSlots, ...aggregateInputs],
    aggregateInputs,
    // A part of the end's id is known already.
    carrySources: edge.ends.filter(({ name, node }) =>
      edge.carry.some(({ end, attribute }) => end === name && !identitySlotsOf(node).includes(attribute)),
    ),
    aggregateOwners,
    requiredEnds: edge.ends.filter(end => aggregateOwners.includes(end) || end.onDelete !== 'leave'),
    ...nodeTraitsOf(layout, type),
  }
})

/** What edges leave in the nodes at an end, in their own transactions: a count, the sum of something, or entries. */
export function aggregatesAt(
  { count, sum, embed }: Pick<DeclaredEdge, 'count' | 'sum' | 'embed'>,
  declaredEnd: DeclaredEnd,
) {
  const all: readonly (Pick<DeclaredCount, 'end' | 'into'> & Partial<DeclaredSum & DeclaredEmbed>)[] = [
    ...count,
    ...sum,
    ...embed,
  ]
  return all.filter(({ end, by }) => end === declaredEnd.name && by !== 'stream')
}

/** Whether the sum into this attribute of a node has a tally. */
export const hasTally = (edge: DeclaredEdge, into: string): boolean =>
  talliedSumsOf(edge).some(sum => sum.into === into)

/** The stored names under which a node at an end keeps something that says whether it has edges there. */
export function edgeGuardNamesAt({ names }: Layout, edge: DeclaredEdge, end: DeclaredEnd): string[] {
  return aggregatesAt(edge, end).flatMap(({ into, of }) => {
    const name = names.attributeOf(end.node, into)
    return hasTally(edge, into) ? [tallyName(name)] : of ? [] : [name]
  })
}

/** Whether an owned node goes with its owner, or keeps it. */
const isBoundToOwner = ({ within, onDelete }: DeclaredNode): boolean => !!within && !!onDelete && onDelete !== 'leave'

function nodeTraitsOf(
  { graph, names }: Layout,
  type: DeclaredType,
): Pick<
  TypeTraits,
  'incomingEnds' | 'aggregates' | 'tallyNames' | 'ownedTypes' | 'owner' | 'canBeDeleting' | 'rankedCounters'
> {
  const incomingEnds = graph.declared.edges.flatMap(edge =>
    edge.ends.filter(({ node }) => node === type).map(end => ({ edge, end })),
  )
  const aggregates = new Map<string, AggregateAttribute>()
  for (const { edge, end } of incomingEnds)
    for (const { into, max = 0, of } of aggregatesAt(edge, end)) {
      const name = names.attributeOf(type, into)
      aggregates.set(name, { kind: max ? 'entries' : of ? 'sum' : 'count', max })
      if (hasTally(edge, into)) aggregates.set(tallyName(name), { kind: 'tally', max: 0 })
    }
  const tallyNames = [...aggregates.keys()].filter(isTallyName)
  const rankedCounters = type.kind === 'node' ? rankingCountersOf(type).map(name => names.attributeOf(type, name)) : []
  const ownedTypes = graph.declared.nodes.filter(node => node.within === type && isBoundToOwner(node))
  const owner = type.kind === 'node' && isBoundToOwner(type) ? referencesOf(type)[0] : undefined
  return {
    incomingEnds,
    aggregates,
    tallyNames,
    ownedTypes,
    owner,
    canBeDeleting: incomingEnds.length + ownedTypes.length > 0,
    rankedCounters,
  }
}
