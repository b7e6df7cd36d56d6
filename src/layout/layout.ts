import type { KeyAttributeType } from '../dynamodb/attribute-value.js'
import { rejectDeclarationIf } from '../schema/checks/assertions.js'
import { checkDistinct } from '../schema/checks/names.js'
import type { DeclaredGraph } from '../schema/declarations.js'
import { isClosure } from '../schema/edge/closure.js'
import { hasStreamDerivedData } from '../schema/edge/stream-derived-data.js'
import { GraphError } from '../schema/error.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { type Access, accessOf } from './access/access.js'
import { indexesOf, type LayoutIndex } from './access/indexes.js'
import { checkLayoutOptions } from './check-options.js'
import type { TableDesign } from './design.js'
import { fingerprintOf, type LayoutShape, layoutShapeOf } from './fingerprint.js'
import { PATH_SEPARATOR } from './items/closure.js'
import { FINGERPRINT_PARTITION } from './items/internal-items.js'
import { attributeSlotsOf, checkStoredAttributes } from './keys/attribute-keys.js'
import { checkKeyIdentity } from './keys/check-identity.js'
import { applyCustomKeys } from './keys/custom-keys.js'
import { deriveDefaultKeys } from './keys/default-keys.js'
import { isNumericKey } from './keys/encode-template.js'
import type { KeyTemplateFaults } from './keys/template-faults.js'
import { type Kind, parseKinds, tableKeySlots } from './kinds.js'
import type { LayoutOptions, PhysicalLayoutOptions } from './options.js'
import { storedTypeOf } from './slots.js'
import { type StoredNames, storedNamesOf } from './stored-names.js'

/** The layout of a graph: its kinds of items, the keys of each kind and the access of each path in one table. */
export interface Layout<T extends AnyType = AnyType, Tenant extends boolean = boolean> {
  readonly graph: Graph<T, Tenant>
  readonly kinds: readonly Kind[]
  readonly accesses: readonly Access[]
  readonly names: StoredNames
  readonly design: TableDesign
  /** The data that decides where items are stored. The fingerprint is its hash. */
  readonly shape: LayoutShape
  readonly fingerprint: string
}

/**
 * Returns the layout with another table name. The same name returns the same object, because memoized results belong to
 * it.
 */
export function withTableName(layout: Layout, table: string): Layout {
  const { design } = layout
  return design.name === table ? layout : { ...layout, design: { ...design, name: table } }
}

/** Returns the given layout, or the default layout of the given graph. */
export function layoutOf<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
): Layout<T, Tenant> {
  const maybeLayout = graphOrLayout as Layout<T, Tenant>
  return maybeLayout?.kinds ? maybeLayout : layout(graphOrLayout as Graph<T, Tenant>)
}

/**
 * Creates the layout of a graph. Without options it has the default keys, which suit most graphs.
 *
 * @param options - custom keys, indexes, stored names and other settings of the physical table
 * @throws {layout.path} if no key serves a path that the graph declares
 * @throws {key.slot} if a template has a slot that its type does not have
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const social = layout(graph('social', [user]), { keys: { user: { PK: 'USER#{name}', SK: 'PROFILE' } } })
 * console.log(social.design.keys)
 * ```
 */
export function layout<
  T extends AnyType,
  Tenant extends boolean,
  const K extends NonNullable<LayoutOptions['keys']> = Record<never, never>,
>(
  graph: Graph<T, Tenant>,
  // The intersection with the names of the types lets an editor complete them.
  options: PhysicalLayoutOptions & {
    readonly keys?: K & KeyTemplateFaults<T, K> & { readonly [N in T['name']]?: unknown }
  } = {},
): Layout<T, Tenant> {
  const physical: LayoutOptions = options
  if (!graph?.types)
    throw new GraphError('call.argument', 'layout: the argument is not a graph; give the result of graph().')
  checkLayoutOptions(physical)
  const { declared } = graph
  const names = storedNamesOf(physical)
  const defaultKeys = deriveDefaultKeys(declared, names)
  const unparsedKinds = applyCustomKeys(defaultKeys.kinds, physical, names)
  const indexes = indexesOf({ ...defaultKeys, kinds: unparsedKinds }, physical, names)
  const keyAttributes = [
    ...indexes.flatMap(({ native, partition, sort }) => (native ? [] : [...partition, ...sort])),
    ...unparsedKinds.flatMap(({ templateTexts }) => Object.keys(templateTexts)),
  ]
  const partitions = [names.partition, ...indexes.map(({ partition }) => partition[0]!)]
  checkStoredAttributes(unparsedKinds, physical, names, keyAttributes, declared.tenant ? partitions : [])
  const kinds = parseKinds(unparsedKinds, { physical, tenant: declared.tenant, indexes, partitions, names })
  const accesses = defaultKeys.paths.map(path => accessOf(path, kinds, indexes, names))
  checkStreamDerivedEdges(declared, kinds, accesses, names)
  checkClosurePaths(kinds)
  checkKeyIdentity(kinds, names)
  checkDistinct(
    kinds.map(({ typeMark }) => typeMark),
    'type.values',
  )
  const design = designOf(declared, physical, kinds, indexes, accesses, names)
  const shape = layoutShapeOf(design, kinds, names)
  return { graph, kinds, accesses, names, design, shape, fingerprint: fingerprintOf(shape) }
}

