import { rankingCountersOf } from '../layout/items/derived-values.js'
import { type CaseFolding, caseFoldingOf, rowBoundAttributes } from '../layout/items/row-bindings.js'
import { stampName } from '../layout/items/summary-stamps.js'
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
import { isClosure } from '../schema/edge/closure.js'
import { hasStreamDerivedData } from '../schema/edge/stream-derived-data.js'
import { ownKindByName } from './identity.js'
import { membersOf, type RowMember, referencesOf } from './members.js'

/** Facts about writing a type, computed for each layout only on first use. */
export interface TypeTraits {
  readonly layout: Layout
  readonly type: DeclaredType
  readonly ownKind: Kind
  /** Its other items: mirrors, facets and sentinels. */
  readonly sideKinds: readonly Kind[]
  /** The slots that identify a row of the type. */
  readonly identitySlots: readonly string[]
  /** The texts that a new row must not leave empty: its id, and the ids of the nodes that it refers to. */
  readonly idMembers: readonly RowMember[]
  /** Identity slots that are not in the key: the other end of an edge that a node may have only one of. */
  readonly replaceableEnds: readonly string[]
  readonly immutableSlots: readonly string[]
  /** Attributes whose encrypted values are bound to the row, and whether keys ignore the case of the identity. */
  readonly rowBoundSlots: readonly string[]
  readonly fold: CaseFolding
  /** The names that a row may give, and its attributes without the derived ones. */
  readonly writableNames: ReadonlySet<string>
  readonly inputAttributes: readonly (readonly [name: string, attribute: DeclaredAttribute])[]
  /** The stored names of the slots of an item, and all stored names that a put writes or removes. */
  readonly storedNames: readonly (readonly [slot: string, name: string])[]
  readonly managedNames: readonly string[]
  /** The stored name of the expiry attribute; undefined when items of the type do not expire. */
  readonly expiryName: string | undefined
  /** Whether its item has attributes that edgewise derives. A put must leave them unchanged. */
  readonly hasDerived: boolean
  /** The stored names of its summaries and their stamps, which batch jobs write and every other write preserves. */
  readonly summaryNames: readonly string[]
  /** Of an edge with counters that the stream maintains: its mirrors, and the mutable slots in their keys. */
  readonly countedMirrors: readonly Kind[]
  readonly changeableMirrorSlots: readonly string[]
  /**
   * Slots that other items also contain, so that a change needs the previous values; and slots that nodes aggregate.
   */
  readonly watchedSlots: readonly string[]
  readonly aggregateInputs: readonly string[]
  /** Of an edge: the ends from which it carries attributes, and the ends whose nodes have aggregates of it. */
  readonly carrySources: readonly DeclaredEnd[]
  readonly aggregateOwners: readonly DeclaredEnd[]
  /** Whether it is an edge of a tree, which must not close a cycle. */
  readonly isTree: boolean
  /** Of a put edge: the ends whose nodes must exist. */
  readonly requiredEnds: readonly DeclaredEnd[]
  /** Of a node: the ends of its edges except closures, and its aggregates by stored name. */
  readonly incomingEnds: readonly { readonly edge: DeclaredEdge; readonly end: DeclaredEnd }[]
  readonly aggregates: ReadonlyMap<string, AggregateAttribute>
  /** The stored names of the tallies that a new node starts with. */
  readonly tallyNames: readonly string[]
  /** Of a node: the node types that it owns and whose nodes are deleted with it, or prevent its deletion. */
  readonly ownedTypes: readonly DeclaredNode[]
  /**
   * Of an owned node that is deleted with its owner, or prevents its deletion: the owner, which must exist when the
   * node is written.
   */
  readonly owner: Reference | undefined
  /** Whether a node of the type can be marked as being deleted. */
  readonly canBeDeleting: boolean
  /** The stored names of counters that exist from the creation of the node. */
  readonly rankedCounters: readonly string[]
}

const compiledTraits = memoize((_: Layout) => new Map<string, TypeTraits>())

