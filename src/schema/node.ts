import { declarationOf } from './attributes/validated.js'
import { checkOptions, formatValue, rejectDeclarationIf } from './checks/assertions.js'
import { checkAttributes, checkAttributeUse, declarePath, isKeyable } from './checks/attributes.js'
import { checkDistinct, checkIdentifier } from './checks/names.js'
import type { AccessMethod, DeclaredAttributes, DeclaredNode, DeclaredPath, OnDelete } from './declarations.js'
import { mapValues } from './map-values.js'
import type { PathOptionFaults, UnknownOptionFaults } from './types/fault.js'
import type { AnyNode } from './types/node-types.js'
import type { Attributes, Names } from './types/row.js'
import type { StorableFaults } from './types/storable.js'

/** A way to find nodes: what is given, and what it is sorted by. */
export interface NodePathOptions<N extends string> {
  /** the parts that every read by this path gives */
  readonly in?: readonly N[]
  /** what it is sorted by */
  readonly order?: readonly N[]
  readonly as?: NodeAccessMethod
  /** spreads a partition that is written or read too much for one */
  readonly shards?: number
}

type NodeAccessMethod = Extract<AccessMethod, 'index' | 'item' | 'local' | 'native'>

/** What a node is told beside its attributes; `Owner` is the name of its owner. */
export interface NodeOptions<N extends string, Owner extends string = never> {
  /** the attribute, or the attributes, that tell a node from every other of its type */
  readonly id: N | readonly N[]
  /** the node in whose partition it lives: its owner */
  readonly within?: AnyNode
  /**
   * what happens to it when its owner is deleted: it goes too, with all that it owns (`cascade`), keeps its owner
   * (`refuse`), or stays (`leave`). With `cascade` and `refuse` it can only be written while its owner exists.
   */
  readonly onDelete?: OnDelete
  /** attributes of which no two nodes have the same value */
  readonly unique?: readonly N[]
  /** further ways to find nodes: by attributes, and by the owner under its name */
  readonly by?: { readonly [path: string]: NodePathOptions<N | Owner> }
  /** the date after which the node is gone */
  readonly expires?: N
}

/** Where the name of the owner is told, which paths may go by. */
interface OwnerOption<Owner extends string> {
  readonly within?: { readonly name: Owner }
}

/** A type of node, as declared. */
export interface NodeType<Name extends string, A, O> {
  readonly kind: 'node'
  readonly name: Name
  readonly attributes: A
  readonly options: O
  readonly declared: DeclaredNode
}

/** Declares a type of node. Its name is in keys: renaming it moves data. */
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
  // Who has no compiler may leave out what it asks for.
  // Of a node, onDelete is one word; of an edge it is an object.
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

/** Refuses a node that could not be kept as it is declared. */
function checkNode(node: DeclaredNode): void {
  const { name: type, attributes, id, within, onDelete, unique, paths } = node
  checkAttributes(node, unique[0] && 'unique attributes')
  rejectDeclarationIf(type, id.length === 0, 'node.id', '', 'give the attribute that is its id')
  checkDistinct(id, `the id of ${type}`)
  rejectDeclarationIf(
    type,
    onDelete !== undefined && !['leave', 'cascade', 'refuse'].includes(onDelete),
    'option.onDelete',
    '',
    `onDelete is ${formatValue(onDelete)}; give 'leave', 'cascade' or 'refuse'`,
  )
  rejectDeclarationIf(
    type,
    onDelete !== undefined && !within,
    'option.onDelete',
    '',
    "onDelete is declared without 'within'; declare it on an owned node, or on the ends of an edge",
  )
  for (const name of id) checkAttributeUse(node, name, 'id', false)
  for (const name of unique) {
    checkAttributeUse(node, name, 'unique', true)
    rejectDeclarationIf(
      type,
      !within && id.every(part => part === name),
      'option.attribute',
      name,
      `'${name}' is its id, and unique already`,
    )
  }
  for (const path of paths) checkPath(node, path)
  const owner = within?.name ?? ''
  const shadow = attributes[owner] ? owner : paths.find(({ name }) => [...unique, owner].includes(name))?.name
  rejectDeclarationIf(type, shadow, 'node.shadow', shadow!, `it has '${shadow}' twice: rename one`)
}

function checkPath(node: DeclaredNode, { name: path, in: partitionParts, order, as }: DeclaredPath): void {
  const usage = `by.${path}`
  const owner = node.within?.name
  checkIdentifier(path, `a path of ${node.name}`)
  for (const name of [...partitionParts, ...order]) {
    if (name === owner) continue
    const { kind, element } = node.attributes[name] ?? {}
    if (kind === 'counter' && order.includes(name))
      rejectDeclarationIf(
        node.name,
        as && as !== 'native',
        'path.way',
        path,
        `${usage} sorts by a counter: say 'native'`,
      )
    else if (kind !== 'set') checkAttributeUse(node, name, usage, true)
    else
      rejectDeclarationIf(
        node.name,
        // It is found by each of its members, one item for each.
        as !== 'item' || partitionParts.length > 1 || partitionParts[0] !== name || !isKeyable(element!),
        'option.attribute',
        name,
        `give the set '${name}' alone in 'in' of ${usage}, and say 'item'`,
      )
  }
  rejectDeclarationIf(
    node.name,
    as === 'local' && (!owner || partitionParts[0] || order.includes(owner)),
    'path.way',
    path,
    `${usage} cannot be local without an owner, with 'in' or sorted by it: say 'index'`,
  )
}