/**
 * Rejects data derived by the stream that cannot be stored. It is stored on the items by which an end is read, so the
 * table itself must serve that end.
 */
function checkStreamDerivedEdges(
  { edges }: DeclaredGraph,
  kinds: readonly Kind[],
  accesses: readonly Access[],
  names: StoredNames,
): void {
  for (const edge of edges) {
    const edgeKinds = kinds.filter(({ type }) => type === edge)
    const slots = edgeKinds.flatMap(kind => tableKeySlots(kind, names))
    for (const { copyName, sync } of edge.carry)
      rejectDeclarationIf(
        edge.name,
        sync && slots.includes(copyName),
        'key.slot',
        copyName,
        `'${copyName}' can change, so a key cannot contain it; remove it from the key.`,
      )
    const isText = edgeKinds.every(({ keys }) => names.keys.every(key => !isNumericKey(keys[key]!)))
    for (const { name } of edge.ends)
      rejectDeclarationIf(
        edge.name,
        hasStreamDerivedData(edge, name) &&
          !(isText && accesses.some(access => access.type === edge && access.name === name && access.consistent)),
        'path.way',
        name,
        edge.undirected
          ? `the stream cannot keep counters of an undirected edge that is read in an own order or by an index; drop 'order' and 'as' of by.${edge.ends[0].name}, or count by transaction.`
          : `the stream needs by.${name} on the table itself, with string keys; declare that end as: 'mirror' and the other end as: 'adjacent'.`,
      )
  }
}

/** Rejects a raw key in which the path of a closure would end at its first separator. */
function checkClosurePaths(kinds: readonly Kind[]): void {
  for (const { type, keys } of kinds)
    for (const { source, slots } of Object.values(keys))
      rejectDeclarationIf(
        type.name,
        isClosure(type) && slots.some(({ name, terminator }) => name === 'path' && terminator === PATH_SEPARATOR),
        'key.slot',
        'path',
        `'path' contains '${PATH_SEPARATOR}', which ends it in the raw key '${source}'; put {path} last, or choose another separator.`,
      )
}

function designOf(
  { name, edges, tenant }: DeclaredGraph,
  { capacity = 'on-demand' }: LayoutOptions,
  kinds: readonly Kind[],
  indexes: readonly LayoutIndex[],
  accesses: readonly Access[],
  names: StoredNames,
): TableDesign {
  const { partition, sort } = names
  const attributes: Record<string, KeyAttributeType> = {}
  for (const key of names.keys) attributes[key] = keyAttributeTypeOf(key, 'table', kinds, names)
  for (const index of indexes)
    for (const key of [...index.partition, ...index.sort])
      attributes[key] = keyAttributeTypeOf(key, `index '${index.name}'`, kinds, names)
  const derived = edges.some(edge => hasStreamDerivedData(edge))
  return {
    name,
    keys: sort ? { partition, sort } : { partition },
    attributes,
    indexes: indexes.map(({ native: _, ...index }) => {
      const readers = accesses.filter(access => access.index === index.name)
      return { ...index, serves: readers.map(({ type, name: path }) => `${type.name}.by.${path}`) }
    }),
    capacity,
    stream: derived ? 'both' : 'none',
    // Receipts of tokens, tombstones and expiring types use it.
    expires: names.expires,
    tenant,
    fingerprint: FINGERPRINT_PARTITION,
  }
}

/**
 * Returns the type of a key attribute. Composed keys are strings; a key that is a plain attribute has its type.
 * DynamoDB rejects items with another type.
 */
function keyAttributeTypeOf(
  attribute: string,
  source: string,
  kinds: readonly Kind[],
  names: StoredNames,
): KeyAttributeType {
  const types = new Set(
    kinds.flatMap(kind => {
      const { type, slotsInKey, keys } = kind
      const attributeSlots = attributeSlotsOf(kind).filter(
        slot => names.attributeOf(type, slot) === attribute && !slotsInKey.has(slot),
      )
      const storedTypes = attributeSlots.map(slot => storedTypeOf(type, slot))
      return storedTypes.length > 0 || !keys[attribute] ? storedTypes : 'S'
    }),
  )
  const [type = 'S'] = types
  if (types.size < 2 && (type === 'S' || type === 'N')) return type
  throw new GraphError(
    'layout.native',
    `${source}: '${attribute}' is stored as ${[...types].join(' and ')}, but a key needs S or N in every type; rename one of them by stored().`,
    { name: attribute },
  )
}