/** The traits of the type with this name. */
export function traitsOf(layout: Layout, type: string): TypeTraits {
  const byName = compiledTraits(layout)
  let traits = byName.get(type)
  if (!traits) {
    traits = compileTraits(layout, ownKindByName(layout, type))
    byName.set(type, traits)
  }
  return traits
}

/** An aggregate that a node has of its edges. All kinds except `sum` show whether the node has edges. */
export interface AggregateAttribute {
  readonly kind: 'count' | 'sum' | 'tally' | 'entries'
  /** The maximum number of entries of a map; 0 for a number. */
  readonly max: number
}

/** Traits of edges only. */
type EdgeParts = Pick<DeclaredEdge, 'carry' | 'count' | 'sum' | 'embed'> & {
  readonly ends: readonly DeclaredEnd[]
}

const NO_EDGE_PARTS: EdgeParts = { ends: [], carry: [], count: [], sum: [], embed: [] }

/** The members of an identity whose texts must not be empty. A `oneOf` that declares an empty text allows it. */
const idMembersOf = (type: DeclaredType) =>
  membersOf(type).filter(
    ({ slot, attribute, isReference }) =>
      (isReference || (type.kind === 'node' && type.id.includes(slot))) && attribute.kind !== 'oneOf',
  )

/** The stored names of the summaries of a type and of their stamps. */
const summaryNamesOf = ({ names }: Layout, type: DeclaredType): string[] =>
  Object.keys(type.attributes)
    .filter(name => type.attributes[name]!.kind === 'summary')
    .map(name => names.attributeOf(type, name))
    .flatMap(name => [name, stampName(name)])

function compileTraits(layout: Layout, ownKind: Kind): TypeTraits {
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
  const aggregateOwners = edge.ends.filter(end => aggregatesAt(edge, end).length > 0)
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
    layout,
    type,
    ownKind,
    sideKinds,
    identitySlots,
    idMembers: idMembersOf(type),
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
    summaryNames: summaryNamesOf(layout, type),
    countedMirrors,
    changeableMirrorSlots: moving.filter(slot => !inKey.includes(slot)),
    watchedSlots: [...sideSlots, ...aggregateInputs],
    aggregateInputs,
    // An attribute of the end's id is known without reading the node.
    carrySources: edge.ends.filter(({ name, node }) =>
      edge.carry.some(({ end, attribute }) => end === name && !identitySlotsOf(node).includes(attribute)),
    ),
    aggregateOwners,
    isTree: type.kind === 'edge' && type.tree,
    requiredEnds: edge.ends.filter(end => aggregateOwners.includes(end) || end.onDelete !== 'leave'),
    ...nodeTraitsOf(layout, type),
  }
}

/**
 * The aggregates that an edge maintains in the node at an end within the same transaction: counts, sums and entries.
 */
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

/** The stored names of the aggregates of a node that show whether it has edges at an end. */
export function edgeGuardNamesAt({ names }: Layout, edge: DeclaredEdge, end: DeclaredEnd): string[] {
  return aggregatesAt(edge, end).flatMap(({ into, of }) => {
    const name = names.attributeOf(end.node, into)
    return hasTally(edge, into) ? [tallyName(name)] : of ? [] : [name]
  })
}

/** Whether an owned node is deleted with its owner, or prevents its deletion. */
const isBoundToOwner = ({ within, onDelete }: DeclaredNode): boolean => !!within && !!onDelete && onDelete !== 'leave'

function nodeTraitsOf(
  { graph, names }: Layout,
  type: DeclaredType,
): Pick<
  TypeTraits,
  'incomingEnds' | 'aggregates' | 'tallyNames' | 'ownedTypes' | 'owner' | 'canBeDeleting' | 'rankedCounters'
> {
  // The deletion of the edges of a tree deletes those of its closure.
  const writtenEdges = graph.declared.edges.filter(edge => !isClosure(edge))
  const incomingEnds = writtenEdges.flatMap(edge =>
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
