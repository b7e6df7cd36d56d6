import { declarationOf } from './attributes/validated.js'
import { checkOptions, formatValue, rejectDeclarationIf } from './checks/assertions.js'
import { checkAttributes, checkAttributeUse, declarePath, isKeyable, isRanking } from './checks/attributes.js'
import { checkDistinct, checkIdentifier } from './checks/names.js'
import type { AccessMethod, DeclaredAttributes, DeclaredNode, DeclaredPath, OnDelete } from './declarations.js'
import { mapValues } from './map-values.js'
import type { PathOptionFaults, UnknownOptionFaults } from './types/fault.js'
import type { AnyNode } from './types/node-types.js'
import type { Attributes, Names } from './types/row.js'
import type { StorableFaults } from './types/storable.js'

/** A path, which finds nodes by some of their attributes. */
export interface NodePathOptions<N extends string> {
  /** The attributes that every read by this path gives. */
  readonly in?: readonly N[]
  /** The attributes that the path is sorted by. */
  readonly order?: readonly N[]
  /** How the path is served; by an index by default. */
  readonly as?: NodeAccessMethod
  /**
   * The number of shards that each partition is spread over; 1 by default. Use more for a partition with too much
   * traffic for one.
   */
  readonly shards?: number
}

type NodeAccessMethod = Extract<AccessMethod, 'index' | 'item' | 'local' | 'native'>

/** The options of a node. `Owner` is the name of its owner. */
export interface NodeOptions<N extends string, Owner extends string = never> {
  /** The attribute or attributes that identify a node within its type. */
  readonly id: N | readonly N[]
  /** The owner: a node in whose partition this node is stored. */
  readonly within?: AnyNode
  /**
   * What happens to the node when its owner is deleted. `cascade` deletes it and everything that it owns. `refuse`
   * prevents the deletion of the owner. `leave` keeps it. With `cascade` and `refuse`, writes of the node require its
   * owner to exist.
   */
  readonly onDelete?: OnDelete
  /** Attributes whose values are unique among the nodes of this type. */
  readonly unique?: readonly N[]
  /** Further paths that find nodes: by attributes, and by the owner under its name. */
  readonly by?: { readonly [path: string]: NodePathOptions<N | Owner> }
  /** The attribute with the date after which the node is deleted. */
  readonly expires?: N
}

/** Infers the name of the owner, which paths may use. */
interface OwnerOption<Owner extends string> {
  readonly within?: { readonly name: Owner }
}

/** A declared type of node. */
export interface NodeType<Name extends string, A, O> {
  readonly kind: 'node'
  readonly name: Name
  readonly attributes: A
  readonly options: O
  readonly declared: DeclaredNode
}

/**
 * Declares a type of node. Keys contain its name, so renaming it moves data.
 *
 * @throws {node.id} if the node has no id
 *
 * @example
 * ```ts
 * import { integer, node, string } from 'edgewise'
 *
 * const movie = node(
 *   'movie',
 *   { title: string(), genre: string(), year: integer() },
 *   { id: 'title', by: { genre: { in: ['genre'], order: ['year'] } } },
 * )
 * ```
 */
export function node<
  const Name extends string,
  A extends Attributes,
  const O extends NodeOptions<Names<A>, Owner>,
  const Owner extends string = never,
>(
  name: Name,
  attributes: A & StorableFaults<A>,
  options: O &
    UnknownOptionFaults<O, keyof NodeOptions<never>> &
    PathOptionFaults<O, keyof NodePathOptions<never>> &
    OwnerOption<Owner>,
): NodeType<Name, A, O> {
  // JavaScript callers may omit the options. `onDelete` is checked apart: for a node it is a string, and for an edge an
  // object.
  const { onDelete, ...others } = (options ?? {}) as { readonly onDelete?: OnDelete }
  checkOptions(name, others, 'id, within, onDelete, unique, by, expires')
  const { id = [], within, unique = [], by, expires } = options ?? ({} as O)
  const declared: DeclaredNode = {
    kind: 'node',
    name,
    attributes: declareAttributes(name, attributes),
    id: [id].flat() as string[],
    within: (within as { readonly declared: DeclaredNode } | undefined)?.declared,
    onDelete,
    unique,
    paths: Object.entries(by ?? {}).map(([path, pathOptions]) => declarePath(name, path, pathOptions)),
    expires,
  }
  checkNode(declared)
  return { kind: 'node', name, attributes, options, declared }
}

export function declareAttributes(type: string, attributes: Attributes): DeclaredAttributes {
  return mapValues(attributes, (schema, name) => declarationOf(schema, `${type}.${name}`))
}

/** Rejects a node whose declaration contradicts itself. */
function checkNode(node: DeclaredNode): void {
  const { name: type, attributes, id, within, onDelete, unique, paths } = node
  checkAttributes(node, unique.length > 0 && 'unique attributes')
  rejectDeclarationIf(
    type,
    id.length === 0,
    'node.id',
    '',
    "the node has no id; give the attribute that identifies it as 'id'.",
  )
  checkDistinct(id, `id of ${type}`)
  rejectDeclarationIf(
    type,
    onDelete !== undefined && !['leave', 'cascade', 'refuse'].includes(onDelete),
    'option.onDelete',
    '',
    `onDelete is ${formatValue(onDelete)}; give 'leave', 'cascade' or 'refuse'.`,
  )
  rejectDeclarationIf(
    type,
    onDelete !== undefined && !within,
    'option.onDelete',
    '',
    "onDelete is declared without 'within'; declare it on an owned node, or on the ends of an edge.",
  )
  for (const name of id) checkAttributeUse(node, name, 'id', false)
  for (const name of unique) {
    checkAttributeUse(node, name, 'unique', true)
    rejectDeclarationIf(
      type,
      !within && id.every(part => part === name),
      'option.attribute',
      name,
      `'${name}' is its id, which is already unique; remove it from 'unique'.`,
    )
  }
  for (const path of paths) checkPath(node, path)
  const owner = within?.name ?? ''
  const shadow = attributes[owner] ? owner : paths.find(({ name }) => [...unique, owner].includes(name))?.name
  rejectDeclarationIf(
    type,
    shadow,
    'node.shadow',
    shadow!,
    `'${shadow}' names two of its attributes, paths and owner; rename one of them.`,
  )
}

function checkPath(node: DeclaredNode, { name: path, in: partitionParts, order, as }: DeclaredPath): void {
  const usage = `by.${path}`
  const owner = node.within?.name
  checkIdentifier(path, `path of ${node.name}`)
  for (const name of [...partitionParts, ...order]) {
    if (name === owner) continue
    const { kind, element } = node.attributes[name] ?? {}
    if (order.includes(name) && isRanking(node.attributes[name]))
      rejectDeclarationIf(
        node.name,
        as && as !== 'native',
        'path.way',
        path,
        `${usage} is sorted by a ${kind}, which only a native index supports; declare as: 'native'.`,
      )
    else if (kind !== 'set') checkAttributeUse(node, name, usage, true)
    else
      rejectDeclarationIf(
        node.name,
        // A set is served by one item for each of its members.
        as !== 'item' || partitionParts.length > 1 || partitionParts[0] !== name || !isKeyable(element!),
        'option.attribute',
        name,
        `${usage} reads by the set '${name}', which only items support; give the set alone as 'in' and declare as: 'item'.`,
      )
  }
  rejectDeclarationIf(
    node.name,
    as === 'local' && (!owner || partitionParts.length > 0 || order.includes(owner)),
    'path.way',
    path,
    `${usage} cannot be local without an owner, with 'in', or sorted by the owner; declare as: 'index'.`,
  )
}
